/**
 * Dead letters that become deliveries (RV1): their rows go in the transaction that appends the host's bundle with
 * the deliveries. When the answer is lost the bundle is looked up, as for every commit (L1).
 */
import type { DeadLetterRow, LetterChoice, NumberedLetter, Redrive, RedriveOutcome } from '@millrace/engine';
import type pg from 'pg';
import { commitBundles } from '../queries/commit-bundles.ts';
import { findBundles } from '../queries/find-bundles.ts';
import {
  FORGET_REDRIVEN,
  LETTERS_BY_NUMBER,
  LETTERS_OF_GROUP,
  NEWEST_LETTER,
  TAKE_LETTERS,
} from '../queries/redrive-letters.ts';
import { transact } from '../sql/connections.ts';
import type { Session } from '../sql/session.ts';
import { letterOf } from './dead-letters.ts';
import type { OpenedPipeline } from './opened.ts';

/** Of letters read at once. */
const MOST_BYTES = 8 << 20;

export function chosenLetters(
  { number: pipeline, connections }: OpenedPipeline,
  choice: LetterChoice,
  limit: number,
): Promise<readonly NumberedLetter[]> {
  return connections.run(async ({ client }) => {
    const { rows } = await client.query<{ number: number; detail: string; redrive: string | null }>(
      'numbers' in choice ? LETTERS_BY_NUMBER : LETTERS_OF_GROUP,
      'numbers' in choice
        ? [pipeline, choice.numbers, limit, MOST_BYTES]
        : [pipeline, choice.group, choice.above, choice.upTo, limit, MOST_BYTES],
    );
    return rows.map(({ number, detail, redrive }) => ({
      number,
      letter: {
        ...letterOf(detail),
        ...(redrive === null ? {} : { redrive: JSON.parse(redrive) as DeadLetterRow['redrive'] }),
      },
    }));
  });
}

export function newestLetter({ number, connections }: OpenedPipeline): Promise<number> {
  return connections.run(async ({ client }) => {
    const { rows } = await client.query<{ number: number }>(NEWEST_LETTER, [number]);
    return rows[0]?.number ?? 0;
  });
}

export function redrive(pipeline: OpenedPipeline, { bundle, numbers }: Redrive): Promise<RedriveOutcome> {
  return pipeline.connections.run(async (session, uncertain) => {
    if (uncertain && (await isAppended(session, pipeline, bundle))) return 'committed';
    try {
      return await transact(session, (client) => take(client, pipeline, { bundle, numbers }));
    } catch (error) {
      if (error instanceof NotTaken) return error.outcome;
      throw error;
    }
  });
}

/** Rolls the transaction back. */
class NotTaken extends Error {
  readonly outcome: RedriveOutcome;

  constructor(outcome: RedriveOutcome) {
    super('nothing was redriven');
    this.outcome = outcome;
  }
}

async function take(
  client: pg.Client,
  pipeline: OpenedPipeline,
  { bundle, numbers }: Redrive,
): Promise<RedriveOutcome> {
  const { number, segment, faults } = pipeline;
  const { slot, sequencer, bundleNumber, position, body } = bundle;
  // The bundle first: it locks the lease (P6), in the order in which every other commit does.
  const values = [number, slot, sequencer, bundleNumber, position, Buffer.from(body)];
  const appended = await client.query(commitBundles(number, segment, 1, true), values);
  if (appended.rowCount !== 1) throw new NotTaken('fenced');
  if (faults.splitRedrive === true) await client.query('commit');
  const taken = await client.query(TAKE_LETTERS, [number, numbers]);
  if (taken.rowCount !== numbers.length) throw new NotTaken('stale');
  await client.query(FORGET_REDRIVEN, [number]);
  return 'committed';
}

async function isAppended(
  { client }: Session,
  pipeline: OpenedPipeline,
  { slot, sequencer, bundleNumber }: Redrive['bundle'],
): Promise<boolean> {
  const { rowCount } = await client.query(findBundles(pipeline.number), [
    [slot],
    [sequencer],
    [bundleNumber],
  ]);
  return rowCount === 1;
}

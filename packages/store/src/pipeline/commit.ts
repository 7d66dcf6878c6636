/**
 * Appends bundles: one statement, one round trip.
 *
 * Invariants
 * - L1 A bundle is in the log at most once. When an answer is lost, the old server process is ended (C1), the
 *   bundles are looked up by primary key, and only those that are absent are sent again, to the same segment.
 * - L2 The lease check and the insert are one statement that holds the lease's row lock until the commit.
 */
import type { CommitOutcome, SealedBundle } from '@millrace/engine';
import { commitBundles } from '../queries/commit-bundles.ts';
import { findBundles } from '../queries/find-bundles.ts';
import type { Session } from '../sql/session.ts';
import type { OpenedPipeline } from './opened.ts';

/** A group is a handful; more are sent as several statements. */
const LARGEST_GROUP = 32;

export async function commit(
  pipeline: OpenedPipeline,
  bundles: readonly SealedBundle[],
): Promise<readonly CommitOutcome[]> {
  const outcomes: CommitOutcome[] = [];
  for (let at = 0; at < bundles.length; at += LARGEST_GROUP)
    outcomes.push(...(await commitGroup(pipeline, bundles.slice(at, at + LARGEST_GROUP))));
  return outcomes;
}

async function commitGroup(
  pipeline: OpenedPipeline,
  bundles: readonly SealedBundle[],
): Promise<readonly CommitOutcome[]> {
  const { segment } = pipeline;
  const stored = await pipeline.connections.run(async (session, uncertain) => {
    if (!uncertain) return append(session, pipeline, segment, bundles);
    const present = await lookUp(session, pipeline, bundles);
    const absent = bundles.filter((bundle) => !present.has(bundle.position));
    if (absent.length === 0) return present;
    return new Set([...present, ...(await append(session, pipeline, segment, absent))]);
  });
  return bundles.map((bundle) => (stored.has(bundle.position) ? 'committed' : 'fenced'));
}

async function append(
  session: Session,
  pipeline: OpenedPipeline,
  segment: number,
  bundles: readonly SealedBundle[],
): Promise<Set<number>> {
  const values: unknown[] = [pipeline.number];
  for (const { slot, sequencer, bundleNumber, position, body } of bundles)
    values.push(slot, sequencer, bundleNumber, position, asBuffer(body));
  const locked = pipeline.faults.unlockedSequencerCheck !== true;
  const { rows } = await session.client.query<{ position: string }>({
    name: `commit-${pipeline.number}-${segment}-${bundles.length}${locked ? '' : '-unlocked'}`,
    text: commitBundles(pipeline.number, segment, bundles.length, locked),
    values,
  });
  return positions(rows);
}

async function lookUp(session: Session, pipeline: OpenedPipeline, bundles: readonly SealedBundle[]) {
  const { rows } = await session.client.query<{ position: string }>(findBundles(pipeline.number), [
    bundles.map((bundle) => bundle.slot),
    bundles.map((bundle) => bundle.sequencer),
    bundles.map((bundle) => bundle.bundleNumber),
  ]);
  return positions(rows);
}

function positions(rows: readonly { position: string }[]): Set<number> {
  return new Set(rows.map((row) => Number(row.position)));
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/**
 * Reads and releases the log.
 *
 * Invariant L3: nothing above `through` ever vanishes. A segment is truncated only while it is locked against
 * every writer and its highest position, read under that lock, is at or below `through`.
 */
import type { LoggedBundle } from '@millrace/engine';
import type pg from 'pg';
import { FencedError } from '../errors.ts';
import { bundlesAfter as bundlesAfterText } from '../queries/bundles-after.ts';
import { lastPosition as lastPositionText } from '../queries/last-position.ts';
import { SEGMENTS } from '../queries/leaf.ts';
import {
  lockSegment,
  NOTE_RELEASED,
  SET_CURRENT_SEGMENT,
  segmentEnd,
  segmentSize,
  truncateSegment,
} from '../queries/release-log.ts';
import { transact } from '../sql/connections.ts';
import { type CopiedRow, copyOut, readInt } from '../sql/copy-out.ts';
import { holdHost } from './leases.ts';
import type { OpenedPipeline } from './opened.ts';

const BATCH_BYTES = 8 << 20;
const BATCH_ROWS = 1_000;
const SEGMENT_BYTES = 64 << 20;

export async function* bundlesAfter(
  pipeline: OpenedPipeline,
  after: number,
): AsyncGenerator<readonly LoggedBundle[]> {
  let last = after;
  for (;;) {
    const text = bundlesAfterText(pipeline.number, { after: last, bytes: BATCH_BYTES, rows: BATCH_ROWS });
    const rows = await pipeline.connections.run((session) => copyOut(session, text));
    if (rows.length === 0) return;
    const bundles = rows.map(toBundle);
    yield bundles;
    last = bundles.at(-1)!.position;
  }
}

function toBundle([position, slot, sequencer, bundleNumber, body]: CopiedRow): LoggedBundle {
  return {
    position: readInt(position),
    slot: readInt(slot),
    sequencer: readInt(sequencer),
    bundleNumber: readInt(bundleNumber),
    body: body!,
  };
}

export function lastPosition(pipeline: OpenedPipeline): Promise<number> {
  return pipeline.connections.run(async ({ client }) => {
    const { rows } = await client.query<{ position: string | null }>(lastPositionText(pipeline.number), [
      pipeline.number,
    ]);
    return Number(rows[0]?.position ?? 0);
  });
}

export async function releaseLog(
  pipeline: OpenedPipeline,
  hostSequencer: number,
  through: number,
): Promise<void> {
  await rotate(pipeline, hostSequencer);
  for (let segment = 0; segment < SEGMENTS; segment++)
    if (segment !== pipeline.segment) await truncate(pipeline, hostSequencer, segment, through);
}

/** Starts the next segment when the current one is full and the next one is empty. */
async function rotate(pipeline: OpenedPipeline, hostSequencer: number): Promise<void> {
  const next = (pipeline.segment + 1) % SEGMENTS;
  pipeline.segment = await underHost(pipeline, hostSequencer, async (client) => {
    const size = await client.query<{ bytes: string }>(segmentSize(pipeline.number, pipeline.segment));
    if (Number(size.rows[0]!.bytes) <= (pipeline.faults.segmentBytes ?? SEGMENT_BYTES))
      return pipeline.segment;
    if ((await endOf(client, pipeline, next)) !== undefined) return pipeline.segment;
    await client.query(SET_CURRENT_SEGMENT, [pipeline.number, next]);
    return next;
  });
}

async function truncate(
  pipeline: OpenedPipeline,
  hostSequencer: number,
  segment: number,
  through: number,
): Promise<void> {
  try {
    await underHost(pipeline, hostSequencer, async (client) => {
      if (!isReleasable(await endOf(client, pipeline, segment), through)) return;
      await client.query("set local lock_timeout = '100ms'");
      await client.query(lockSegment(pipeline.number, segment));
      const last = await endOf(client, pipeline, segment);
      if (!isReleasable(last, through)) return;
      await client.query(NOTE_RELEASED, [pipeline.number, last]);
      await client.query(truncateSegment(pipeline.number, segment));
    });
  } catch (error) {
    // Somebody reads or writes it: the next release will do it.
    if ((error as { code?: string }).code !== '55P03') throw error;
  }
}

function isReleasable(last: number | undefined, through: number): last is number {
  return last !== undefined && last <= through;
}

async function endOf(
  client: pg.Client,
  pipeline: OpenedPipeline,
  segment: number,
): Promise<number | undefined> {
  const { rows } = await client.query<{ last: string | null }>(segmentEnd(pipeline.number, segment));
  const last = rows[0]?.last;
  return last === null || last === undefined ? undefined : Number(last);
}

function underHost<T>(
  pipeline: OpenedPipeline,
  hostSequencer: number,
  body: (client: pg.Client) => Promise<T>,
): Promise<T> {
  return pipeline.connections.run((session) =>
    transact(session, async (client) => {
      if (!(await holdHost(client, pipeline, hostSequencer)))
        throw new FencedError(`Releasing the log of pipeline ${pipeline.id}`);
      return body(client);
    }),
  );
}

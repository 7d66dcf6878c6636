/**
 * Reads a table as a whole, again and again. Each reading is a version that stands until the next one is due; between
 * two readings the partition says how far it has come, so that whoever looks something up is not kept waiting.
 *
 * Invariants
 *   - A reading that breaks off is no version: it begins anew, and the watermark waits for one that is whole.
 *   - A reading begins when the one before is taken up: a pipeline that does not keep up, or is paused, is not read ahead.
 *   - A reading with what the one before had is not handed over, nor is one that could have been another: only what this
 *     reader has read whole counts as the one before.
 *   - A table that is away keeps its reader waiting, never its rows from standing as long as they were promised.
 */
import type { SourceChunk, SourcePartition } from '@millrace/engine';
import { digesting, lookThrough } from './table-digest.ts';
import { TakenUp } from './taken-up.ts';
import { backOffMs, type Wait, wait } from './wait.ts';

export interface TableReadings {
  /** Undefined: the table is read once, and stands for ever. */
  readonly refreshMs: number | undefined;
  readonly now: () => number;
  readonly wait?: Wait;
  /** The table as it is now, in chunks that may cut records anywhere. */
  rows(signal: AbortSignal): AsyncIterable<Uint8Array>;
  /** Whether it is worth trying again. Told of each attempt in a row. */
  isAway(error: unknown, attempt: number): boolean;
}

const TICK_MS = 1_000;
/** Of a reading that is looked through first. */
const MOST_KEPT_BYTES = 16 * 1024 * 1024;

export function tablePartition(name: string, table: TableReadings): SourcePartition {
  const taken = new TakenUp();
  return {
    name,
    read: (offset, signal) => readings(table, taken, offset, signal),
    committed: (offset) => taken.committed(offset),
  };
}

async function* readings(
  table: TableReadings,
  taken: TakenUp,
  offset: number,
  signal: AbortSignal,
): AsyncGenerator<SourceChunk> {
  const pause = table.wait ?? wait;
  let position = offset;
  let attempt = 0;
  /** Digest of the last reading, if that was whole. */
  let last: string | undefined;
  while (!signal.aborted) {
    const time = table.now();
    const version = { kind: 'version', time, end: endOf(time, table.refreshMs) } as const;
    let begun = false;
    try {
      const looked = last === undefined ? undefined : await lookThrough(table.rows(signal), MOST_KEPT_BYTES);
      if (signal.aborted) return;
      if (looked !== undefined && looked.digest === last) {
        yield { ...version, same: true };
        begun = true;
      } else {
        last = undefined;
        let digest: string | undefined;
        const rows = digesting(looked?.pieces ?? table.rows(signal), (found) => {
          digest = found;
        });
        for await (const bytes of rows) {
          if (!begun) yield version;
          begun = true;
          yield { kind: 'bytes', offset: position, bytes };
          position += bytes.length;
        }
        last = digest;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (!table.isAway(error, attempt)) throw error;
      if (!(await pause(backOffMs(attempt++), signal))) return;
      continue;
    }
    if (signal.aborted) return;
    attempt = 0;
    if (!begun) yield version;
    if (table.refreshMs === undefined) {
      yield { kind: 'ended' };
      return;
    }
    yield* untilDue(version, table.now, pause, signal);
    await taken.upTo(position, signal);
  }
}

const endOf = (time: number, refreshMs: number | undefined): number =>
  refreshMs === undefined ? Number.MAX_SAFE_INTEGER : time + refreshMs;

/** A clock that jumped back would keep an old version for too long: the table is read at once. */
async function* untilDue(
  { time, end }: { readonly time: number; readonly end: number },
  now: () => number,
  pause: Wait,
  signal: AbortSignal,
): AsyncGenerator<SourceChunk> {
  for (let at = now(); ; at = now()) {
    yield { kind: 'reached', time: Math.min(Math.max(at, time), end) };
    if (at >= end || at < time) return;
    if (!(await pause(Math.min(TICK_MS, end - at), signal))) return;
  }
}

/**
 * Hands over numbered records when they are due: record n of a run that starts at ordinal `offset` is due
 * `(n − offset) × everyMs` after the run began. Owns the pacing of injector/generator and injector/interval.
 *
 * Invariants
 *   - Each ordinal is handed over once and in order; after a restart the next one is due at once.
 *   - Nothing is skipped: when the pipeline does not keep up, what is overdue is handed over in chunks of at
 *     most 10,000 with the times at which it was due, and that time is never called idle (W6).
 *   - A wall clock that jumps back delays nothing: only its steps forward are counted.
 */
import type { SourceChunk } from '@millrace/engine';
import { type Wait, wait } from './wait.ts';

export const CHUNK_ORDINALS = 10_000;
/** At high rates, records of a few milliseconds go together. */
const SHORTEST_WAIT_MS = 5;
/** A shorter pause is not worth a message to the worker. */
const SHORTEST_IDLE_MS = 50;

export interface OrdinalSchedule {
  /** 0: as fast as they are taken. */
  readonly everyMs: number;
  /** How many ordinals there are in all; `undefined`: no end. */
  readonly count: number | undefined;
  readonly now: () => number;
  readonly wait?: Wait;
}

export async function* dueOrdinals(
  schedule: OrdinalSchedule,
  offset: number,
  signal: AbortSignal,
): AsyncGenerator<SourceChunk> {
  const { everyMs, now } = schedule;
  const count = schedule.count ?? Number.POSITIVE_INFINITY;
  const began = now();
  let next = offset;
  let elapsedMs = 0;
  let seen = began;
  while (!signal.aborted) {
    const at = now();
    elapsedMs += Math.max(0, at - seen);
    seen = at;
    if (next >= count) {
      yield { kind: 'ended' };
      return;
    }
    const dueBy = everyMs === 0 ? Number.POSITIVE_INFINITY : offset + Math.floor(elapsedMs / everyMs) + 1;
    const ready = Math.min(dueBy, count) - next;
    if (ready > 0) {
      const taken = Math.min(ready, CHUNK_ORDINALS);
      const time = everyMs === 0 ? at : began + (next - offset) * everyMs;
      yield { kind: 'ordinals', first: next, count: taken, time, everyMs };
      next += taken;
      continue;
    }
    const pauseMs = Math.max((next - offset) * everyMs - elapsedMs, SHORTEST_WAIT_MS);
    if (pauseMs >= SHORTEST_IDLE_MS) yield { kind: 'idle' };
    await (schedule.wait ?? wait)(pauseMs, signal);
  }
}

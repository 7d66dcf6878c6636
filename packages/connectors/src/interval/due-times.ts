/**
 * Hands over a record at each due moment of a calendar. Its ordinal is the minute it was due in, counted from 1970, so
 * that a mark says which moments are over.
 *
 * Invariants
 *   - No moment comes twice, also where the clock jumps back or the pipeline is started again.
 *   - Of moments that went by while nothing was read the last one comes, once, with the time at which it was due.
 */
import type { SourceChunk } from '@millrace/engine';
import { type Wait, wait } from '../shared/wait.ts';
import type { Cron } from './cron.ts';

const MINUTE_MS = 60_000;
/** So long a clock that is set anew may go unnoticed. */
const LONGEST_WAIT_MS = 30_000;
const SHORTEST_IDLE_MS = 50;

export interface DueTimes {
  readonly cron: Cron;
  readonly now: () => number;
  readonly wait?: Wait;
}

export async function* dueTimes(
  { cron, now, wait: pause = wait }: DueTimes,
  offset: number,
  signal: AbortSignal,
): AsyncGenerator<SourceChunk> {
  let after = offset === 0 ? now() - 1 : offset * MINUTE_MS - 1;
  while (!signal.aborted) {
    const due = lastMissed(cron, after, now());
    if (due === undefined) {
      yield { kind: 'ended' };
      return;
    }
    const left = due - now();
    if (left <= 0) {
      yield { kind: 'ordinals', first: Math.floor(due / MINUTE_MS), count: 1, time: due, everyMs: 0 };
      after = due;
      continue;
    }
    if (left >= SHORTEST_IDLE_MS) yield { kind: 'idle' };
    await pause(Math.min(left, LONGEST_WAIT_MS), signal);
  }
}

/** The next due moment, or of several that are over the last one. */
function lastMissed(cron: Cron, after: number, now: number): number | undefined {
  let due = cron.next(after);
  if (due === undefined || due > now) return due;
  // From near the present on: years of minutes are not gone through.
  for (let back = MINUTE_MS; now - back > due; back *= 2) {
    const later = cron.next(now - back);
    if (later !== undefined && later <= now) due = Math.max(due, later);
    if (due > now - back) break;
  }
  for (let next = cron.next(due); next !== undefined && next <= now; next = cron.next(due)) due = next;
  return due;
}

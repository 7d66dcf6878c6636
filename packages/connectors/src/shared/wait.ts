import { setTimeout as sleep } from 'node:timers/promises';

/** Waits, or returns `false` at once when the signal aborts. A port, so that tests own time. */
export type Wait = (ms: number, signal: AbortSignal) => Promise<boolean>;

export const wait: Wait = async (ms, signal) => {
  if (signal.aborted) return false;
  try {
    await sleep(ms, undefined, { signal });
    return true;
  } catch {
    return false;
  }
};

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

/** 100 ms, 200 ms, … 5 s. */
export function backOffMs(attempt: number): number {
  return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(attempt, 10));
}

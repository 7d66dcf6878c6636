/** Says when a timestamp was probably written in another unit than it is read in. */
import type { TimestampRule } from './event-time.ts';
import { isoOf } from './ingested.ts';

const YEAR_MS = 365.25 * 86_400_000;
/** So near to now is the time of nearly all data. */
const PLAUSIBLE_MS = 30 * YEAR_MS;

/**
 * `raw`: what the expression gave, read as `time`. A number that is a time of January 1970, and would be one of our
 * days in a larger unit, is in that unit. One that is too large needs no word: it lies in the future (W7).
 */
export function doubtedTime(
  raw: unknown,
  { time, unit, now }: { readonly time: number; readonly unit: TimestampRule['unit']; readonly now: number },
): string | undefined {
  if ((typeof raw !== 'number' && typeof raw !== 'bigint') || unit === 's') return undefined;
  const larger = unit === 'ms' ? SECONDS : MILLI_OR_SECONDS;
  const found = larger.find(({ factor }) => Math.abs(time * factor - now) < PLAUSIBLE_MS);
  if (found === undefined) return undefined;
  return `timestamp ${raw} is ${isoOf(time)} when it is read in ${unit}; in ${found.unit} it would be ${isoOf(time * found.factor)}: set the timestamp unit if that is what it is`;
}

const SECONDS = [{ factor: 1000, unit: 's' }] as const;
const MILLI_OR_SECONDS = [
  { factor: 1000, unit: 'ms' },
  { factor: 1_000_000, unit: 's' },
] as const;

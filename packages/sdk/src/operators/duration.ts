import type { Duration } from '../api.ts';

const UNIT_MS: ReadonlyMap<string, number> = new Map([
  ['ms', 1],
  ['s', 1_000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
]);

/** About 3,170 years: with it no window of a representable date leaves the safe integers. */
const LONGEST_MS = 100_000_000_000_000;

/**
 * Milliseconds of `250ms`, `10s`, `30m`, `2h`, `1d` or of a whole number of milliseconds.
 * `what` names the setting in the error.
 */
export function durationMs(duration: Duration, what: string): number {
  const ms = typeof duration === 'string' ? parse(duration) : duration;
  if (typeof ms !== 'number' || !Number.isInteger(ms) || Math.abs(ms) > LONGEST_MS) {
    throw new TypeError(
      `${what} is ${spell(duration)}, which is no duration: write a whole number and a unit, as in "250ms", "10s", "30m", "2h" or "1d", or whole milliseconds as a number.`,
    );
  }
  return ms + 0;
}

export function positiveMs(duration: Duration, what: string): number {
  const ms = durationMs(duration, what);
  if (ms <= 0) throw new RangeError(`${what} is ${spell(duration)}, but it must be longer than nothing.`);
  return ms;
}

export function nonNegativeMs(duration: Duration, what: string): number {
  const ms = durationMs(duration, what);
  if (ms < 0) throw new RangeError(`${what} is ${spell(duration)}, but it must not be negative.`);
  return ms;
}

function parse(text: string): number | undefined {
  const parts = /^(-?\d{1,15})(ms|s|m|h|d)$/.exec(text.trim());
  const unit = UNIT_MS.get(parts?.[2] ?? '');
  return unit === undefined ? undefined : Number(parts?.[1]) * unit;
}

function spell(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}

/** Durations as settings spell them: `250ms`, `10s`, `30m`, `2h`, `1d`. */
import { z } from 'zod';

const UNITS: readonly (readonly [string, number])[] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
  ['ms', 1],
];

export const DURATION_FORMS = '250ms, 10s, 30m, 2h or 1d';

/** Milliseconds, or undefined where the text is no duration. */
export function parseDuration(text: string): number | undefined {
  const found = /^(\d{1,15})(ms|s|m|h|d)$/.exec(text);
  if (found === null) return undefined;
  const unit = UNITS.find(([name]) => name === found[2]);
  const ms = Number(found[1]) * (unit?.[1] ?? Number.NaN);
  return Number.isSafeInteger(ms) ? ms : undefined;
}

/** The shortest exact spelling; `ms` is a non-negative integer. */
export function formatDuration(ms: number): string {
  if (ms === 0) return '0s';
  const [name, size] = UNITS.find(([, unit]) => ms % unit === 0) ?? ['ms', 1];
  return `${ms / size}${name}`;
}

/** The schema of a setting that is a duration. */
export function durationSetting(): z.ZodString {
  return z
    .string()
    .refine((text) => parseDuration(text) !== undefined, {
      message: `is not a duration; write for example ${DURATION_FORMS}`,
    })
    .meta({ form: 'duration' });
}

/** One that may point back in time: `-5m`. */
export function signedDurationSetting(): z.ZodString {
  return z
    .string()
    .refine((text) => parseDuration(text.replace(/^-/, '')) !== undefined, {
      message: `is not a duration; write for example ${DURATION_FORMS}, or one with a minus in front`,
    })
    .meta({ form: 'duration' });
}

/** Milliseconds, or undefined where the text is no duration. */
export function parseSignedDuration(text: string): number | undefined {
  const ms = parseDuration(text.replace(/^-/, ''));
  return ms !== undefined && text.startsWith('-') ? -ms : ms;
}

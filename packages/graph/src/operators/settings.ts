/** Settings that several operators have. */
import { z } from 'zod';
import { durationSetting, parseDuration } from '../durations.ts';

const MAX_EXPRESSION = 20_000;

/** The schema of a setting that is a TypeScript expression. `form` says how a page lets people fill in a setting. */
export function expressionSetting(): z.ZodString {
  return z
    .string()
    .trim()
    .min(1, 'is empty; write a TypeScript expression')
    .max(MAX_EXPRESSION)
    .meta({ form: 'expression' });
}

/** The length of a window, or of what is like one. */
export const length = (): z.ZodString =>
  durationSetting().refine((text) => parseDuration(text) !== 0, 'is nothing; it needs a length');

export const allowedLateness = (): z.ZodOptional<z.ZodString> =>
  durationSetting().optional().describe('How long after its end a window takes late records');

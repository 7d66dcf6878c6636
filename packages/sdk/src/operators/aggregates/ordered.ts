/** Values that an aggregate may compare with each other. */

import { spellCall, spellValue } from './aggregate-function.ts';

/** Numbers and bigints compare by value, strings by UTF-16 code units, dates by time. */
export type Ordered = number | bigint | string | Date;

export function familyOf(value: Ordered): 'number' | 'string' | 'date' {
  if (typeof value === 'string') return 'string';
  return typeof value === 'object' ? 'date' : 'number';
}

export function requireOrdered(value: unknown, kind: string, of: unknown): Ordered {
  if (typeof value === 'number') {
    if (Number.isFinite(value)) return value;
  } else if (typeof value === 'string' || typeof value === 'bigint') {
    return value;
  } else if (value instanceof Date && !Number.isNaN(value.getTime())) {
    // The record's date can be changed by whoever gave it; accumulators are values.
    return new Date(value);
  }
  throw new TypeError(
    `${spellCall(kind, of)} gave ${spellValue(value)} for this record; it must give a finite number, a bigint, a string or a valid Date. Filter such records out before, or give a default.`,
  );
}

import { spellCall, spellValue } from './aggregate-function.ts';

/** One NaN would spoil its whole window without a trace, so the record that brings it is refused (P8). */
export function requireNumeric(value: unknown, kind: string, of: unknown): number | bigint {
  if (typeof value === 'number' ? Number.isFinite(value) : typeof value === 'bigint') {
    return value as number | bigint;
  }
  throw new TypeError(
    `${spellCall(kind, of)} gave ${spellValue(value)} for this record; it must give a finite number or a bigint. Filter such records out before, or give a default.`,
  );
}

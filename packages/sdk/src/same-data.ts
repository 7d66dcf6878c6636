/** Equality and JSON form of record data: JSON values plus bigint, Date and bytes (model.md §1). */

/** Deep and exact: 1 and 1n differ, so do a Date and its text. Fields set to undefined count as left out. */
export function sameData(left: unknown, right: unknown): boolean {
  if (Object.is(left, right)) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (left instanceof Date || right instanceof Date) {
    return left instanceof Date && right instanceof Date && left.getTime() === right.getTime();
  }
  if (left instanceof Uint8Array || right instanceof Uint8Array) {
    return left instanceof Uint8Array && right instanceof Uint8Array && sameItems([...left], [...right]);
  }
  if (Array.isArray(left) || Array.isArray(right)) {
    return Array.isArray(left) && Array.isArray(right) && sameItems(left, right);
  }
  const a = fieldsOf(left);
  const b = fieldsOf(right);
  return a.size === b.size && [...a].every(([name, value]) => b.has(name) && sameData(value, b.get(name)));
}

/**
 * The value as a JSON sink would write it, so that data can be compared with a file: Date as ISO text, bytes
 * as base64, a bigint that is a safe integer as a number (both spell the same digits). Larger bigints stay.
 */
export function jsonForm(value: unknown): unknown {
  if (typeof value === 'bigint') {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : value;
  }
  if (Object.is(value, -0)) return 0;
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return base64(value);
  if (Array.isArray(value)) return value.map((item) => (item === undefined ? null : jsonForm(item)));
  return Object.fromEntries([...fieldsOf(value)].map(([name, each]) => [name, jsonForm(each)]));
}

/** As JSON, whole; bigints as digits. */
export const jsonText = (value: unknown): string => spellJson(jsonForm(value));

/** One line for a message; bigints as digits. */
export function spellData(value: unknown): string {
  const text = jsonText(value);
  return text.length > 500 ? `${text.slice(0, 500)}… (${text.length} characters)` : text;
}

function spellJson(value: unknown): string {
  if (typeof value === 'bigint') return value.toString();
  if (Array.isArray(value)) return `[${value.map(spellJson).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    return `{${Object.entries(value)
      .map(([name, each]) => `${JSON.stringify(name)}:${spellJson(each)}`)
      .join(',')}}`;
  }
  return typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? String(value));
}

function sameItems(left: readonly unknown[], right: readonly unknown[]): boolean {
  return left.length === right.length && left.every((item, i) => sameData(item, right[i]));
}

function fieldsOf(value: object): Map<string, unknown> {
  return new Map(Object.entries(value).filter(([, each]) => each !== undefined));
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

function base64(bytes: Uint8Array): string {
  let text = '';
  for (let i = 0; i < bytes.length; i += 3) {
    const left = bytes.length - i;
    const bits = ((bytes[i] ?? 0) << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
    text += DIGITS[bits >> 18]! + DIGITS[(bits >> 12) & 63]!;
    text += (left > 1 ? DIGITS[(bits >> 6) & 63]! : '=') + (left > 2 ? DIGITS[bits & 63]! : '=');
  }
  return text;
}

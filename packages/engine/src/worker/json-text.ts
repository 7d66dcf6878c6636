/**
 * Values as JSON text with the digits they have (sdk.md): bigint as plain digits, Date as ISO UTC, bytes as
 * base64, undefined fields left out. NaN and Infinity are errors that name their place.
 */
export function jsonText(value: unknown): string {
  try {
    return typeof value === 'object' && isPlain(value) ? JSON.stringify(value) : textOfValue(value);
  } catch (error) {
    // The place is looked for only now: spelling it on the way down would cost more than the text.
    throw error instanceof NoJson
      ? new RangeError(`value${placeOf(value, error.found)} ${error.message}`)
      : error;
  }
}

/** The engine's own printer, several times as fast, would print the same. */
function isPlain(value: unknown): boolean {
  switch (typeof value) {
    case 'number':
      return Number.isFinite(value);
    case 'object':
      break;
    case 'bigint':
    case 'function':
    case 'symbol':
      return false;
    default:
      return true;
  }
  if (value === null) return true;
  if (Array.isArray(value)) return value.every(isPlain);
  if (value instanceof Date || value instanceof Uint8Array) return false;
  for (const name in value) if (!isPlain((value as Record<string, unknown>)[name])) return false;
  return true;
}

class NoJson extends Error {
  readonly found: unknown;

  constructor(found: unknown, message: string) {
    super(message);
    this.found = found;
  }
}

function textOfValue(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value);
    case 'number':
      if (!Number.isFinite(value)) throw new NoJson(value, `is ${value}, which JSON cannot express`);
      return Object.is(value, -0) ? '0' : String(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'bigint':
      return value.toString();
    case 'undefined':
      return 'null';
    case 'object':
      return objectText(value);
    default:
      throw new NoJson(value, `is a ${typeof value}, which is not data`);
  }
}

function objectText(value: object | null): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return `[${value.map(textOfValue).join(',')}]`;
  if (value instanceof Date) {
    if (Number.isNaN(value.getTime())) throw new NoJson(value, 'is an invalid date');
    return `"${value.toISOString()}"`;
  }
  if (value instanceof Uint8Array) return `"${base64(value)}"`;
  let text = '{';
  for (const name of Object.keys(value)) {
    const item = (value as Record<string, unknown>)[name];
    if (item === undefined) continue;
    if (text.length > 1) text += ',';
    text += `${JSON.stringify(name)}:${textOfValue(item)}`;
  }
  return `${text}}`;
}

/** Spells the way from a value to something in it; `Object.is`, for NaN is what is looked for most. */
function placeOf(value: unknown, found: unknown): string {
  if (typeof value !== 'object' || value === null) return '';
  for (const [name, item] of Object.entries(value)) {
    const step = Array.isArray(value) ? `[${name}]` : `.${name}`;
    if (Object.is(item, found)) return step;
    const rest = placeOf(item, found);
    if (rest !== '') return step + rest;
  }
  return '';
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** RFC 4648, with padding. */
export function base64(bytes: Uint8Array): string {
  let text = '';
  for (let i = 0; i < bytes.length; i += 3) {
    const [a = 0, b = 0, c = 0] = bytes.subarray(i, i + 3);
    const left = bytes.length - i;
    text += DIGITS[a >> 2] as string;
    text += DIGITS[((a & 3) << 4) | (b >> 4)] as string;
    text += left > 1 ? (DIGITS[((b & 15) << 2) | (c >> 6)] as string) : '=';
    text += left > 2 ? (DIGITS[c & 63] as string) : '=';
  }
  return text;
}

/** A value as people are shown it, whatever it is. */
export function textOf(value: unknown, longest = 64 * 1024): string {
  try {
    return jsonText(value).slice(0, longest);
  } catch {
    return JSON.stringify(String(value)).slice(0, longest);
  }
}

/**
 * How a value lies in the document: a text, number, flag or null as itself, a list or object as its JSON text in
 * a list of one. Yjs' own objects lose a key `__proto__` on the wire, throw on a key `constructor` and nest as
 * deep as a hostile peer likes.
 */
import { parseJson, plainValue } from '@millrace/graph';

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

export type Stored = string | number | boolean | null | readonly [string];

/** UTF-16 units of one value. */
export const MAX_VALUE = 200_000;
const MAX_DEPTH = 60;

/** Undefined for what is no JSON: functions, NaN, bigint, too deep, too long. */
export function toStored(value: unknown): Stored | undefined {
  if (typeof value === 'string') return value.length > MAX_VALUE ? undefined : wellFormed(value);
  if (typeof value !== 'object' || value === null) return isPlain(value) ? value : undefined;
  const text = jsonText(value, MAX_DEPTH);
  return text === undefined || text.length > MAX_VALUE ? undefined : [text];
}

/** Undefined for anything `toStored` cannot have written. */
export function fromStored(stored: unknown): Json | undefined {
  if (typeof stored === 'string') return stored;
  if (isPlain(stored)) return stored;
  if (!Array.isArray(stored) || stored.length !== 1 || typeof stored[0] !== 'string') return undefined;
  if (stored[0].length > MAX_VALUE) return undefined;
  const { root, problems } = parseJson(stored[0]);
  if (root?.kind !== 'object' && root?.kind !== 'array') return undefined;
  const value = plainValue(root) as Json;
  // `1e999` parses to Infinity, an integer beyond 2^53 to its neighbour: the first is no JSON, the second is.
  return problems.length > 0 && jsonText(value, MAX_DEPTH) === undefined ? undefined : value;
}

export function isStored(value: unknown): value is Stored {
  return fromStored(value) !== undefined;
}

export function sameStored(a: Stored | undefined, b: Stored | undefined): boolean {
  return Array.isArray(a) && Array.isArray(b) ? a[0] === b[0] : a === b;
}

/** Half a surrogate pair would arrive as another character than it was sent. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd');
}

function isPlain(value: unknown): value is number | boolean | null {
  return (
    value === null || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))
  );
}

/** JSON with sorted keys, so that equal values are equal texts. */
function jsonText(value: unknown, depth: number): string | undefined {
  if (typeof value === 'string') return JSON.stringify(wellFormed(value));
  if (isPlain(value)) return JSON.stringify(value);
  if (typeof value !== 'object' || value === null || depth === 0) return undefined;
  if (Array.isArray(value)) {
    const items = value.map((item) => jsonText(item, depth - 1));
    return items.includes(undefined) ? undefined : `[${items.join(',')}]`;
  }
  const parts: string[] = [];
  for (const [key, member] of Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (member === undefined) continue;
    const text = jsonText(member, depth - 1);
    if (text === undefined) return undefined;
    parts.push(`${JSON.stringify(wellFormed(key))}:${text}`);
  }
  return `{${parts.join(',')}}`;
}

/** Opaque cursors of lists: the sort key of the last item. A forged one is at worst another place in the list. */
import { Problem } from './problem.ts';

export type CursorKey = readonly (string | number)[];

export const encodeCursor = (key: CursorKey): string =>
  Buffer.from(JSON.stringify(key)).toString('base64url');

/** `shape` says of each part what it must be: `['number', 'string']`. Numbers are those of rows: whole ones. */
export function decodeCursor<const S extends readonly ('string' | 'number')[]>(
  cursor: string | undefined,
  shape: S,
): { [I in keyof S]: S[I] extends 'string' ? string : number } | undefined {
  if (cursor === undefined) return undefined;
  const key = readJson(Buffer.from(cursor, 'base64url').toString('utf8'));
  const fits =
    Array.isArray(key) && key.length === shape.length && key.every((part, i) => fitsShape(part, shape[i]));
  if (!fits) throw new Problem(400, 'bad-cursor', 'The cursor is not one this list gave. Start without one.');
  return key as never;
}

/** Also nothing that the database would choke on. */
const fitsShape = (part: unknown, shape: unknown): boolean =>
  typeof part === shape && (typeof part === 'string' ? !part.includes('\0') : Number.isSafeInteger(part));

/** A page from rows read with `limit + 1`: the extra one only tells that there are more. */
export function pageFrom<T>(rows: readonly T[], limit: number, keyOf: (item: T) => CursorKey) {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, next: rows.length > limit && last !== undefined ? encodeCursor(keyOf(last)) : null };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

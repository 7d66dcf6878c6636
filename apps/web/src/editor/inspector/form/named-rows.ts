/** Editing an object whose keys people choose: columns, headers, aggregates. Order and other entries stay. */

export type Rows = Readonly<Record<string, unknown>>;

export function rowsOf(value: unknown): readonly (readonly [name: string, value: unknown])[] {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
}

export function withRow(value: unknown, name: string, content: unknown): Rows {
  return Object.fromEntries(rowsOf(value).map(([key, old]) => [key, key === name ? content : old]));
}

export function withoutRow(value: unknown, name: string): Rows | undefined {
  const left = rowsOf(value).filter(([key]) => key !== name);
  return left.length === 0 ? undefined : Object.fromEntries(left);
}

/** A name that is taken, empty or `__proto__` changes nothing. */
export function renamedRow(value: unknown, name: string, next: string): Rows {
  const rows = rowsOf(value);
  const isFree = next !== '' && next !== '__proto__' && rows.every(([key]) => key !== next);
  return Object.fromEntries(rows.map(([key, old]) => [key === name && isFree ? next : key, old]));
}

export function addedRow(value: unknown, base: string, content: unknown): Rows {
  const names = new Set(rowsOf(value).map(([key]) => key));
  let name = base;
  for (let n = 2; names.has(name); n++) name = `${base}${n}`;
  return Object.fromEntries([...rowsOf(value), [name, content]]);
}

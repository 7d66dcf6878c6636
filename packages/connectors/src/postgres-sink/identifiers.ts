/** Names in SQL. Browser-safe. */

export const COLUMN_TYPES = [
  'text',
  'bigint',
  'numeric',
  'double precision',
  'boolean',
  'timestamptz',
  'jsonb',
] as const;

export type ColumnType = (typeof COLUMN_TYPES)[number];

export const DEFAULT_SCHEMA = 'data';

export type ParsedTable =
  | { readonly kind: 'table'; readonly schema: string; readonly table: string }
  | { readonly kind: 'refused'; readonly reason: string };

/**
 * `table` or `schema.table`, each part plain or in double quotes, case kept as written. Millrace's own schema
 * and those of Postgres are refused here and, where the role exists, by the database again.
 */
export function parseTable(text: string): ParsedTable {
  const parts = partsOf(text);
  if (parts === undefined || parts.length > 2) {
    return refused('is not of the form table or schema.table; put names that hold a dot in double quotes');
  }
  const [schema, table] = parts.length === 2 ? parts : [DEFAULT_SCHEMA, parts[0]];
  if (!schema || !table) return refused('holds an empty name');
  for (const name of [schema, table]) {
    if (name.includes('\0')) return refused('holds a zero byte');
    if (new TextEncoder().encode(name).length > 63) {
      return refused(`"${name}" is longer than the 63 bytes that Postgres keeps`);
    }
  }
  const lower = schema.toLowerCase();
  if (lower === 'millrace') return refused('lies in the schema "millrace", which is for Millrace itself');
  if (lower.startsWith('pg_') || lower === 'information_schema') {
    return refused(`lies in the schema "${schema}", which is for Postgres itself`);
  }
  return { kind: 'table', schema, table };
}

export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

export function quoteText(text: string): string {
  const quoted = `'${text.replaceAll("'", "''")}'`;
  // Where a backslash is in it, say so, whatever `standard_conforming_strings` is.
  return text.includes('\\') ? `E${quoted.replaceAll('\\', '\\\\')}` : quoted;
}

function refused(reason: string): ParsedTable {
  return { kind: 'refused', reason };
}

function partsOf(text: string): string[] | undefined {
  const parts: string[] = [];
  const part = /(?:"((?:[^"]|"")*)"|([^".]*))(\.|$)/y;
  for (;;) {
    const found = part.exec(text);
    if (found === null) return undefined;
    parts.push(found[1]?.replaceAll('""', '"') ?? found[2] ?? '');
    if (found[3] === '') return parts;
  }
}

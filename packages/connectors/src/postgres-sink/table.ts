/** Makes the table where it is not there, and otherwise checks that it is what the settings ask for. */
import type { SqlClient } from '@millrace/engine';
import { quoteIdentifier } from './identifiers.ts';
import type { Target } from './target.ts';

/** The table is there, but it is another one; `reason` lists what is asked for and what was found. */
export class TableMismatchError extends Error {
  readonly code = 'table-mismatch';

  constructor(target: Target, faults: readonly string[]) {
    super(`the table ${target.sqlName} is not what the settings ask for: ${faults.join('; ')}.`);
    this.name = 'TableMismatchError';
  }
}

export async function ensureTable(sql: SqlClient, target: Target): Promise<void> {
  // Two sinks that start together must not both find it missing.
  await sql.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `millrace table ${target.sqlName}`,
  ]);
  const found = await sql.query(
    `select c.oid::text as oid, c.relkind from pg_class c join pg_namespace s on s.oid = c.relnamespace
     where s.nspname = $1 and c.relname = $2`,
    [target.schema, target.table],
  );
  const [table] = found.rows;
  if (table === undefined) {
    await sql.query(createStatement(target));
    return;
  }
  const faults = await faultsOf(sql, target, String(table.oid), String(table.relkind));
  if (faults.length > 0) throw new TableMismatchError(target, faults);
}

export function createStatement(target: Target): string {
  const columns = target.columns.map((column) => {
    const required = target.key.includes(column) ? ' not null' : '';
    return `  ${quoteIdentifier(column.name)} ${column.type}${required}`;
  });
  if (target.key.length > 0) {
    columns.push(`  primary key (${target.key.map(({ name }) => quoteIdentifier(name)).join(', ')})`);
  }
  return `create table ${target.sqlName} (\n${columns.join(',\n')}\n)`;
}

const TABLE_KINDS: Readonly<Record<string, string>> = {
  v: 'a view',
  m: 'a materialized view',
  i: 'an index',
  S: 'a sequence',
  c: 'a type',
};

async function faultsOf(sql: SqlClient, target: Target, oid: string, kind: string): Promise<string[]> {
  const other = TABLE_KINDS[kind];
  if (other !== undefined) return [`it is ${other}`];
  const { rows } = await sql.query(
    `select attname as name, format_type(atttypid, null) as type, attnotnull as required,
            (atthasdef or attidentity <> '') as filled, attgenerated <> '' as generated
     from pg_attribute where attrelid = $1::oid and attnum > 0 and not attisdropped order by attnum`,
    [oid],
  );
  const there = new Map(rows.map((row) => [String(row.name), row]));
  const faults: string[] = [];
  for (const column of target.columns) {
    const row = there.get(column.name);
    if (row === undefined) faults.push(`column "${column.name}" (${column.type}) is missing`);
    else if (!takes(String(row.type), column.type)) {
      faults.push(`column "${column.name}" is asked for as ${column.type} but is ${row.type}`);
    } else if (row.generated === true) faults.push(`column "${column.name}" is generated`);
    else if (target.key.includes(column) && row.required !== true) {
      faults.push(`column "${column.name}" of the key may be null`);
    }
  }
  for (const [name, row] of there) {
    if (target.columns.some((column) => column.name === name)) continue;
    if (row.required === true && row.filled !== true) {
      faults.push(`column "${name}" (${row.type}) must have a value but is not among the settings' columns`);
    }
  }
  if (target.key.length > 0 && faults.length === 0 && !(await hasUniqueKey(sql, target, oid))) {
    const key = target.key.map(({ name }) => `"${name}"`).join(', ');
    faults.push(`upsert needs a primary key or unique index on exactly (${key}), and there is none`);
  }
  return faults;
}

/** How Postgres spells the types of the settings, and the near ones that take the same content. */
const SPELLINGS: Readonly<Record<string, readonly string[]>> = {
  text: ['text', 'character varying'],
  timestamptz: ['timestamp with time zone'],
  jsonb: ['jsonb'],
};

function takes(found: string, asked: string): boolean {
  return (SPELLINGS[asked] ?? [asked]).includes(found);
}

async function hasUniqueKey(sql: SqlClient, target: Target, oid: string): Promise<boolean> {
  const { rows } = await sql.query(
    `select array_to_json(array(
       select a.attname::text from unnest(i.indkey::int2[]) with ordinality as k (attnum, place)
       join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum
       where k.place <= i.indnkeyatts
     ))::text as names
     from pg_index i
     where i.indrelid = $1::oid and i.indisunique and i.indisvalid and i.indimmediate
       and i.indpred is null and i.indexprs is null`,
    [oid],
  );
  const asked = target.key.map(({ name }) => name).sort();
  return rows.some((row) => {
    const names = (JSON.parse(String(row.names)) as string[]).sort();
    return names.length === asked.length && names.every((name, i) => name === asked[i]);
  });
}

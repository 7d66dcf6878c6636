/**
 * The statement that writes a batch, and its one parameter. Pure.
 *
 * The rows travel as one JSON array of `[row]`, or `[row, id]` where a column wants the record's id, made of the
 * bytes the egress stage wrote: they are neither decoded nor printed here, so digits beyond 2^53 arrive as they
 * are. Postgres takes them apart and casts them
 * column by column; what a cast refuses is the row's fault, and `write-rows.ts` finds the row.
 */
import type { SinkRow } from '@millrace/engine';
import { type ColumnType, quoteIdentifier, quoteText } from './identifiers.ts';
import type { Column, Target } from './target.ts';

export function insertStatement(target: Target): string {
  const names = target.columns.map(({ name }) => quoteIdentifier(name)).join(', ');
  // Inside the statement columns go by number: their own names may be `n`, too.
  const cells = target.columns.map((_, i) => `c${i}`).join(', ');
  const cast = target.columns.map((column, i) => `${cellOf(column)} as c${i}`).join(', ');
  const id = wantsId(target) ? ', item ->> 1 as id' : '';
  const rows = `with items as materialized (
  select n, (item -> 0)::jsonb as line${id}
  from json_array_elements($1::json) with ordinality as batch (item, n)
), cells as materialized (
  select n, ${cast} from items
)
insert into ${target.sqlName} (${names})`;
  if (target.key.length === 0) return `${rows}\nselect ${cells} from cells order by n`;
  const key = target.key.map((column) => `c${target.columns.indexOf(column)}`).join(', ');
  // One statement cannot touch a row twice: the last of a key stands for the batch.
  return `${rows}
select ${cells} from (select distinct on (${key}) * from cells order by ${key}, n desc) as latest order by n
on conflict (${target.key.map(({ name }) => quoteIdentifier(name)).join(', ')}) do ${updateOf(target)}`;
}

export function batchParameter(target: Target, rows: readonly SinkRow[]): Buffer {
  const withId = wantsId(target);
  const pieces: Uint8Array[] = [FIRST];
  for (const row of rows) {
    if (pieces.length > 1) pieces.push(NEXT);
    pieces.push(row.bytes);
    if (withId) pieces.push(Buffer.from(`,${JSON.stringify(row.recordId)}`));
  }
  pieces.push(LAST);
  return Buffer.concat(pieces);
}

const FIRST = Buffer.from('[[');
const NEXT = Buffer.from('],[');
const LAST = Buffer.from(']]');

/** An id is taken apart only where it is asked for: one with a U+0000 would refuse its row. */
function wantsId(target: Target): boolean {
  return target.columns.some(({ from }) => from === 'id');
}

function updateOf(target: Target): string {
  const rest = target.columns.filter((column) => !target.key.includes(column));
  if (rest.length === 0) return 'nothing';
  const sets = rest.map(({ name }) => `${quoteIdentifier(name)} = excluded.${quoteIdentifier(name)}`);
  return `update set ${sets.join(', ')}`;
}

function cellOf({ from, type }: Column): string {
  if (from === 'id') return CASTS[type]('id', 'to_jsonb(id)');
  const path = pathOf(from);
  return CASTS[type](`line #>> ${path}`, `line #> ${path}`);
}

/** A place in the record as Postgres wants it. */
export function pathOf(from: string): string {
  return `array[${from.split('.').map(quoteText).join(', ')}]::text[]`;
}

type Cast = (text: string, json: string) => string;

const plain =
  (type: ColumnType): Cast =>
  (text) =>
    `(${text})::${type}`;

const CASTS: Readonly<Record<ColumnType, Cast>> = {
  text: (text) => `(${text})`,
  bigint: plain('bigint'),
  numeric: plain('numeric'),
  'double precision': plain('double precision'),
  boolean: plain('boolean'),
  // Milliseconds are added as an interval: `to_timestamp` would take them through a double of seconds.
  timestamptz: (text, json) =>
    `case jsonb_typeof(${json}) when 'number' then timestamptz 'epoch' + (${text})::double precision * interval '1 millisecond' else (${text})::timestamptz end`,
  jsonb: (_text, json) => `(${json})`,
};

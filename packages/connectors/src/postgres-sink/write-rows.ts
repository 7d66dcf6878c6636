/**
 * Writes rows inside a transaction that somebody else opened and will commit.
 *
 * `writeRows` is one statement and fails as a whole. `findRefused` is for after that: it bisects under
 * savepoints and returns the rows the target refuses for their content; its transaction is then rolled back and
 * the others are written by `writeRows`. Two transactions, because the mark, the dead letters and the good rows
 * must be one commit, and who is a dead letter is known only at the end of the search.
 */
import type { SinkDeadLetter, SinkRow, SqlClient } from '@millrace/engine';
import { describeSqlError, troubleOf } from './sql-errors.ts';
import { batchParameter, insertStatement } from './statement.ts';
import type { Target } from './target.ts';

const LOCK_TIMEOUT = '10s';
const STATEMENT_TIMEOUT = '60s';
const STATEMENT_BYTES = 16 * 1024 * 1024;

export async function writeRows(sql: SqlClient, target: Target, rows: readonly SinkRow[]): Promise<void> {
  if (rows.length === 0) return;
  await limit(sql);
  for (const part of slices(rows)) await sql.query(insertStatement(target), [batchParameter(target, part)]);
  await sql.query('set constraints all immediate');
}

export async function findRefused(
  sql: SqlClient,
  target: Target,
  rows: readonly SinkRow[],
): Promise<readonly SinkDeadLetter[]> {
  await limit(sql);
  await sql.query('set constraints all immediate');
  const refused: SinkDeadLetter[] = [];
  const search = async (part: readonly SinkRow[]): Promise<void> => {
    const error = await attempt(sql, target, part);
    if (error === undefined) return;
    const [row] = part;
    if (part.length === 1 && row !== undefined) {
      refused.push({ row, error: describeSqlError(error) });
      return;
    }
    const middle = part.length >> 1;
    await search(part.slice(0, middle));
    await search(part.slice(middle));
  };
  for (const part of slices(rows)) await search(part);
  return refused;
}

/** Postgres holds a parameter several times over while it takes it apart. */
function* slices(rows: readonly SinkRow[]): Generator<readonly SinkRow[]> {
  let from = 0;
  let bytes = 0;
  for (const [i, row] of rows.entries()) {
    if (i > from && bytes + row.bytes.length > STATEMENT_BYTES) {
      yield rows.slice(from, i);
      from = i;
      bytes = 0;
    }
    bytes += row.bytes.length;
  }
  if (from < rows.length) yield rows.slice(from);
}

/** Timestamps without a zone are UTC here, whatever the server's setting. */
async function limit(sql: SqlClient): Promise<void> {
  await sql.query(
    `select set_config('lock_timeout', '${LOCK_TIMEOUT}', true), set_config('statement_timeout', '${STATEMENT_TIMEOUT}', true), set_config('TimeZone', 'UTC', true)`,
  );
}

/** The content error of these rows, undefined when they went in; anything else is thrown. */
async function attempt(sql: SqlClient, target: Target, rows: readonly SinkRow[]): Promise<unknown> {
  await sql.query('savepoint millrace_rows');
  try {
    await sql.query(insertStatement(target), [batchParameter(target, rows)]);
    await sql.query('release savepoint millrace_rows');
    return undefined;
  } catch (error) {
    if (troubleOf(error) !== 'content') throw error;
    await sql.query('rollback to savepoint millrace_rows');
    return error;
  }
}

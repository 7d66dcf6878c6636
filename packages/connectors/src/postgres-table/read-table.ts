/**
 * One reading of a table: all rows as they were at one moment, as lines of JSON, a piece at a time.
 *
 * A reading that is not taken for a minute, of a pipeline that is paused, ends: it would keep Postgres from cleaning up.
 */
import type { SqlConnection } from '@millrace/engine';
import { parseTable, quoteIdentifier } from '../postgres-sink/identifiers.ts';

const ROWS = 500;
const PIECE_CHARACTERS = 256 * 1024;

export function selectStatement(table: string, columns: readonly string[] | undefined): string {
  const parsed = parseTable(table);
  if (parsed.kind === 'refused') throw new Error(`table ${parsed.reason}`);
  const what = columns === undefined ? '*' : columns.map(quoteIdentifier).join(', ');
  const name = `${quoteIdentifier(parsed.schema)}.${quoteIdentifier(parsed.table)}`;
  return `select pg_catalog.row_to_json(millrace_row)::text as line from (select ${what} from ${name}) as millrace_row`;
}

export async function* readTable(
  open: () => Promise<SqlConnection>,
  statement: string,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const connection = await open();
  const stop = (): void => void connection.close();
  signal.addEventListener('abort', stop, { once: true });
  try {
    if (signal.aborted) return;
    await connection.query("set idle_in_transaction_session_timeout = '60s'");
    // Rows that stay the same are to come in the same order, whoever else reads the table.
    await connection.query('set synchronize_seqscans = off');
    await connection.query('begin transaction isolation level repeatable read read only');
    await connection.query(`declare millrace_rows no scroll cursor for ${statement}`);
    for (;;) {
      const { rows } = await connection.query(`fetch ${ROWS} from millrace_rows`);
      if (rows.length === 0) return;
      yield* piecesOf(rows);
    }
  } finally {
    signal.removeEventListener('abort', stop);
    await connection.close();
  }
}

/** A column of type json keeps the line breaks it was written with; between its parts they mean nothing. */
const lineOf = (row: Record<string, unknown>): string => `${String(row.line).replace(/[\r\n]+/g, ' ')}\n`;

function* piecesOf(rows: readonly Record<string, unknown>[]): Generator<Uint8Array> {
  let piece = '';
  for (const row of rows) {
    piece += lineOf(row);
    if (piece.length < PIECE_CHARACTERS) continue;
    yield Buffer.from(piece);
    piece = '';
  }
  if (piece !== '') yield Buffer.from(piece);
}

/** `millrace_marks` in somebody else's database: one row per sink, how far its rows are in. */
import type { SqlClient } from '@millrace/engine';
import { quoteIdentifier } from './identifiers.ts';

/** Another run of the same sink, started anew, has taken its place. */
export class MarkTakenError extends Error {
  readonly code = 'mark-taken';

  constructor(table: string) {
    super(`the mark in ${table} belongs to a newer run of this sink; this one has to stop`);
    this.name = 'MarkTakenError';
  }
}

export class MarkTable {
  readonly sqlName: string;
  readonly #sink: readonly [pipeline: string, node: string];

  constructor(schema: string, pipeline: string, node: string) {
    this.sqlName = `${quoteIdentifier(schema)}."millrace_marks"`;
    this.#sink = [pipeline, node];
  }

  /** Gives the sink's row to this incarnation, at `through`, unless it has it already. Returns where it stands. */
  async begin(sql: SqlClient, incarnation: string, through: number): Promise<number> {
    const { rows } = await sql.query(
      `insert into ${this.sqlName} as m (pipeline, node, incarnation, through) values ($1, $2, $3, $4)
       on conflict (pipeline, node) do update set
         through = case when m.incarnation = excluded.incarnation then m.through else excluded.through end,
         incarnation = excluded.incarnation
       returning through::text`,
      [...this.#sink, incarnation, through],
    );
    return Number(rows[0]?.through ?? through);
  }

  /** Locks the row to the end of the transaction, so that two hosts cannot both find a row missing. */
  async lock(sql: SqlClient, incarnation: string): Promise<number> {
    const { rows } = await sql.query(
      `select incarnation, through::text from ${this.sqlName} where pipeline = $1 and node = $2 for update`,
      this.#sink,
    );
    const [row] = rows;
    if (row?.incarnation !== incarnation) throw new MarkTakenError(this.sqlName);
    return Number(row.through);
  }

  async advance(sql: SqlClient, through: number): Promise<void> {
    await sql.query(`update ${this.sqlName} set through = $3 where pipeline = $1 and node = $2`, [
      ...this.#sink,
      through,
    ]);
  }
}

export async function ensureMarkTable(sql: SqlClient, marks: MarkTable): Promise<void> {
  await sql.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `millrace table ${marks.sqlName}`,
  ]);
  const { rows } = await sql.query('select to_regclass($1)::text as found', [marks.sqlName]);
  if (rows[0]?.found == null) {
    await sql.query(
      `create table ${marks.sqlName} (
         pipeline text not null, node text not null, incarnation text not null, through bigint not null,
         primary key (pipeline, node)
       )`,
    );
  }
  await sql.query(`select pipeline, node, incarnation, through from ${marks.sqlName} where false for update`);
}

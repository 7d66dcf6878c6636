/**
 * sink/postgres in another database: our mark table there, `millrace_marks` beside the target table, takes the
 * mark in the same transaction as the rows. Exactly once (P7).
 *
 * The mark there decides what is in the table; ours follows, and carries the incarnation that both must name:
 * it is minted when a sink starts new, so that after `--fresh` an old mark there does not swallow the new rows.
 * A host that lost its lease may still write here, but only rows of the same log, behind the same locked mark:
 * each row goes in once, whoever brings it.
 *
 * Where the mark table cannot be made, an upsert by the record's id (or by any key) writes a repeated row onto
 * itself; else rows are written at least once. The sink says which when it opens.
 */
import { randomUUID } from 'node:crypto';
import type { OpenSink, SinkBatch, SinkContext, SinkDeadLetter, SqlClient } from '@millrace/engine';
import { ConnectorError, errorCode } from '../shared/connector-error.ts';
import { say } from '../shared/logging.ts';
import { AbsentPaths } from './absent-paths.ts';
import { Connection } from './connection.ts';
import { ensureMarkTable, MarkTable } from './mark-table.ts';
import { retryWhileAway } from './retry.ts';
import { setAsideRefused } from './set-aside-refused.ts';
import { describeSqlError, isSqlState, troubleOf } from './sql-errors.ts';
import { ensureTable } from './table.ts';
import type { Target } from './target.ts';
import { findRefused, writeRows } from './write-rows.ts';

export type Guarantee = 'exactly-once' | 'repeats-harmless' | 'at-least-once';

export async function openInOtherDatabase(
  context: SinkContext,
  target: Target,
  url: string,
): Promise<OpenSink & { readonly guarantee: Guarantee }> {
  const connection = new Connection(url, context.walls);
  try {
    const { through, incarnation } = await ourMark(context);
    await connection.transaction((sql) => ensureTable(sql, target));
    const marks = await openMarks(connection, context, target);
    const sink = new OtherDatabaseSink({ context, target, connection, marks, incarnation }, through);
    if (marks === undefined) say(context, `${WITHOUT_MARKS} ${MEANINGS[sink.guarantee]}`);
    else await sink.meet(marks);
    return sink;
  } catch (error) {
    await connection.close();
    throw error;
  }
}

const WITHOUT_MARKS = 'the mark table millrace_marks cannot be made in the target database, so';

const MEANINGS: Readonly<Record<Guarantee, string>> = {
  'exactly-once': 'each row is written once.',
  'repeats-harmless': 'after a crash some rows are written again, onto themselves.',
  'at-least-once': 'after a crash some rows may be there twice (at least once).',
};

interface Parts {
  readonly context: SinkContext;
  readonly target: Target;
  readonly connection: Connection;
  readonly marks: MarkTable | undefined;
  readonly incarnation: string;
}

class OtherDatabaseSink implements OpenSink {
  readonly guarantee: Guarantee;
  readonly #parts: Parts;
  readonly #paths: AbsentPaths;
  #through: number;

  constructor(parts: Parts, through: number) {
    this.#parts = parts;
    this.#paths = new AbsentPaths(parts.context, parts.target);
    this.#through = through;
    if (parts.marks !== undefined) this.guarantee = 'exactly-once';
    else this.guarantee = parts.target.key.length > 0 ? 'repeats-harmless' : 'at-least-once';
  }

  get through(): number {
    return this.#through;
  }

  /** Takes up what was committed there and not yet here, or gives a new incarnation its place. */
  async meet(marks: MarkTable): Promise<void> {
    const { context, connection, incarnation } = this.#parts;
    const there = await connection.transaction((sql) => marks.begin(sql, incarnation, this.#through));
    if (there <= this.#through) return;
    await context.commit({ through: there, detail: { incarnation } }, []);
    this.#through = there;
  }

  async deliver(batch: SinkBatch, signal: AbortSignal): Promise<{ readonly rejected: number }> {
    if (batch.through <= this.#through) return { rejected: 0 };
    const { context, incarnation } = this.#parts;
    const fresh = { ...batch, rows: batch.rows.filter((row) => row.position > this.#through) };
    const deadLetters = await retryWhileAway(context, signal, () => this.#writeThere(fresh));
    const mark = { through: batch.through, detail: { incarnation } };
    await retryWhileAway(context, signal, () => context.commit(mark, deadLetters));
    this.#through = batch.through;
    return { rejected: deadLetters.length };
  }

  async close(): Promise<void> {
    await this.#parts.connection.close();
  }

  /**
   * A kill after the rows are in and before ours is committed would lose the dead letters; so these are
   * committed here first. Where that repeats one, it is the same one: row and node name it.
   */
  async #writeThere(batch: SinkBatch): Promise<readonly SinkDeadLetter[]> {
    const { context, connection, target, incarnation } = this.#parts;
    const unmoved = { through: this.#through, detail: { incarnation } };
    return setAsideRefused(batch.rows, {
      write: async (good, refused) => {
        if (refused.length > 0) await context.commit(unmoved, refused);
        await connection.transaction((sql) => this.#writeWithMark(sql, batch.through, good));
      },
      search: (good) => connection.rolledBack((sql) => findRefused(sql, target, good)),
    });
  }

  async #writeWithMark(
    sql: SqlClient,
    through: number,
    rows: readonly SinkBatch['rows'][number][],
  ): Promise<void> {
    const { marks, target, incarnation } = this.#parts;
    await this.#paths.look(sql, rows);
    if (marks === undefined) return writeRows(sql, target, rows);
    const there = await marks.lock(sql, incarnation);
    await writeRows(
      sql,
      target,
      rows.filter((row) => row.position > there),
    );
    if (through > there) await marks.advance(sql, through);
  }
}

/** Our side of the mark; a sink that starts new mints its incarnation, and commits it before anything there. */
async function ourMark(context: SinkContext): Promise<{ through: number; incarnation: string }> {
  const mark = await context.mark();
  const known = mark?.detail.incarnation;
  if (mark !== undefined && typeof known === 'string') return { through: mark.through, incarnation: known };
  const incarnation = randomUUID();
  const through = mark?.through ?? 0;
  await context.commit({ through, detail: { incarnation } }, []);
  return { through, incarnation };
}

async function openMarks(
  connection: Connection,
  context: SinkContext,
  target: Target,
): Promise<MarkTable | undefined> {
  const marks = new MarkTable(target.schema, context.pipelineId, context.nodeId);
  try {
    await connection.transaction((sql) => ensureMarkTable(sql, marks));
    return marks;
  } catch (error) {
    if (errorCode(error) === '42501') return undefined;
    if (!isSqlState(errorCode(error)) || troubleOf(error) === 'away') throw error;
    throw new ConnectorError({
      code: 'marks',
      node: context.nodeName,
      tried: `use its mark table ${marks.sqlName}`,
      reason: `${describeSqlError(error)}.`,
      remedy:
        'If that table is not ours, give this sink another schema; else drop it when nothing writes there.',
      cause: error,
    });
  }
}

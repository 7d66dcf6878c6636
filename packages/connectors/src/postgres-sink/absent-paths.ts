/**
 * Tells, once, of columns whose place in the records is never there: a misspelt path would fill a column with nulls
 * without a word. A field that some records leave out is no mistake, so a path is absent only when none of the first
 * records has it.
 */
import type { SinkContext, SinkRow, SqlClient } from '@millrace/engine';
import { say } from '../shared/logging.ts';
import { batchParameter, pathOf } from './statement.ts';
import type { Column, Target } from './target.ts';

const LOOKED_AT = 25;

export class AbsentPaths {
  readonly #context: SinkContext;
  readonly #target: Target;
  #suspects: readonly Column[];
  #seen = 0;

  constructor(context: SinkContext, target: Target) {
    this.#context = context;
    this.#target = target;
    // Key, timestamp and id are always there, and a pane only behind a window.
    this.#suspects = target.columns.filter(({ from }) => from.startsWith('value.'));
  }

  /** Inside a sink's transaction, before its rows are written. Throws for content that the rows would be refused for. */
  async look(sql: SqlClient, rows: readonly SinkRow[]): Promise<void> {
    const sample = rows.slice(0, LOOKED_AT);
    if (this.#suspects.length === 0 || sample.length === 0) return;
    const found = this.#suspects.map(
      ({ from }, i) => `coalesce(bool_or(line #> ${pathOf(from)} is not null), false) as c${i}`,
    );
    const { rows: answers } = await sql.query(
      `select ${found.join(', ')} from (select (item -> 0)::jsonb as line from json_array_elements($1::json) as batch (item)) as lines`,
      [batchParameter(this.#target, sample)],
    );
    this.#suspects = this.#suspects.filter((_, i) => answers[0]?.[`c${i}`] !== true);
    this.#seen += sample.length;
    if (this.#seen >= LOOKED_AT) this.#tell();
  }

  #tell(): void {
    for (const { name, from } of this.#suspects) {
      say(
        this.#context,
        `none of the first ${this.#seen} records has ${from}, so column "${name}" is null in them; correct its "from" if that is a mistake.`,
      );
    }
    this.#suspects = [];
  }
}

/**
 * sink/postgres in the database Millrace itself uses: rows, mark and dead letters in one transaction under the
 * host's lease (P7). Exactly once.
 */
import type { OpenSink, SinkBatch, SinkContext, SinkDeadLetter } from '@millrace/engine';
import { AbsentPaths } from './absent-paths.ts';
import { retryWhileAway } from './retry.ts';
import { setAsideRefused } from './set-aside-refused.ts';
import { ensureTable } from './table.ts';
import type { Target } from './target.ts';
import { findRefused, writeRows } from './write-rows.ts';

export async function openInOwnDatabase(context: SinkContext, target: Target): Promise<OpenSink> {
  const mark = (await context.mark()) ?? { through: 0, detail: {} };
  await context.commit(mark, [], (sql) => ensureTable(sql, target));
  const paths = new AbsentPaths(context, target);
  let through = mark.through;
  return {
    get through() {
      return through;
    },
    async deliver(batch, signal) {
      if (batch.through <= through) return { rejected: 0 };
      const fresh = { ...batch, rows: batch.rows.filter((row) => row.position > through) };
      const rejected = await retryWhileAway(context, signal, async (attempt) => {
        // The connection may have been lost behind a commit that succeeded.
        const known = attempt === 0 ? undefined : await context.mark();
        return known !== undefined && known.through >= batch.through
          ? 0
          : deliverOnce({ context, target, paths }, fresh);
      });
      through = batch.through;
      return { rejected };
    },
    close: async () => {},
  };
}

interface Parts {
  readonly context: SinkContext;
  readonly target: Target;
  readonly paths: AbsentPaths;
}

async function deliverOnce({ context, target, paths }: Parts, batch: SinkBatch): Promise<number> {
  const mark = { through: batch.through, detail: {} };
  const deadLetters = await setAsideRefused(batch.rows, {
    write: (good, refused) =>
      context.commit(mark, refused, async (sql) => {
        await paths.look(sql, good);
        await writeRows(sql, target, good);
      }),
    search: (good) => search(context, target, { ...batch, rows: good }),
  });
  return deadLetters.length;
}

/** Carries what the search found out of a transaction that must not be committed. */
class RollBack extends Error {
  readonly found: readonly SinkDeadLetter[];

  constructor(found: readonly SinkDeadLetter[]) {
    super('rolled back after the search for refused rows');
    this.found = found;
  }
}

async function search(
  context: SinkContext,
  target: Target,
  batch: SinkBatch,
): Promise<readonly SinkDeadLetter[]> {
  try {
    await context.commit({ through: batch.through, detail: {} }, [], async (sql) => {
      throw new RollBack(await findRefused(sql, target, batch.rows));
    });
    return [];
  } catch (error) {
    if (error instanceof RollBack) return error.found;
    throw error;
  }
}

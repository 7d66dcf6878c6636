import type { SinkContext } from '@millrace/engine';
import { ConnectorError } from '../shared/connector-error.ts';
import { say } from '../shared/logging.ts';
import { backOffMs, wait } from '../shared/wait.ts';
import { describeSqlError, troubleOf } from './sql-errors.ts';

/** Runs `work` until the target takes it. Errors that waiting cannot mend are thrown; so is an abort. */
export async function retryWhileAway<T>(
  context: SinkContext,
  signal: AbortSignal,
  work: (attempt: number) => Promise<T>,
): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    let last: unknown;
    try {
      return await work(attempt);
    } catch (error) {
      if (troubleOf(error) !== 'away') throw error;
      last = error;
    }
    if (attempt === 0)
      say(context, `the database does not take rows now (${describeSqlError(last)}); waiting.`);
    if (await wait(backOffMs(attempt), signal)) continue;
    throw new ConnectorError({
      code: 'away',
      node: context.nodeName,
      tried: 'write to its table before it was stopped',
      reason: `${describeSqlError(last)}.`,
      remedy: 'Nothing is lost: the rows are written when the pipeline runs again and the database is there.',
      cause: last,
    });
  }
}

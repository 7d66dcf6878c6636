/** injector/postgres-table: all rows of a table at every refresh; a database that is away is waited for. */
import type { ConnectorContext, InjectorConnector, OpenInjector, SqlConnection } from '@millrace/engine';
import { openClient } from '../postgres-sink/connection.ts';
import { explainSqlError } from '../postgres-sink/explain-sql-error.ts';
import { describeSqlError, troubleOf } from '../postgres-sink/sql-errors.ts';
import { errorCode } from '../shared/connector-error.ts';
import { say } from '../shared/logging.ts';
import { durationMs, readSettings } from '../shared/settings.ts';
import { tablePartition } from '../shared/table-readings.ts';
import { readTable, selectStatement } from './read-table.ts';
import { postgresTableConfig } from './spec.ts';

/** Of a reading that was not taken for a while. */
const IDLE_IN_TRANSACTION = '25P03';

export const postgresTableInjector: InjectorConnector = {
  async open(config, context): Promise<OpenInjector> {
    const { table, columns, url, refresh } = readSettings(postgresTableConfig, config, context);
    const statement = selectStatement(table, columns);
    const address = typeof url === 'object' ? await context.secret(url.secret) : url;
    const open = (): Promise<SqlConnection> =>
      address === undefined ? ownDatabase(context) : openClient(address, context.walls, 'millrace lookup');
    const readings = {
      refreshMs: refresh === undefined ? undefined : durationMs(refresh),
      now: () => context.now(),
      rows: (signal: AbortSignal) => readTable(open, statement, signal),
      isAway: (error: unknown, attempt: number) => {
        const isAway = troubleOf(error) === 'away' || errorCode(error) === IDLE_IN_TRANSACTION;
        if (isAway && attempt === 0)
          say(
            context,
            `the table ${table} cannot be read now (${describeSqlError(error)}); records that need rows which have not been read wait.`,
          );
        return isAway;
      },
    };
    const explained = {
      node: context.nodeName,
      tried: `read its table ${table}`,
      remedies: address === undefined ? { ...REMEDIES, ...OF_OURS } : REMEDIES,
    };
    const partition = tablePartition(table, readings);
    return {
      partitions: [
        {
          ...partition,
          async *read(offset, signal) {
            try {
              yield* partition.read(offset, signal);
            } catch (error) {
              throw explainSqlError(explained, error);
            }
          },
        },
      ],
      close: async () => {},
    };
  },
};

function ownDatabase(context: ConnectorContext): Promise<SqlConnection> {
  if (context.ownDatabase === undefined) throw new Error('there is no database here; give the node a `url`');
  return context.ownDatabase();
}

/** What no sink has made belongs to somebody else. */
const OF_OURS = {
  '42501':
    'Grant the role millrace_data the right to read it, in schema "data"; or name its database in `url`.',
};

const REMEDIES: Readonly<Record<string, string>> = {
  '42501': 'Grant the right to read it to the user in `url`.',
  '42P01':
    'Make the table, or correct its name; without a schema in front it is looked for in schema "data".',
  '42703': 'Correct the columns in the settings to what the table has.',
  '3F000': 'Correct the schema in front of its name.',
};

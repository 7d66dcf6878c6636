/** sink/postgres: chooses between Millrace's own database and another one, and says what went wrong at opening. */
import type { OpenSink, SinkConnector, SinkContext } from '@millrace/engine';
import { ConnectorError, errorCode } from '../shared/connector-error.ts';
import { readSettings } from '../shared/settings.ts';
import { openInOtherDatabase } from './other-database.ts';
import { openInOwnDatabase } from './own-database.ts';
import { postgresSinkConfig } from './spec.ts';
import { describeSqlError } from './sql-errors.ts';
import { TableMismatchError } from './table.ts';
import { type Target, targetOf } from './target.ts';

export const postgresSink: SinkConnector = {
  egress: 'line',
  async open(config, context): Promise<OpenSink> {
    const settings = readSettings(postgresSinkConfig, config, context);
    const target = targetOf(settings);
    try {
      if (settings.url === undefined) return await openInOwnDatabase(context, target);
      const url = typeof settings.url === 'string' ? settings.url : await context.secret(settings.url.secret);
      return await openInOtherDatabase(context, target, url);
    } catch (error) {
      throw explain(context, target, error);
    }
  },
};

const REMEDIES: Readonly<Record<string, string>> = {
  '42501': 'Grant the right to create and write tables there, or name a schema where it is granted.',
  '3F000': 'Create the schema, or name one that is there.',
  '28P01': 'Correct the user and password in `url`.',
  '28000': 'Correct the user in `url`, or let the server accept it.',
  '3D000': 'Create the database, or correct its name in `url`.',
  ECONNREFUSED: 'Start that server, or correct host and port in `url`.',
  ENOTFOUND: 'Correct the host in `url`.',
};

/** Errors of the database become a message with a remedy; a fenced lease and our own errors stay what they are. */
function explain(context: SinkContext, target: Target, error: unknown): unknown {
  const code = errorCode(error);
  const mismatch = error instanceof TableMismatchError;
  if (!mismatch && REMEDIES[code ?? ''] === undefined) return error;
  return new ConnectorError({
    code: code ?? 'postgres',
    node: context.nodeName,
    tried: `open its table ${target.sqlName}`,
    reason: mismatch ? error.message : `${describeSqlError(error)}.`,
    remedy: mismatch
      ? 'Name another table, change the settings to what is there, or change or drop that table.'
      : (REMEDIES[code ?? ''] ?? ''),
    cause: error,
  });
}

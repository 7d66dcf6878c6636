/**
 * sink/postgres: chooses between Millrace's own database and another one, and puts into words what neither
 * waiting nor a dead letter can mend.
 */
import type { OpenSink, SinkConnector, SinkContext } from '@millrace/engine';
import { AddressRefusedError } from '../shared/address-guard.ts';
import { ConnectorError, type ConnectorFault, errorCode } from '../shared/connector-error.ts';
import { readSettings } from '../shared/settings.ts';
import { UrlRefusedError } from './client-config.ts';
import { openInOtherDatabase } from './other-database.ts';
import { openInOwnDatabase } from './own-database.ts';
import { postgresSinkConfig } from './spec.ts';
import { describeSqlError, isSqlState, troubleOf } from './sql-errors.ts';
import { TableMismatchError } from './table.ts';
import { type Target, targetOf } from './target.ts';

export const postgresSink: SinkConnector = {
  egress: 'line',
  async open(config, context): Promise<OpenSink> {
    const settings = readSettings(postgresSinkConfig, config, context);
    const target = targetOf(settings);
    const worded = <T>(tried: string, work: Promise<T>): Promise<T> =>
      work.catch((error) => {
        throw explain({ context, target, tried }, error);
      });
    const opening =
      settings.url === undefined
        ? openInOwnDatabase(context, target)
        : urlOf(settings.url, context).then((url) => openInOtherDatabase(context, target, url));
    const sink = await worded('open', opening);
    return {
      get through() {
        return sink.through;
      },
      deliver: (batch, signal) => worded('write to', sink.deliver(batch, signal)),
      close: () => sink.close(),
    };
  },
};

async function urlOf(url: string | { secret: string }, context: SinkContext): Promise<string> {
  return typeof url === 'string' ? url : context.secret(url.secret);
}

const REMEDIES: Readonly<Record<string, string>> = {
  '42501': 'Grant the right to create and write tables there, or name a schema where it is granted.',
  '42P01': 'The table was dropped while it was written to: start again, and it is made anew.',
  '42703': 'The table was changed while it was written to: put the column back, or change the settings.',
  '42P10': 'The unique index of the key was dropped: put it back and start again.',
  '3F000': 'Create the schema, or name one that is there.',
  '28P01': 'Correct the user and password in `url`.',
  '28000': 'Correct the user in `url`, or let the server accept it.',
  '3D000': 'Create the database, or correct its name in `url`.',
  ECONNREFUSED: 'Start that server, or correct host and port in `url`.',
  ENOTFOUND: 'Correct the host in `url`.',
  ERR_INVALID_URL: 'Write `url` as postgres://user:password@host:port/database.',
};

const OTHER_REMEDY = 'Look at the database and start again; nothing is lost.';

/** A fenced lease and what is already in our words stay as they are. */
function explain(where: Where, error: unknown): unknown {
  if (error instanceof AddressRefusedError || error instanceof UrlRefusedError) {
    const { code, message: reason, remedy } = error;
    return faultAt(where, { code, reason, remedy, cause: error });
  }
  const code = errorCode(error);
  const remedy = REMEDIES[code ?? ''];
  const mismatch = error instanceof TableMismatchError;
  const ofDatabase = remedy !== undefined || isSqlState(code) || troubleOf(error) === 'away';
  if (error instanceof ConnectorError || !(mismatch || ofDatabase)) return error;
  return faultAt(where, {
    code: code ?? 'postgres',
    reason: mismatch ? error.message : `${describeSqlError(error)}.`,
    remedy: mismatch
      ? 'Name another table, change the settings to what is there, or change or drop that table.'
      : (remedy ?? OTHER_REMEDY),
    cause: error,
  });
}

interface Where {
  readonly context: SinkContext;
  readonly target: Target;
  readonly tried: string;
}

function faultAt(
  { context, target, tried }: Where,
  fault: Pick<ConnectorFault, 'code' | 'reason' | 'remedy' | 'cause'>,
): ConnectorError {
  return new ConnectorError({
    ...fault,
    node: context.nodeName,
    tried: `${tried} its table ${target.sqlName}`,
  });
}

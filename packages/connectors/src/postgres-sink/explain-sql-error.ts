/** Puts into words what neither waiting nor a dead letter can mend. */
import { AddressRefusedError } from '../shared/address-guard.ts';
import { ConnectorError, type ConnectorFault, errorCode } from '../shared/connector-error.ts';
import { UrlRefusedError } from './client-config.ts';
import { describeSqlError, isSqlState, troubleOf } from './sql-errors.ts';
import { TableMismatchError } from './table.ts';

export interface Tried {
  readonly node: string;
  readonly tried: string;
  /** By SQL state, in front of those that are the same for all. */
  readonly remedies: Readonly<Record<string, string>>;
}

const REMEDIES: Readonly<Record<string, string>> = {
  '28P01': 'Correct the user and password in `url`.',
  '28000': 'Correct the user in `url`, or let the server accept it.',
  '3D000': 'Create the database, or correct its name in `url`.',
  ECONNREFUSED: 'Start that server, or correct host and port in `url`.',
  ENOTFOUND: 'Correct the host in `url`.',
  ERR_INVALID_URL: 'Write `url` as postgres://user:password@host:port/database.',
};

const OTHER_REMEDY = 'Look at the database and start again; nothing is lost.';

/** A fenced lease and what is already in our words stay as they are. */
export function explainSqlError(where: Tried, error: unknown): unknown {
  if (error instanceof AddressRefusedError || error instanceof UrlRefusedError) {
    const { code, message: reason, remedy } = error;
    return faultAt(where, { code, reason, remedy, cause: error });
  }
  const code = errorCode(error);
  const remedy = where.remedies[code ?? ''] ?? REMEDIES[code ?? ''];
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

function faultAt(
  { node, tried }: Tried,
  fault: Pick<ConnectorFault, 'code' | 'reason' | 'remedy' | 'cause'>,
): ConnectorError {
  return new ConnectorError({ ...fault, node, tried });
}

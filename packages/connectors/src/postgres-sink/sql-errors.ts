/**
 * What an error of the target means for the rows that were being written (P7).
 *
 *   content  the row is at fault and stays so: a dead letter
 *   away     the target cannot take anything now: wait and retry
 *   other    neither: a table that was dropped, a right that was taken, a fenced lease; the sink stops
 */
import { errorCode, errorMessage } from '../shared/connector-error.ts';

export type Trouble = 'content' | 'away' | 'other';

const CONTENT_CLASSES: readonly string[] = [
  '22', // data exception: overflow, bad cast, U+0000
  '23', // not null, unique, check, foreign key
  '44', // check option of a view
  '54', // too large for an index, too deeply nested
  'P0', // raised by the table's own triggers
];

const AWAY_CLASSES: readonly string[] = [
  '08', // connection
  '40', // serialization failure, deadlock
  '53', // disk full, out of memory, too many connections
  '57', // shutting down, starting up, statement timeout
  '58', // system error of its host
];

const AWAY_CODES: readonly string[] = [
  '25006', // read-only: a stand-by that is to become primary
  '55P03', // lock timeout
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'ETIMEDOUT',
  'EPIPE',
  'EAI_AGAIN',
  'ENOTFOUND',
];

/** `pg` gives these no code. */
const AWAY_MESSAGES =
  /connection terminated|connection ended|client has encountered a connection error|client was closed|not queryable|timeout expired|timeout exceeded/i;

export function troubleOf(error: unknown): Trouble {
  const code = errorCode(error);
  if (code === undefined) return AWAY_MESSAGES.test(errorMessage(error)) ? 'away' : 'other';
  if (AWAY_CODES.includes(code)) return 'away';
  if (!isSqlState(code)) return 'other';
  const kind = code.slice(0, 2);
  if (CONTENT_CLASSES.includes(kind)) return 'content';
  return AWAY_CLASSES.includes(kind) ? 'away' : 'other';
}

export function isSqlState(code: string | undefined): code is string {
  return code !== undefined && /^[0-9A-Z]{5}$/.test(code);
}

/** The message with what Postgres adds to it, for people. */
export function describeSqlError(error: unknown): string {
  const fields = error as { detail?: unknown; column?: unknown; constraint?: unknown };
  const parts = [errorMessage(error)];
  if (typeof fields.detail === 'string') parts.push(fields.detail);
  if (typeof fields.column === 'string') parts.push(`column "${fields.column}"`);
  else if (typeof fields.constraint === 'string') parts.push(`constraint "${fields.constraint}"`);
  const code = errorCode(error);
  return code === undefined ? parts.join('; ') : `${parts.join('; ')} (${code})`;
}

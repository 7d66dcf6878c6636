/** What a failed statement means for its caller. */
import { StoreError } from '../errors.ts';

export type Failure =
  /** The connection broke: whether the statement took effect is unknown. */
  | 'connection'
  /** The server rolled back and the same transaction may be run again. */
  | 'again'
  /** Rolled back because the disk is full; again later. */
  | 'disk-full'
  /** The statement itself is wrong. */
  | 'statement';

const BROKEN = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ENOENT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
  '57P01', // terminated by an administrator
  '57P02', // crash of another session
  '57P03', // starting up or shutting down
  '57P05',
  '25P03',
  '53300', // too many connections
]);

export function classify(error: unknown): Failure {
  // A server that cannot be started now is away like any other.
  if (error instanceof StoreError && error.code === 'start-failed') return 'connection';
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (typeof code === 'string') {
    if (BROKEN.has(code) || code.startsWith('08')) return 'connection';
    if (code === '40001' || code === '40P01') return 'again';
    if (code === '53100' || code === 'ENOSPC') return 'disk-full';
  }
  // `pg` gives these no code.
  if (
    /^Connection terminated|timeout expired|Client has encountered a connection error|not queryable/.test(
      String(message),
    )
  )
    return 'connection';
  return 'statement';
}

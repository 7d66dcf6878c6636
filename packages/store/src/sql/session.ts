/**
 * One connection, and the proof of which server process it was.
 *
 * Invariant ST1: a session of a term is refused once another term began, and carries its term in its name from its
 * first moment on. So whoever begins a term and then ends every session that is named by an older one (`endOlderTerms`)
 * knows that nothing of an older term takes effect any more: there is no moment between the look and the statement.
 */
import os from 'node:os';
import pg from 'pg';
import { StoreError } from '../errors.ts';
import { CURRENT_TERM } from '../queries/server-lease.ts';

export interface SessionIdentity {
  readonly pid: number;
  /** As the server prints it: with the pid it names one server process for ever. */
  readonly startedAt: string;
}

export interface Session extends SessionIdentity {
  readonly client: pg.Client;
  broken: boolean;
}

const ADDRESS = `${process.pid}@${os.hostname()}`;

/** `millrace 123@here`, of a term `millrace/7 123@here`: what may be cut off stands last. */
export function sessionName(term: number | undefined): string {
  return `millrace${term === undefined ? '' : `/${term}`} ${ADDRESS}`.slice(0, 63);
}

/** What that name says; undefined: it is none of ours. */
export function readSessionName(name: string): { readonly pid: number; readonly host: string } | undefined {
  const match = /^millrace(?:\/\d+)? (\d+)@(.*)$/.exec(name);
  return match ? { pid: Number(match[1]), host: match[2]! } : undefined;
}

const SETTINGS = [
  'set search_path = pg_catalog',
  "set timezone = 'UTC'",
  'set client_min_messages = warning',
  'set standard_conforming_strings = on',
  'set synchronous_commit = on',
  'set idle_in_transaction_session_timeout = 0',
  'set statement_timeout = 0',
].join('; ');

/** `term`: the server's, under which it writes; refused as `taken-over` once it is over. */
export async function openSession(config: pg.ClientConfig, term?: number): Promise<Session> {
  const client = new pg.Client({
    application_name: sessionName(term),
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    ...config,
  });
  let session: Session | undefined;
  let brokenEarly = false;
  // Without a listener a connection lost while idle would end the process.
  client.on('error', () => {
    brokenEarly = true;
    if (session) session.broken = true;
  });
  client.on('end', () => {
    if (session) session.broken = true;
  });
  try {
    await client.connect();
    await client.query(SETTINGS);
    // Again: an address may bring a name of its own.
    await client.query("select set_config('application_name', $1, false)", [sessionName(term)]);
    const { rows } = await client.query<{ pid: number; started: string }>(
      'select pid, backend_start::text as started from pg_stat_activity where pid = pg_backend_pid()',
    );
    if (term !== undefined && (await client.query(CURRENT_TERM, [term])).rowCount !== 1) throw termIsOver();
    const row = rows[0]!;
    session = { client, pid: row.pid, startedAt: row.started, broken: brokenEarly };
    return session;
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
}

const termIsOver = (): StoreError =>
  new StoreError('taken-over', 'Another server has taken over this database; this one stands by.');

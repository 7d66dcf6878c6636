/** One connection, and the proof of which server process it was. */
import os from 'node:os';
import pg from 'pg';

export interface SessionIdentity {
  readonly pid: number;
  /** As the server prints it: with the pid it names one server process for ever. */
  readonly startedAt: string;
}

export interface Session extends SessionIdentity {
  readonly client: pg.Client;
  broken: boolean;
}

export const APPLICATION_NAME = `millrace ${process.pid}@${os.hostname()}`.slice(0, 63);

const SETTINGS = [
  'set search_path = pg_catalog',
  "set timezone = 'UTC'",
  'set client_min_messages = warning',
  'set standard_conforming_strings = on',
  'set synchronous_commit = on',
  'set idle_in_transaction_session_timeout = 0',
  'set statement_timeout = 0',
].join('; ');

export async function openSession(config: pg.ClientConfig): Promise<Session> {
  const client = new pg.Client({
    application_name: APPLICATION_NAME,
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
    const { rows } = await client.query<{ pid: number; started: string }>(
      'select pid, backend_start::text as started from pg_stat_activity where pid = pg_backend_pid()',
    );
    const row = rows[0]!;
    session = { client, pid: row.pid, startedAt: row.started, broken: brokenEarly };
    return session;
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
}

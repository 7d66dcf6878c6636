/** Brings a database up to the newest layout, one transaction for all, refusing one that is newer. */
import type pg from 'pg';
import { StoreError } from '../errors.ts';
import { MIGRATIONS } from './index.ts';

const LOWEST_SERVER = 150000;
const MIGRATION_LOCK = 0x4d4c5244;

export async function migrate(client: pg.Client): Promise<void> {
  await checkServer(client);
  await client.query('begin');
  try {
    await client.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    await apply(client);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

async function apply(client: pg.Client): Promise<void> {
  const made = await client.query("select to_regclass('millrace.migrations') is not null as made");
  if (!made.rows[0].made) {
    await client.query('create schema if not exists millrace');
    await client.query(
      'create table millrace.migrations (number int4 primary key, name text not null, applied_at timestamptz not null default now())',
    );
  }
  const { rows } = await client.query<{ last: number }>(
    'select coalesce(max(number), 0) as last from millrace.migrations',
  );
  const last = rows[0]!.last;
  const newest = MIGRATIONS.at(-1)!.number;
  if (last > newest)
    throw new StoreError(
      'newer-layout',
      `The database has layout ${last}; this version knows up to ${newest}. Use the newer version of Millrace that made it.`,
      { domain: 'user' },
    );
  for (const migration of MIGRATIONS) {
    if (migration.number <= last) continue;
    await client.query(migration.sql);
    await client.query('insert into millrace.migrations (number, name) values ($1, $2)', [
      migration.number,
      migration.name,
    ]);
  }
}

async function checkServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ version: number }>(
    "select current_setting('server_version_num')::int4 as version",
  );
  const { version } = rows[0]!;
  if (version >= LOWEST_SERVER) return;
  throw new StoreError(
    'connect-failed',
    `This is Postgres ${Math.floor(version / 10000)}; Millrace needs Postgres 15 or later. Set DATABASE_URL to such a server.`,
    { domain: 'user' },
  );
}

/** A Postgres that belongs to nobody under test, as `DATABASE_URL` names one. */
import { join } from 'node:path';
import { openStore } from '@millrace/store';
import pg from 'pg';
import { onTestFinished } from 'vitest';

export interface SharedDatabase {
  readonly url: string;
  query<Row = Record<string, unknown>>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
}

/** Ours, lent out: in this folder, with a database of its own in it. */
export async function sharedDatabase(folder: string): Promise<SharedDatabase> {
  const owner = await openStore({ dataDir: join(folder, 'cluster') }, () => undefined);
  onTestFinished(() => owner.close());
  const [row] = await owner.query('show unix_socket_directories');
  await owner.query('create database shared');
  const url = `postgres://millrace@/shared?host=${String(row?.unix_socket_directories).replaceAll('"', '')}`;
  const client = new pg.Client(url);
  await client.connect();
  onTestFinished(() => client.end());
  return { url, query: async (sql, values = []) => (await client.query(sql, [...values])).rows };
}

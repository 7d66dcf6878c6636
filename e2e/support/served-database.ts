/** A look, past the product, into the database of a server that runs: what is in it, whatever was answered. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';

export async function lookInto(
  data: string,
  sql: string,
  values: readonly unknown[] = [],
): Promise<Record<string, unknown>[]> {
  const { database } = JSON.parse(readFileSync(join(data, 'server.json'), 'utf8')) as {
    database: { socketFolder: string; port: number };
  };
  const { socketFolder: host, port } = database;
  const client = new pg.Client({ host, port, user: 'millrace', database: 'postgres' });
  // A server that is killed under it is told by the query.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(sql, [...values])).rows;
  } finally {
    await client.end();
  }
}

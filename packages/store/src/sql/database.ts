/**
 * How the parts of the product that are no engine reach the database: single statements and transactions.
 * Both wait while the database is away, and a transaction whose commit was not answered runs again: write it
 * so that doing it twice is harmless or refused by a constraint.
 */
import type pg from 'pg';
import { type Connections, transact } from './connections.ts';

/** Runs one statement. `int8` columns come as text: cast in SQL or convert. */
export interface Sql {
  rows<Row>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** How many rows the statement changed. */
  change(text: string, values?: readonly unknown[]): Promise<number>;
}

export interface Database extends Sql {
  transact<T>(body: (sql: Sql) => Promise<T>): Promise<T>;
}

export function database(connections: Connections): Database {
  return {
    rows: (text, values) => connections.run(({ client }) => sqlOf(client).rows(text, values)),
    change: (text, values) => connections.run(({ client }) => sqlOf(client).change(text, values)),
    transact: (body) => connections.run((session) => transact(session, (client) => body(sqlOf(client)))),
  };
}

export function sqlOf(client: pg.Client): Sql {
  return {
    async rows<Row>(text: string, values: readonly unknown[] = []) {
      return (await client.query(text, [...values])).rows as Row[];
    },
    async change(text, values = []) {
      return (await client.query(text, [...values])).rowCount ?? 0;
    },
  };
}

/**
 * One connection to another database, made when it is needed and made again after it broke. Owns transactions;
 * does not retry: who asks knows whether a repeat is safe.
 */
import type { SqlClient, SqlConnection } from '@millrace/engine';
import { Client } from 'pg';
import type { AddressRules } from '../shared/address-guard.ts';
import { clientConfig } from './client-config.ts';

const CONNECT_TIMEOUT_MS = 10_000;

export class Connection {
  readonly #url: string;
  readonly #rules: AddressRules | undefined;
  #client: Client | undefined;

  /** `rules` undefined: the rights of who runs the process. */
  constructor(url: string, rules: AddressRules | undefined) {
    this.#url = url;
    this.#rules = rules;
  }

  async transaction<T>(work: (sql: SqlClient) => Promise<T>): Promise<T> {
    return this.#run('commit', work);
  }

  /** For what only wants to look. */
  async rolledBack<T>(work: (sql: SqlClient) => Promise<T>): Promise<T> {
    return this.#run('rollback', work);
  }

  async close(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    await client?.end().catch(() => undefined);
  }

  async #run<T>(end: 'commit' | 'rollback', work: (sql: SqlClient) => Promise<T>): Promise<T> {
    const client = await this.#connected();
    try {
      await client.query('begin');
      const result = await work(clientOf(client));
      await client.query(end);
      return result;
    } catch (error) {
      const whole = await client.query('rollback').then(
        () => true,
        () => false,
      );
      if (!whole) await this.close();
      throw error;
    }
  }

  async #connected(): Promise<Client> {
    if (this.#client !== undefined) return this.#client;
    const client = newClient(this.#url, this.#rules, 'millrace sink');
    // Without a listener a connection that breaks while it rests would end the process.
    client.on('error', () => {
      if (this.#client === client) this.#client = undefined;
    });
    await client.connect();
    this.#client = client;
    return client;
  }
}

function newClient(url: string, rules: AddressRules | undefined, name: string): Client {
  return new Client({
    ...clientConfig(url, rules),
    application_name: name,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
  });
}

/** One that is not made again: whoever has it closes it. */
export async function openClient(
  url: string,
  rules: AddressRules | undefined,
  name: string,
): Promise<SqlConnection> {
  const client = newClient(url, rules, name);
  client.on('error', () => undefined);
  await client.connect();
  return { ...clientOf(client), close: () => client.end().catch(() => undefined) };
}

function clientOf(client: Client): SqlClient {
  return { query: (text, values = []) => client.query(text, [...values]) };
}

/**
 * What runs share: an embedded Postgres of their own with the product's settings (durable in every respect), and
 * the launcher of workers. Removed at the end.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { ConnectorContext, WorkerLauncher } from '@millrace/engine';
import { createWorkerLauncher } from '@millrace/sandbox';
import { openStore, type Store } from '@millrace/store';
import pg from 'pg';

export interface Workshop {
  readonly store: Store;
  readonly launcher: WorkerLauncher;
  /** For peers: a connection without anything of ours in between. */
  connect(): Promise<pg.Client>;
  /** The same, for a process of its own. */
  readonly address: pg.ClientConfig;
}

let runs = 0;

/** Of the next run: another in each. */
export const benchId = (): string => `p_bench${String(++runs).padStart(7, '0')}`;

export const benchContext = (node: { readonly id: string; readonly name: string }): ConnectorContext => ({
  nodeId: node.id,
  nodeName: node.name,
  folder: '/',
  secret: async (name) => Promise.reject(new Error(`there is no secret ${name} in a benchmark`)),
  now: Date.now,
});

export async function withWorkshop<T>(
  log: (line: string) => void,
  use: (workshop: Workshop) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'millrace-bench-'));
  const launcher = createWorkerLauncher({ log });
  let store: Store | undefined;
  try {
    store = await openStore({ dataDir: folder }, log);
    const [row] = await store.query(
      `select current_setting('unix_socket_directories') as host, current_setting('port') as port,
              current_user as "user", current_database() as database`,
    );
    const address = {
      // A path with unusual letters comes in quotes.
      host: String(row?.host).replaceAll('"', ''),
      port: Number(row?.port),
      user: String(row?.user),
      database: String(row?.database),
      ssl: false,
    };
    const connect = async (): Promise<pg.Client> => {
      const client = new pg.Client(address);
      // The server ends before the last of them at the end of a run that was broken off.
      client.on('error', () => undefined);
      await client.connect();
      return client;
    };
    return await use({ store, launcher, connect, address });
  } finally {
    await launcher.close();
    await store?.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

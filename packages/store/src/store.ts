/**
 * Opens the durable store: an embedded Postgres in a data folder, any Postgres >= 15 by its URL, or, in a second
 * process of the product, the one a first process has opened.
 *
 * Owns: the server (embedded), the connections, the lock that keeps a second host out. While the database is
 * away, calls wait; `onTrouble` tells people about it.
 */
import path from 'node:path';
import type {
  ConnectorContext,
  DeadLetterRow,
  PipelineStore,
  SinkContext,
  SqlConnection,
  StateStore,
} from '@millrace/engine';
import type pg from 'pg';
import { type CatalogStore, catalogStore } from './catalog/catalog-store.ts';
import { type DeploymentStore, deploymentStore } from './deployments/deployment-store.ts';
import { StoreError } from './errors.ts';
import { type DataRole, ensureDataRole } from './migrations/data-role.ts';
import { migrate } from './migrations/migrate.ts';
import { findPipeline, openPipeline } from './pipeline/open-pipeline.ts';
import type { Faults, OpenedPipeline } from './pipeline/opened.ts';
import { openOwnDatabase } from './pipeline/own-database.ts';
import { pipelineStore } from './pipeline/pipeline-store.ts';
import { sinkContext } from './pipeline/sink-context.ts';
import { EmbeddedServer } from './postgres/server.ts';
import { Connections, type Trouble } from './sql/connections.ts';
import { type Database, database } from './sql/database.ts';
import { refuseOther, unusable } from './sql/database-url.ts';
import { Guard } from './sql/guard.ts';

/** How another process of the product reaches the same database. `term`: of the server it belongs to (ST1). */
export type StoreAddress =
  | { readonly socketFolder: string; readonly port: number }
  | { readonly url: string; readonly term?: number | undefined };
export type StorePlace = { readonly dataDir: string } | StoreAddress;
export type StoreLog = (message: string) => void;

/** What reading beside the host that runs a pipeline gives. */
export interface PipelineReader extends StateStore {
  readonly versions: Pick<PipelineStore['versions'], 'current' | 'get'>;
  lastPosition(): Promise<number>;
  deadLetters(limit: number): Promise<readonly DeadLetterRow[]>;
  newestLetter(): Promise<number>;
}

export interface Store {
  /** Whether sinks act as `millrace_data`, or why not. */
  readonly dataRole: DataRole;
  readonly catalog: CatalogStore;
  pipeline(id: string): Promise<PipelineStore>;
  /** Of a pipeline that another process may run: what can be read beside it. Undefined: there is no such one. */
  beside(id: string): Promise<PipelineReader | undefined>;
  /** The context of one sink of a pipeline opened before, under the host's lease. */
  sinkContext(pipelineId: string, hostSequencer: number, connector: ConnectorContext): SinkContext;
  /** What an injector may read of this database. */
  ownDatabase(connector: ConnectorContext): Promise<SqlConnection>;
  /** Called when the database goes away and comes back, is full, or now belongs to another host. */
  onTrouble(handler: (trouble: Trouble) => void): void;
  /** Of everything that is no engine: accounts, catalog, deployments. */
  readonly database: Database;
  /** For tests and the console: runs as the store's own user. */
  query(text: string, values?: readonly unknown[]): Promise<Record<string, unknown>[]>;
  /** For tests: runs a statement in a transaction that stays open. */
  hold(text: string): Promise<{ commit(): Promise<void>; rollback(): Promise<void> }>;
  readonly deployments: DeploymentStore;
  /** Keeps a second server of the product out of this database: their engine hosts would fence each other. */
  takeServer(): Promise<void>;
  /** For another process of the product; starts an embedded server that is down. */
  address(): Promise<StoreAddress>;
  /** Of the embedded server. */
  readonly serverPid: () => number | undefined;
  close(): Promise<void>;
}

const MAX_CONNECTIONS = 12;
const WHOLE_STORE = 0;
const SERVER = -1;

export async function openStore(place: StorePlace, log: StoreLog, faults: Faults = {}): Promise<Store> {
  if ('url' in place) return openRemote(place, log, faults);
  if ('socketFolder' in place) return openBeside(place, log, faults);
  const server = await EmbeddedServer.start(place.dataDir, log);
  const parts = makeParts(log, async () => {
    return socketConfig(await server.ensureRunning());
  });
  try {
    await parts.guard.take(WHOLE_STORE, `The data directory ${path.resolve(place.dataDir)}`);
    return await prepare(parts, faults, { server });
  } catch (error) {
    await parts.close();
    // A server that another host uses is not ours to stop.
    if (!(error instanceof StoreError && error.code === 'in-use')) await server.stop();
    throw error;
  }
}

/** The owner of the server holds the lock on the whole store; pipelines are taken one by one. */
async function openBeside(
  address: { readonly socketFolder: string; readonly port: number },
  log: StoreLog,
  faults: Faults,
): Promise<Store> {
  const parts = makeParts(log, async () => socketConfig(address));
  return prepare(parts, faults, { address }).catch(async (error: unknown) => {
    await parts.close();
    throw error;
  });
}

function socketConfig({ socketFolder, port }: { socketFolder: string; port: number }): pg.ClientConfig {
  return { host: socketFolder, port, user: 'millrace', database: 'postgres', ssl: false };
}

async function openRemote(
  address: { readonly url: string; readonly term?: number | undefined },
  log: StoreLog,
  faults: Faults,
): Promise<Store> {
  const { url, term } = address;
  refuseOther(url);
  const parts = makeParts(log, async () => ({ connectionString: url }), term);
  try {
    const session = await parts.connections.open();
    await session.client.end();
    return await prepare(parts, faults, { address });
  } catch (error) {
    await parts.close();
    throw unusable(error);
  }
}

interface Parts {
  readonly connections: Connections;
  readonly guard: Guard;
  readonly listeners: ((trouble: Trouble) => void)[];
  close(): Promise<void>;
}

function makeParts(log: StoreLog, config: () => Promise<pg.ClientConfig>, term?: number): Parts {
  const listeners: ((trouble: Trouble) => void)[] = [];
  const trouble = (event: Trouble) => {
    log(event.message);
    for (const listener of listeners) listener(event);
  };
  const connections = new Connections({ config, term, max: MAX_CONNECTIONS, trouble });
  const guard = new Guard({
    open: () => connections.open(),
    lost: (error) => {
      trouble({ kind: 'taken-over', message: error.message });
      connections.fail(error);
    },
  });
  const close = async () => {
    await guard.close();
    await connections.close();
  };
  return { connections, guard, listeners, close };
}

async function prepare(
  parts: Parts,
  faults: Faults,
  owned: { server: EmbeddedServer } | { address: StoreAddress },
): Promise<Store> {
  const { connections, guard, listeners } = parts;
  await connections.run(({ client }) => migrate(client));
  // A server that listens on a socket of ours only is ours.
  const isOurs = 'server' in owned || 'socketFolder' in owned.address;
  const dataRole = await connections.run(({ client }) => ensureDataRole(client, { isOurs }));
  const opened = new Map<string, OpenedPipeline>();
  let closing: Promise<void> | undefined;
  return {
    dataRole,
    catalog: catalogStore(connections),
    async pipeline(id) {
      const pipeline = opened.get(id) ?? (await openPipeline(id, connections, faults));
      // Several hosts may share a database, each with pipelines of its own.
      if (!('server' in owned)) await guard.take(pipeline.number, `Pipeline ${id}`);
      opened.set(id, pipeline);
      return pipelineStore(pipeline);
    },
    async beside(id) {
      const pipeline = await findPipeline(id, connections, faults);
      return pipeline && pipelineStore(pipeline);
    },
    sinkContext(pipelineId, hostSequencer, connector) {
      const pipeline = opened.get(pipelineId);
      if (!pipeline) throw new Error(`pipeline ${pipelineId} has not been opened`);
      return sinkContext({ pipeline, hostSequencer, connector, dataRole });
    },
    ownDatabase: (connector) => openOwnDatabase(connections, dataRole, connector),
    onTrouble: (handler) => void listeners.push(handler),
    database: database(connections),
    query: (text, values) =>
      connections.run(async ({ client }) => (await client.query(text, values && [...values])).rows),
    hold: (text) => hold(connections, text),
    deployments: deploymentStore(connections),
    takeServer: async () => {
      if (!('server' in owned)) await guard.take(SERVER, 'The database');
    },
    async address() {
      if ('address' in owned) return owned.address;
      const { socketFolder, port } = await owned.server.ensureRunning();
      return { socketFolder, port };
    },
    serverPid: () => ('server' in owned ? owned.server.pid : undefined),
    close: () => {
      closing ??= parts.close().then(() => ('server' in owned ? owned.server.stop() : undefined));
      return closing;
    },
  };
}

async function hold(connections: Connections, text: string) {
  const { client } = await connections.open();
  await client.query('begin');
  await client.query(text);
  const end = (how: string) => async () => {
    await client.query(how);
    await client.end();
  };
  return { commit: end('commit'), rollback: end('rollback') };
}

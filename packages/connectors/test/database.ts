/** One embedded Postgres per test file, and sinks in it under a host's lease. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PipelineStore, SinkContext } from '@millrace/engine';
import { openStore, type Store } from '@millrace/store';
import { afterAll, beforeAll } from 'vitest';
import { connectorContext } from './contexts.ts';

export interface TestDatabase {
  readonly store: Store;
  /** A new host of a new pipeline, with a sink node. */
  newSink(): Promise<TestSink>;
  /** The URL of another database on the same server. */
  otherUrl(database: string, user?: string): Promise<string>;
}

export interface TestSink {
  readonly pipeline: PipelineStore;
  readonly context: SinkContext & { readonly messages: string[] };
  /** The same node under a newer host; the old one is fenced. */
  nextHost(): Promise<TestSink>;
}

export function testDatabase(): TestDatabase {
  let folder = '';
  let store: Store | undefined;
  let pipelines = 0;
  const opened = (): Store => {
    if (store === undefined) throw new Error('the store is not open');
    return store;
  };
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'millrace-sinks-'));
    store = await openStore({ dataDir: folder }, () => {});
  });
  afterAll(async () => {
    await store?.close();
    await rm(folder, { recursive: true, force: true });
  });
  const sinkOf = async (id: string): Promise<TestSink> => {
    const pipeline = await opened().pipeline(id);
    const host = await pipeline.claimHost();
    const messages: string[] = [];
    const log = { messages, log: (message: string) => messages.push(message) };
    const connector = { ...connectorContext(folder), nodeName: 'result' };
    const context = Object.assign(opened().sinkContext(id, host, connector), log);
    return { pipeline, context, nextHost: () => sinkOf(id) };
  };
  return {
    get store() {
      return opened();
    },
    newSink: () => sinkOf(`p_${++pipelines}`),
    async otherUrl(database, user = 'millrace') {
      const [row] = await opened().query(
        `select current_setting('unix_socket_directories') as host, current_setting('port') as port`,
      );
      return `postgres://${user}@localhost:${row?.port}/${database}?host=${encodeURIComponent(String(row?.host).replaceAll('"', ''))}`;
    },
  };
}

/** A store with an engine host on it, for the tests of a file; both are gone after them. */
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { openStore, type Store } from '@millrace/store';
import { afterAll, beforeAll } from 'vitest';
import { type Supervisor, superviseEngineHost } from '../supervisor/engine-host-supervisor.ts';

export interface SupervisedHost {
  readonly store: Store;
  readonly host: Supervisor;
}

/** What it hands back is there once the tests begin. */
export function supervisedHost(name: string): SupervisedHost {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), `millrace-${name}-`));
  let store: Store;
  let host: Supervisor;
  beforeAll(async () => {
    store = await openStore({ dataDir }, () => undefined);
    host = superviseEngineHost({ address: () => store.address(), dataDir, holdPaused: false, log: () => {} });
    host.start();
  });
  afterAll(async () => {
    await host?.stop(5_000);
    await store?.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  return {
    get store() {
      return store;
    },
    get host() {
      return host;
    },
  };
}

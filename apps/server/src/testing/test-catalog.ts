/** The catalog's routes over a real store, called by an editor unless the test says otherwise. */
import { connectorSpecs } from '@millrace/connectors';
import { nodeTypes } from '@millrace/graph';
import { openStore, type Store } from '@millrace/store';
import { cases } from '../cases/case-feature.ts';
import type { CatalogContext } from '../catalog/catalog-context.ts';
import { catalogContext } from '../catalog/catalog-context.ts';
import { catalogFeature } from '../catalog/catalog-feature.ts';
import type { Sample, Template } from '../samples/sample.ts';
import { accountActor, startTestApp, type TestAnswer, type TestApp } from './test-app.ts';

export interface TestCatalog extends TestApp {
  readonly store: Store;
  readonly context: CatalogContext;
  /** The body of an answer that must have this status. */
  ask<T = Pipeline>(method: string, path: string, body?: unknown, more?: Asking): Promise<T>;
  /** An archive, posted. */
  upload(path: string, bytes: Uint8Array, headers?: Record<string, string>): Promise<TestAnswer>;
}

export interface Asking {
  readonly status?: number;
  readonly ifMatch?: string | number;
}

export interface Pipeline {
  readonly id: string;
  readonly name: string;
  readonly revision: number;
  readonly draftRevision: number;
  readonly [field: string]: unknown;
}

export async function startTestCatalog(
  dataDir: string,
  samples: readonly Sample[] = [],
  templates: readonly Template[] = [],
): Promise<TestCatalog> {
  const store = await openStore({ dataDir }, () => undefined);
  const types = nodeTypes(connectorSpecs);
  const context = catalogContext({ store, types, samples, templates, filesFolder: `${dataDir}/files` });
  const running = cases(context);
  const app = await startTestApp([catalogFeature(context), running.feature]);
  app.act(accountActor('owner'));
  return {
    ...app,
    store,
    context,
    async ask<T>(method: string, path: string, body?: unknown, { status = 200, ifMatch }: Asking = {}) {
      const headers = ifMatch === undefined ? {} : { 'if-match': `"${ifMatch}"` };
      const answer = await app.call(method, `/api/v1${path}`, body, headers);
      if (answer.status !== status)
        throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body).slice(0, 2000)}`);
      return answer.body as T;
    },
    upload: (path, bytes, headers) => upload(`${app.url}/api/v1${path}`, app.url, bytes, headers),
    close: async () => {
      await app.close();
      await running.close();
      await store.close();
    },
  };
}

async function upload(
  url: string,
  origin: string,
  bytes: Uint8Array,
  headers: Record<string, string> = {},
): Promise<TestAnswer> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { origin, 'content-type': 'application/zip', ...headers },
    body: bytes,
  });
  return { status: answer.status, headers: answer.headers, body: await answer.json() };
}

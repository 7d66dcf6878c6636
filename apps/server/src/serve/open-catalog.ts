/** The catalog of a running server: what its routes close over, its samples, and the end of what was deleted a month ago. */
import { join } from 'node:path';
import { connectorSpecs } from '@millrace/connectors';
import { nodeTypes } from '@millrace/graph';
import { documentStore, type Store } from '@millrace/store';
import { recordAudit } from '@millrace/store/accounts';
import type { Logger } from 'pino';
import { type CatalogContext, catalogContext } from '../catalog/catalog-context.ts';
import { purgeExpired } from '../catalog/purge-expired.ts';
import { catalogWithDocuments } from '../documents/catalog-with-documents.ts';
import { DocumentHub } from '../documents/document-hub.ts';
import { DEFAULT_WORKSPACE } from '../http/actor.ts';
import { loadSamples, loadTemplates } from '../samples/load-samples.ts';
import { seedSamples } from '../samples/seed-samples.ts';

const PURGE_EVERY_MS = 3_600_000;

export interface OpenCatalog {
  readonly context: CatalogContext;
  readonly documents: DocumentHub;
  /** The catalog as everybody but the documents themselves is to use it. */
  readonly store: Store;
  /** What is drawn and not in a folder yet is written. */
  stop(): Promise<void>;
}

/** Resolves when the samples are there: what should run is then known before an engine host asks. */
export async function openCatalog(bare: Store, dataDir: string, log: Logger): Promise<OpenCatalog> {
  const types = nodeTypes(connectorSpecs);
  const { drafts } = bare.catalog;
  const documents = new DocumentHub({ documents: documentStore(bare.database), drafts, types, log });
  await documents.start();
  const store: Store = { ...bare, catalog: catalogWithDocuments(bare.catalog, documents) };
  const filesFolder = join(dataDir, 'files');
  const context = catalogContext({
    store,
    types,
    samples: loadSamples(),
    templates: loadTemplates(),
    filesFolder,
  });
  // A disk that is full must not keep the product from starting.
  await seedSamples(context, DEFAULT_WORKSPACE).catch((error: unknown) =>
    log.error({ err: error }, 'the samples were not seeded; the next start tries again'),
  );
  const timer = setInterval(() => void purge(store, log), PURGE_EVERY_MS);
  timer.unref();
  void purge(store, log);
  const stop = async () => {
    clearInterval(timer);
    await documents.close();
  };
  return { context, documents, store, stop };
}

async function purge({ catalog }: Store, log: Logger): Promise<void> {
  try {
    await purgeExpired({
      catalog,
      now: Date.now(),
      audit: (sql, { workspace, id }) =>
        recordAudit(sql, {
          workspace,
          actor: { kind: 'system' },
          action: 'pipeline.purged',
          target: id,
        }),
      onTrouble: (error, id) => log.warn({ err: error, pipeline: id }, 'a deleted pipeline was not purged'),
    });
  } catch (error) {
    log.warn({ err: error }, 'deleted pipelines were not looked for');
  }
}

/**
 * The catalog, for everybody who reads or writes drafts as folders: reads find what people have drawn so far,
 * writes become edits of the open document (DR2, DH2).
 */
import type { CatalogStore } from '@millrace/store';
import type { DocumentHub } from './document-hub.ts';

export function catalogWithDocuments(catalog: CatalogStore, hub: DocumentHub): CatalogStore {
  const { entries, drafts, purging } = catalog;
  return {
    ...catalog,
    entries: {
      ...entries,
      change: (workspace, id, change, write) =>
        change.draft === undefined
          ? entries.change(workspace, id, change, write)
          : hub.beside(id, () => entries.change(workspace, id, change, write)),
      remove: (workspace, id, write) =>
        hub.leave(
          id,
          () => entries.remove(workspace, id, write),
          (outcome) => outcome === 'removed',
        ),
    },
    drafts: {
      ...drafts,
      get: async (workspace, id) => {
        await hub.written(id);
        return drafts.get(workspace, id);
      },
      save: (workspace, id, change, write) => hub.beside(id, () => drafts.save(workspace, id, change, write)),
    },
    purging: {
      ...purging,
      purge: (workspace, id, write) =>
        hub.leave(
          id,
          () => purging.purge(workspace, id, write),
          (outcome) => outcome === 'purged',
        ),
    },
  };
}

/** A second copy of a draft, such as one in a worker, that follows the first by its updates. */
import { emptyDoc, openDocument, type PipelineDocument } from '@millrace/document';
import * as Y from 'yjs';

export interface Replica {
  readonly document: PipelineDocument;
  readonly take: (updates: readonly Uint8Array[]) => void;
}

export function openReplica(): Replica {
  const document = openDocument({ doc: emptyDoc() });
  return {
    document,
    take: (updates) =>
      document.doc.transact(() => {
        for (const update of updates) Y.applyUpdate(document.doc, update);
      }),
  };
}

export interface Feed {
  /** What happened since the last call; the first time everything. */
  readonly next: () => readonly Uint8Array[];
  readonly close: () => void;
}

export function feedOf({ doc }: PipelineDocument): Feed {
  let waiting: Uint8Array[] = [Y.encodeStateAsUpdate(doc)];
  const collect = (update: Uint8Array): void => void waiting.push(update);
  doc.on('update', collect);
  return {
    next: () => {
      const updates = waiting;
      waiting = [];
      return updates;
    },
    close: () => doc.off('update', collect),
  };
}

/**
 * A pipeline draft. It owns its Yjs document and the reading of it; updates in and out are the transport's
 * (`doc.on('update')`, `Y.applyUpdate`), storing and sharing the history the server's.
 */
import type * as Y from 'yjs';
import { openReader } from '../read/read-document.ts';
import type { Reading } from '../read/reading.ts';
import { codeOf, emptyDoc, type Roots, rootsOf } from './roots.ts';
import { SCHEMA } from './tables.ts';

export interface PipelineDocument extends Roots {
  /** As it is now; the same object until the document changes. */
  readonly read: () => Reading;
  /** Tells when `read` may give something else; typing does not. Hands back what ends it. */
  readonly subscribe: (listener: () => void) => () => void;
  /** The shared text of a code node or file, for the code editor's binding. */
  readonly code: (id: string) => Y.Text | undefined;
  /** Undefined before the first update has arrived, or where this build does not know the form. */
  readonly epoch: () => number | undefined;
  readonly close: () => void;
}

/** `clientId` is the one the server issued to this user for this draft. */
export function openDocument(options: { doc?: Y.Doc; clientId?: number } = {}): PipelineDocument {
  const doc = options.doc ?? emptyDoc(options.clientId);
  const roots = rootsOf(doc);
  const reader = openReader(roots);
  return {
    ...roots,
    read: reader.read,
    subscribe: reader.subscribe,
    code: (id) => codeOf(roots, id),
    epoch: () => epochOf(roots),
    close: reader.close,
  };
}

function epochOf({ stamp }: Roots): number | undefined {
  const epoch = stamp.get('epoch');
  if (stamp.get('schema') !== SCHEMA || typeof epoch !== 'number') return undefined;
  return Number.isSafeInteger(epoch) && epoch > 0 ? epoch : undefined;
}

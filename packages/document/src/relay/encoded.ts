/** Whole documents as bytes, for those who keep them without knowing Yjs. */
import * as Y from 'yjs';
import type { PipelineDocument } from '../shape/open-document.ts';

export function encodeDocument({ doc }: PipelineDocument): Uint8Array {
  return Y.encodeStateAsUpdate(doc);
}

/** One update that holds all of them. */
export function mergeUpdates(updates: readonly Uint8Array[]): Uint8Array {
  return updates.length === 1 ? (updates[0] as Uint8Array) : Y.mergeUpdates([...updates]);
}

/** Edits of an epoch of the document that is gone: never sent, offered to whom they belong to. */
import { emptyDoc, openDocument, toFolder } from '@millrace/document';
import * as Y from 'yjs';
import type { OfflineEdit, OfflineEdits } from './offline-edits.ts';

export interface LeftOver {
  /** When the last of them was kept, UTC ms; unknown where only the edits themselves are. */
  readonly at: number | undefined;
  /** The draft with them in it, as a folder; undefined where what they were made on is not here. */
  readonly files: ReadonlyMap<string, string> | undefined;
  readonly update: Uint8Array;
  readonly forget: () => Promise<void>;
}

/** Of the newest epoch that has any; `left` holds none of the present one. */
export async function leftOverOf(
  kept: OfflineEdits,
  left: readonly OfflineEdit[],
): Promise<LeftOver | undefined> {
  const epoch = left.at(-1)?.epoch;
  if (epoch === undefined) return undefined;
  const edits = left.filter((edit) => edit.epoch === epoch);
  const whole = await kept.whole(epoch);
  const updates = edits.map(({ update }) => update);
  return {
    at: whole?.at,
    files: whole && filesOf([whole.state, ...updates]),
    update: Y.mergeUpdates(updates),
    forget: async () => {
      await kept.remove(left.map(({ id }) => id));
      for (const each of new Set(left.map((edit) => edit.epoch))) await kept.dropWhole(each);
    },
  };
}

function filesOf(updates: readonly Uint8Array[]): ReadonlyMap<string, string> | undefined {
  const document = openDocument({ doc: emptyDoc() });
  try {
    for (const update of updates) Y.applyUpdate(document.doc, update);
    return toFolder(document);
  } catch {
    return undefined;
  } finally {
    document.close();
  }
}

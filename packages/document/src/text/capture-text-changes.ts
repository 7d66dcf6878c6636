/** What a local transaction did to shared texts, as data that can be undone later, on any peer. */
import * as Y from 'yjs';
import type { Roots } from '../shape/roots.ts';
import type { TextChange } from '../write/change.ts';
import { type DeletedPiece, type IdRange, joinRanges } from './id-ranges.ts';

interface Capture {
  readonly inserted: IdRange[];
  readonly deleted: DeletedPiece[];
}

/**
 * For a finished transaction of this document, also one a binding of the code editor made. Text of a file that
 * was born in the same transaction is no change of it: undoing that hides the file instead.
 */
export function captureTextChanges(roots: Roots, transaction: Y.Transaction): TextChange[] {
  const captures = new Map<Y.Text, Capture>();
  captureInserted(roots, transaction, captures);
  captureDeleted(roots, transaction, captures);
  const changes: TextChange[] = [];
  for (const [text, { inserted, deleted }] of captures) {
    const code = text._item?.parentSub;
    if (typeof code !== 'string' || isNew(text, transaction)) continue;
    changes.push({ kind: 'text', code, inserted: joinRanges(inserted), deleted });
  }
  return changes;
}

function captureInserted(
  { doc, codes }: Roots,
  { beforeState }: Y.Transaction,
  into: Map<Y.Text, Capture>,
): void {
  const client = doc.clientID;
  const before = beforeState.get(client) ?? 0;
  if (Y.getState(doc.store, client) <= before) return;
  const structs = doc.store.clients.get(client) ?? [];
  for (let i = Y.findIndexSS(structs, before); i < structs.length; i++) {
    const item = structs[i];
    if (!(item instanceof Y.Item) || item.deleted || !(item.content instanceof Y.ContentString)) continue;
    const text = textOf(item, codes);
    if (text === undefined) continue;
    const start = Math.max(item.id.clock, before);
    captureOf(into, text).inserted.push([client, start, item.id.clock + item.length - start]);
  }
}

function captureDeleted(
  { doc, codes }: Roots,
  { beforeState, deleteSet }: Y.Transaction,
  into: Map<Y.Text, Capture>,
): void {
  for (const [client, ranges] of deleteSet.clients) {
    const structs = doc.store.clients.get(client) ?? [];
    const known = beforeState.get(client) ?? 0;
    for (const { clock, len } of ranges) {
      const end = Math.min(clock + len, known);
      if (end <= clock) continue;
      for (let i = Y.findIndexSS(structs, clock); i < structs.length; i++) {
        const item = structs[i];
        if (item === undefined || item.id.clock >= end) break;
        if (!(item instanceof Y.Item) || !(item.content instanceof Y.ContentString)) continue;
        const text = textOf(item, codes);
        if (text === undefined) continue;
        const from = Math.max(item.id.clock, clock);
        const to = Math.min(item.id.clock + item.length, end);
        const piece = item.content.str.slice(from - item.id.clock, to - item.id.clock);
        captureOf(into, text).deleted.push({ client, clock: from, text: piece });
      }
    }
  }
}

function captureOf(captures: Map<Y.Text, Capture>, text: Y.Text): Capture {
  const found = captures.get(text) ?? { inserted: [], deleted: [] };
  captures.set(text, found);
  return found;
}

function textOf(item: Y.Item, codes: Y.Map<unknown>): Y.Text | undefined {
  return item.parent instanceof Y.Text && item.parent._item?.parent === codes ? item.parent : undefined;
}

function isNew(text: Y.Text, { beforeState }: Y.Transaction): boolean {
  const id = text._item?.id;
  return id === undefined || id.clock >= (beforeState.get(id.client) ?? 0);
}

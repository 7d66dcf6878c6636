/**
 * Takes a text change back where it still stands: the characters it inserted go, those it deleted come back at
 * the very place they were taken from, whatever others typed around them meanwhile.
 */
import * as Y from 'yjs';
import type { TextChange } from '../write/change.ts';
import { type IdRange, overlapsOf, type Reborn, rangeOf } from './id-ranges.ts';

export interface RevertedText {
  readonly reborn: readonly Reborn[];
  /** Nothing of the change was left to take back. */
  readonly nothing: boolean;
}

type Step =
  | { readonly kind: 'delete'; readonly at: number; readonly length: number }
  | { readonly kind: 'insert'; readonly text: string; readonly from: IdRange };

export function revertText(transaction: Y.Transaction, text: Y.Text, change: TextChange): RevertedText {
  const steps = stepsOf(text, change);
  const reborn: Reborn[] = [];
  // From the end, so that the places of earlier steps stay what they are.
  for (const step of steps.reverse()) {
    if (step.kind === 'delete') text.delete(step.at, step.length);
    else reborn.push(insertAtGrave(transaction, text, step));
  }
  return { reborn, nothing: steps.length === 0 };
}

/**
 * Right behind the deleted characters. `Y.Text.insert` would go behind all deleted ones there are at that index,
 * and two words that came back one after the other would change places.
 */
function insertAtGrave(transaction: Y.Transaction, text: Y.Text, step: Step & { kind: 'insert' }): Reborn {
  const { doc } = transaction;
  const [client, clock, length] = step.from;
  const left = Y.getItemCleanEnd(transaction, doc.store, Y.createID(client, clock + length - 1));
  const { right } = left;
  const id = Y.createID(doc.clientID, Y.getState(doc.store, doc.clientID));
  const content = new Y.ContentString(step.text);
  const item = new Y.Item(id, left, left.lastId, right, right?.id ?? null, text, null, content);
  item.integrate(transaction, 0);
  // Yjs' own cache of indices knows nothing of this item.
  if (text._searchMarker !== null) text._searchMarker.length = 0;
  return { from: step.from, to: [id.client, id.clock] };
}

/** In the order of the text. One walk over its items, deleted ones included. */
function stepsOf(text: Y.Text, change: TextChange): Step[] {
  const steps: Step[] = [];
  const pieces = change.deleted.map(rangeOf);
  let index = 0;
  for (let item = text._start; item !== null; item = item.right) {
    const here = [item.id.client, item.id.clock, item.length] as const;
    if (!item.deleted && item.countable) {
      for (const [, clock, length] of inOrder(overlapsOf(here, change.inserted))) {
        steps.push({ kind: 'delete', at: index + clock - item.id.clock, length });
      }
      index += item.length;
    } else if (item.deleted && item.content instanceof Y.ContentString) {
      for (const [client, clock, length] of inOrder(overlapsOf(here, pieces))) {
        const start = clock - item.id.clock;
        const lost = item.content.str.slice(start, start + length);
        steps.push({ kind: 'insert', text: lost, from: [client, clock, length] });
      }
    }
  }
  return steps;
}

function inOrder(ranges: (readonly [number, number, number])[]): (readonly [number, number, number])[] {
  return ranges.sort((a, b) => a[1] - b[1]);
}

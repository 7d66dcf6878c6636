/**
 * Judges what an update would delete. Text and values of others may go, that is working together; entities and
 * texts as a whole may not, since edits that are on their way to them would be lost.
 */
import * as Y from 'yjs';
import type { Roots } from '../shape/roots.ts';
import { STAMP } from '../shape/tables.ts';
import { RESYNC, refused, type UpdateFault } from './fault.ts';
import { placeOfItem } from './place.ts';

export type Deletes = ReadonlyMap<number, readonly { readonly clock: number; readonly len: number }[]>;

/** `ends` is where each client of the update ends once it is applied. */
export function checkDeletes(
  roots: Roots,
  deletes: Deletes,
  ends: ReadonlyMap<number, number>,
): UpdateFault | undefined {
  for (const [client, ranges] of deletes) {
    const known = Y.getState(roots.doc.store, client);
    for (const { clock, len } of ranges) {
      if (clock + len > (ends.get(client) ?? known)) return RESYNC;
      const fault =
        known > clock ? rangeFault(roots, client, clock, Math.min(clock + len, known)) : undefined;
      if (fault !== undefined) return fault;
    }
  }
  return undefined;
}

function rangeFault(roots: Roots, client: number, clock: number, end: number): UpdateFault | undefined {
  const structs = roots.doc.store.clients.get(client) ?? [];
  for (let i = Y.findIndexSS(structs, clock); i < structs.length; i++) {
    const item = structs[i];
    if (item === undefined || item.id.clock >= end) return undefined;
    if (!(item instanceof Y.Item) || item.deleted) continue;
    if (item.content instanceof Y.ContentType) {
      return refused('removes-entity', 'the update removes an entity; it is to be marked as deleted');
    }
    const place = placeOfItem(roots, item);
    if (place?.kind === 'root' && place.root === STAMP) {
      return refused('stamp', 'only the server writes the form and epoch of a draft');
    }
  }
  return undefined;
}

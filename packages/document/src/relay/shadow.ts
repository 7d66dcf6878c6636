/**
 * The relay's own copy of a draft, against which every update is judged before it is stored and sent on.
 *
 * Owns the copy; does not own permissions (may this user edit now), storage, chunks or awareness. Invariants:
 * - R1 the copy is exactly what was taken, nothing pending;
 * - R2 what is judged is what is applied, stored and sent: the update encoded anew, not the bytes that came;
 * - R3 a refused update leaves no trace.
 * Costs in the size of the update, not of the draft; only a fault in Yjs itself makes the copy anew (R3).
 */
import * as Y from 'yjs';
import { openDocument, type PipelineDocument } from '../shape/open-document.ts';
import { emptyDoc } from '../shape/roots.ts';
import { checkDeletes } from './check-deletes.ts';
import { checkStructs } from './check-structs.ts';
import { refused, type UpdateFault } from './fault.ts';

export const MAX_UPDATE = 1024 * 1024;
export const MAX_DRAFT = 32 * 1024 * 1024;
/** Merging costs in the size of the draft, so it is done once in so many updates. */
const KEPT_APART = 1_000;
/** Of the copy, which never writes: no editor has it. */
const NOBODY = 0;

export interface Sender {
  /** Every client id that was ever issued to this user for this draft and epoch. */
  readonly clientIds: ReadonlySet<number>;
  /** Of the server's own edits, which may replace a whole folder: more than the limit of an update. */
  readonly maxUpdate?: number;
}

export type Taken =
  /** Store and send on these bytes. */
  | { readonly kind: 'taken'; readonly update: Uint8Array }
  /** All of it was here before, as after a lost acknowledgement. */
  | { readonly kind: 'known' }
  | UpdateFault;

export interface Shadow {
  readonly document: () => PipelineDocument;
  readonly take: (update: Uint8Array, sender: Sender) => Taken;
  readonly stateVector: () => Uint8Array;
  /** What a peer with this state vector lacks. */
  readonly missing: (stateVector: Uint8Array) => Uint8Array;
  readonly close: () => void;
}

/** `state` is all of the draft: stored updates, merged. */
export function openShadow(state: Uint8Array, limits = { update: MAX_UPDATE, draft: MAX_DRAFT }): Shadow {
  let copy = copyOf([state]);
  let taken: Uint8Array[] = [state];
  let size = state.length;

  const fits = (update: Uint8Array): boolean => {
    if (size + update.length <= limits.draft) return true;
    // Updates one by one are longer than what they amount to.
    taken = [Y.encodeStateAsUpdate(copy.doc)];
    size = taken[0]?.length ?? 0;
    return size + update.length <= limits.draft;
  };
  const take = (given: Uint8Array, sender: Sender): Taken => {
    if (given.length > (sender.maxUpdate ?? limits.update))
      return refused('too-large', 'an update has at most 1 MB; send it in parts');
    const read = readUpdate(copy, given);
    if (read === undefined) return refused('malformed', 'these bytes are no update of a draft');
    const fault = judge(copy, read, sender);
    if (fault !== undefined) return fault;
    if (isKnown(copy, read)) return { kind: 'known' };
    if (!fits(read.update))
      return refused('draft-too-large', 'the draft has reached 32 MB; remove code from it');
    if (!applies(copy, read.update)) {
      copy.close();
      copy = copyOf(taken);
      return refused('malformed', 'these bytes cannot be applied to the draft');
    }
    taken.push(read.update);
    size += read.update.length;
    if (taken.length > KEPT_APART) taken = [Y.encodeStateAsUpdate(copy.doc)];
    return { kind: 'taken', update: read.update };
  };
  return {
    document: () => copy,
    take,
    stateVector: () => Y.encodeStateVector(copy.doc),
    missing: (stateVector) => Y.encodeStateAsUpdate(copy.doc, stateVector),
    close: () => copy.close(),
  };
}

interface ReadUpdate {
  /** Without what the copy has; one encoding per content (R2). */
  readonly update: Uint8Array;
  readonly structs: ReturnType<typeof Y.decodeUpdate>['structs'];
  readonly deletes: ReturnType<typeof Y.decodeUpdate>['ds']['clients'];
}

function readUpdate({ doc }: PipelineDocument, given: Uint8Array): ReadUpdate | undefined {
  try {
    const update = Y.diffUpdate(given, Y.encodeStateVector(doc));
    const { structs, ds } = Y.decodeUpdate(update);
    return { update, structs, deletes: ds.clients };
  } catch {
    return undefined;
  }
}

function judge(
  copy: PipelineDocument,
  { structs, deletes }: ReadUpdate,
  sender: Sender,
): UpdateFault | undefined {
  try {
    const ends = new Map<number, number>();
    for (const { id, length } of structs) ends.set(id.client, id.clock + length);
    return checkStructs(copy, structs, sender.clientIds) ?? checkDeletes(copy, deletes, ends);
  } catch {
    return refused('malformed', 'these bytes make no sense in this draft');
  }
}

function isKnown({ doc }: PipelineDocument, { structs, deletes }: ReadUpdate): boolean {
  if (structs.length > 0) return false;
  for (const [client, ranges] of deletes) {
    const here = doc.store.clients.get(client) ?? [];
    for (const { clock, len } of ranges) {
      for (let i = Y.findIndexSS(here, clock); i < here.length; i++) {
        const struct = here[i];
        if (struct === undefined || struct.id.clock >= clock + len) break;
        if (!struct.deleted) return false;
      }
    }
  }
  return true;
}

/** R1. */
function applies({ doc }: PipelineDocument, update: Uint8Array): boolean {
  try {
    Y.applyUpdate(doc, update);
  } catch {
    return false;
  }
  return doc.store.pendingStructs === null && doc.store.pendingDs === null;
}

function copyOf(updates: readonly Uint8Array[]): PipelineDocument {
  const document = openDocument({ doc: emptyDoc(NOBODY) });
  for (const update of updates) Y.applyUpdate(document.doc, update);
  return document;
}

/**
 * A draft of this page alone: seeded from the folder the server has, written back as a folder a moment after an
 * edit, never while another write is on its way. A write that met another revision stops the saving and says so:
 * nobody's edits are written over.
 */
import {
  applyCommand,
  EMPTY_HISTORY,
  type History,
  readHistory,
  record,
  redo,
  type Stepped,
  seedDocument,
  toFolder,
  undo,
} from '@millrace/document';
import { type NodeTypes, readFolder } from '@millrace/graph';
import type { Draft, DraftState, SaveState } from './draft.ts';

export type PutOutcome =
  | { readonly kind: 'saved'; readonly revision: number }
  /** Somebody else has written meanwhile. */
  | { readonly kind: 'conflict' }
  | { readonly kind: 'failed'; readonly reason: string };

export interface DraftSource {
  readonly files: Readonly<Record<string, string>>;
  readonly revision: number;
  readonly readOnly: boolean;
  readonly types: NodeTypes;
  readonly put: (files: Readonly<Record<string, string>>, revision: number) => Promise<PutOutcome>;
  /** Where the history of undo is kept over a reload. */
  readonly storage?: Pick<Storage, 'getItem' | 'setItem'> | undefined;
  readonly key: string;
}

const QUIET_MS = 600;
const RETRY_MS = 3_000;
const OWN_CLIENT = 1;

export function openLocalDraft(source: DraftSource): Draft {
  const folder = readFolder(new Map(Object.entries(source.files)));
  const random = (): number => crypto.getRandomValues(new Uint32Array(1))[0]! / 2 ** 32;
  // A seed gives all text new ids: as another epoch, so that the history skips text of an earlier page.
  const document = seedDocument(folder, { epoch: source.revision + 1, clientId: OWN_CLIENT, random });
  const epoch = source.revision + 1;
  const listeners = new Set<() => void>();
  let history: History = storedHistory(source);
  let revision = source.revision;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let writing: Promise<void> | undefined;
  let isDirty = false;
  let save: SaveState = source.readOnly
    ? { kind: 'read-only', reason: 'This pipeline is a sample. Duplicate it to change it.' }
    : { kind: 'saved' };
  let state = stateOf(save, history);

  const tell = (): void => {
    state = stateOf(save, history);
    for (const listener of listeners) listener();
  };
  const become = (next: SaveState): void => {
    save = next;
    tell();
  };
  const schedule = (ms: number): void => {
    clearTimeout(timer);
    timer = setTimeout(() => void write(), ms);
  };
  const write = async (): Promise<void> => {
    if (writing !== undefined || !isDirty) return writing;
    isDirty = false;
    writing = source.put(Object.fromEntries(toFolder(document)), revision).then((outcome) => {
      writing = undefined;
      if (outcome.kind === 'saved') {
        revision = outcome.revision;
        become(isDirty ? { kind: 'saving' } : { kind: 'saved' });
        if (isDirty) schedule(QUIET_MS);
        return;
      }
      isDirty = true;
      if (outcome.kind === 'conflict') {
        become({ kind: 'unsaved', reason: 'Somebody else changed this draft. Reload to see it.' });
      } else {
        become({ kind: 'unsaved', reason: outcome.reason });
        schedule(RETRY_MS);
      }
    });
    return writing;
  };
  const edited = (): void => {
    if (source.readOnly) return;
    isDirty = true;
    if (save.kind !== 'unsaved') save = { kind: 'saving' };
    if (save.kind === 'saving') schedule(QUIET_MS);
  };
  document.doc.on('update', edited);

  const step = (taken: ReturnType<typeof undo>): ReturnType<typeof undo> => {
    if (taken.kind === 'stepped') keep((taken as Stepped).history);
    return taken;
  };
  const keep = (next: History): void => {
    history = next;
    storeHistory(source, history);
    tell();
  };

  return {
    document,
    run: (command, options = {}) => {
      if (source.readOnly)
        return { kind: 'refused', code: 'read-only', reason: 'this pipeline is read-only' };
      const result = applyCommand(document, command, { random, types: source.types });
      if (result.kind === 'refused') return result;
      const { changes } = result;
      keep(record(history, { label: result.command, at: Date.now(), epoch, changes, ...options }));
      return result;
    },
    undo: () => (source.readOnly ? { kind: 'nothing' } : step(undo(document, history, Date.now()))),
    redo: () => (source.readOnly ? { kind: 'nothing' } : step(redo(document, history, Date.now()))),
    state: () => state,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    flush: async () => {
      clearTimeout(timer);
      await writing;
      await write();
    },
    close: () => {
      clearTimeout(timer);
      document.doc.off('update', edited);
      document.close();
      listeners.clear();
    },
  };
}

function stateOf(save: SaveState, history: History): DraftState {
  return { save, undo: history.undo.at(-1)?.label, redo: history.redo.at(-1)?.label };
}

function storedHistory({ storage, key }: DraftSource): History {
  try {
    return readHistory(JSON.parse(storage?.getItem(`history:${key}`) ?? 'null'));
  } catch {
    return EMPTY_HISTORY;
  }
}

function storeHistory({ storage, key }: DraftSource, history: History): void {
  try {
    storage?.setItem(`history:${key}`, JSON.stringify(history));
  } catch {
    // A full storage costs undo over a reload, nothing else.
  }
}

/**
 * What one user did to one draft, and has taken back: plain data that the server keeps, shared by that user's
 * tabs. Owns no document. Invariants: `undo` is in the order of doing, `redo` in the order of undoing; an entry's
 * text ranges name living characters by their newest ids (H1); at most 500 entries and 1 MB (H2).
 */
import type { Change } from '../write/change.ts';

export interface HistoryEntry {
  /** Name of the command, for the menu: "Undo move". */
  readonly label: string;
  /** UTC ms of its latest edit. */
  readonly at: number;
  /** Of the document it was made in: ids of characters mean nothing in another. */
  readonly epoch: number;
  /** Edits of one gesture are one step. */
  readonly gesture?: string;
  readonly changes: readonly Change[];
  /** UTF-16 units of `changes` as JSON. */
  readonly size: number;
}

export interface History {
  readonly version: 1;
  readonly undo: readonly HistoryEntry[];
  readonly redo: readonly HistoryEntry[];
}

export const EMPTY_HISTORY: History = { version: 1, undo: [], redo: [] };

const MAX_ENTRIES = 500;
const MAX_SIZE = 1024 * 1024;

export function entryOf(entry: Omit<HistoryEntry, 'size'>): HistoryEntry {
  return { ...entry, size: JSON.stringify(entry.changes).length };
}

/** Forgets the oldest steps; a single one that is too large cannot be undone at all. */
export function bounded({ undo, redo }: History): History {
  return { version: 1, undo: newest(undo), redo: newest(redo) };
}

function newest(entries: readonly HistoryEntry[]): readonly HistoryEntry[] {
  let size = 0;
  let first = entries.length;
  while (first > 0 && entries.length - first < MAX_ENTRIES) {
    size += entries[first - 1]?.size ?? 0;
    if (size > MAX_SIZE) break;
    first--;
  }
  return first === 0 ? entries : entries.slice(first);
}

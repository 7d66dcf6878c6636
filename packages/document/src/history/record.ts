/** Adds what a command or a binding of the code editor did to a user's history. */
import type { Change } from '../write/change.ts';
import { belongTogether, coalesce } from './coalesce.ts';
import { bounded, entryOf, type History, type HistoryEntry } from './history.ts';

export interface Recorded {
  readonly label: string;
  /** UTC ms. */
  readonly at: number;
  readonly epoch: number;
  readonly changes: readonly Change[];
  /** The same for all edits of one drag, paste-and-connect, …; unique per gesture. */
  readonly gesture?: string;
}

/** A new edit ends what could be redone. An edit that changed nothing is no step. */
export function record(history: History, recorded: Recorded): History {
  if (recorded.changes.length === 0) return history;
  const entry = entryOf(recorded);
  const last = history.undo.at(-1);
  const joins = last !== undefined && history.redo.length === 0 && belongTogether(last, entry);
  const undo = joins ? [...history.undo.slice(0, -1), coalesce(last, entry)] : [...history.undo, entry];
  return bounded({ version: 1, undo: undo.filter(isStep), redo: [] });
}

function isStep({ changes }: HistoryEntry): boolean {
  return changes.some(
    (change) => change.kind === 'field' || change.inserted.length > 0 || change.deleted.length > 0,
  );
}

/**
 * Takes the last step back, or a taken-back one forward. Both are the same: the inverse of an entry is applied as
 * a new edit where the draft still holds what the entry wrote, and what that did becomes the entry on the other
 * side. Parts somebody else has changed since are left alone and told.
 */
import type { PipelineDocument } from '../shape/open-document.ts';
import { follow, type Reborn } from '../text/id-ranges.ts';
import type { Change } from '../write/change.ts';
import { revertChanges } from '../write/write-edits.ts';
import { bounded, entryOf, type History, type HistoryEntry } from './history.ts';

export interface Stepped {
  readonly kind: 'stepped';
  readonly label: string;
  readonly history: History;
  /** What the step changed, to show it: select these nodes, open that code. */
  readonly changes: readonly Change[];
  /** Parts that were left as they are, because somebody has changed them since. */
  readonly skipped: readonly Change[];
}

export interface NothingToStep {
  readonly kind: 'nothing';
}

export function undo(document: PipelineDocument, history: History, at: number): Stepped | NothingToStep {
  return step(document, history, 'undo', at);
}

export function redo(document: PipelineDocument, history: History, at: number): Stepped | NothingToStep {
  return step(document, history, 'redo', at);
}

type Side = 'undo' | 'redo';

function step(document: PipelineDocument, history: History, side: Side, at: number): Stepped | NothingToStep {
  const entry = history[side].at(-1);
  const epoch = document.epoch();
  if (entry === undefined || epoch === undefined) return { kind: 'nothing' };
  const isOfThis = (change: Change): boolean => change.kind === 'field' || entry.epoch === epoch;
  const reverted = revertChanges(document, entry.changes.filter(isOfThis));
  const { label } = entry;
  const inverse = entryOf({ label, at, epoch, changes: reverted.changes });
  const rest = history[side].slice(0, -1);
  const other = [...history[side === 'undo' ? 'redo' : 'undo']];
  const [from, to] = [rest, other].map((entries) => entries.map((one) => followed(one, reverted.reborn)));
  if (inverse.changes.length > 0) to?.push(inverse);
  const sides = side === 'undo' ? { undo: from, redo: to } : { undo: to, redo: from };
  return {
    kind: 'stepped',
    label,
    history: bounded({ version: 1, undo: sides.undo ?? [], redo: sides.redo ?? [] }),
    changes: reverted.changes,
    skipped: [...entry.changes.filter((change) => !isOfThis(change)), ...reverted.skipped],
  };
}

/** H1. */
function followed(entry: HistoryEntry, reborn: readonly Reborn[]): HistoryEntry {
  const isTouched = entry.changes.some((change) => change.kind === 'text');
  if (reborn.length === 0 || !isTouched) return entry;
  const changes = entry.changes.map((change) =>
    change.kind === 'text' ? { ...change, inserted: follow(change.inserted, reborn) } : change,
  );
  return entryOf({ ...entry, changes });
}

/** When two edits are one step, and what the step is then. */

import { sameStored } from '../shape/stored.ts';
import { joinRanges, overlapsOf, rangeOf, subtract, subtractPieces } from '../text/id-ranges.ts';
import type { Change, FieldChange, TextChange } from '../write/change.ts';
import { entryOf, type HistoryEntry } from './history.ts';

/** A pause of this long ends a burst of typing. */
const BURST_MS = 1_000;
/** So does a burst of this many characters: one undo should not take a page away. */
const BURST_CHARACTERS = 400;

export function belongTogether(last: HistoryEntry, next: HistoryEntry): boolean {
  if (last.epoch !== next.epoch) return false;
  if (last.gesture !== undefined || next.gesture !== undefined) return last.gesture === next.gesture;
  const code = typedCode(last);
  if (code === undefined || code !== typedCode(next)) return false;
  return next.at - last.at < BURST_MS && charactersOf(last) < BURST_CHARACTERS;
}

export function coalesce(last: HistoryEntry, next: HistoryEntry): HistoryEntry {
  let changes = [...last.changes];
  for (const change of next.changes) {
    changes = change.kind === 'text' ? withText(changes, change) : withField(changes, change);
  }
  const { label, epoch, gesture } = last;
  return entryOf({ label, epoch, at: next.at, changes, ...(gesture === undefined ? {} : { gesture }) });
}

function withField(changes: Change[], next: FieldChange): Change[] {
  const index = changes.findIndex((change) => change.kind === 'field' && isSameField(change, next));
  const first = changes[index];
  if (first?.kind !== 'field') return [...changes, next];
  const { before: _, ...rest } = next;
  const merged: FieldChange = first.before === undefined ? rest : { ...rest, before: first.before };
  return changes.flatMap((change, i) => {
    if (i !== index) return [change];
    return sameStored(merged.before, merged.after) ? [] : [merged];
  });
}

/** What was typed and deleted again within the step leaves nothing to undo. */
function withText(changes: Change[], next: TextChange): Change[] {
  const index = changes.findIndex((change) => change.kind === 'text' && change.code === next.code);
  const first = changes[index];
  if (first?.kind !== 'text') return [...changes, next];
  const undone = next.deleted.flatMap((piece) => overlapsOf(rangeOf(piece), first.inserted));
  const merged: TextChange = {
    kind: 'text',
    code: next.code,
    inserted: joinRanges([...subtract(first.inserted, undone), ...next.inserted]),
    deleted: [...first.deleted, ...subtractPieces(next.deleted, undone)],
  };
  return changes.map((change, i) => (i === index ? merged : change));
}

function isSameField(a: FieldChange, b: FieldChange): boolean {
  return a.table === b.table && a.id === b.id && a.field === b.field;
}

/** The one code an entry is about, where it is nothing but typing. */
function typedCode({ changes }: HistoryEntry): string | undefined {
  const [only, ...more] = changes;
  return only?.kind === 'text' && more.length === 0 ? only.code : undefined;
}

function charactersOf({ changes }: HistoryEntry): number {
  let count = 0;
  for (const change of changes) {
    if (change.kind !== 'text') continue;
    for (const [, , length] of change.inserted) count += length;
    for (const { text } of change.deleted) count += text.length;
  }
  return count;
}

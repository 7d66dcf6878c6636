/** A history as it comes back from where it was kept. What is no history is an empty one: undo is a convenience. */
import { isStored } from '../shape/stored.ts';
import { isEntityTable } from '../shape/tables.ts';
import type { Change } from '../write/change.ts';
import { bounded, EMPTY_HISTORY, entryOf, type History, type HistoryEntry } from './history.ts';

export function readHistory(value: unknown): History {
  if (!isObject(value) || value.version !== 1) return EMPTY_HISTORY;
  const [undo, redo] = [entries(value.undo), entries(value.redo)];
  return undo === undefined || redo === undefined ? EMPTY_HISTORY : bounded({ version: 1, undo, redo });
}

function entries(value: unknown): HistoryEntry[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const read = value.map(readEntry);
  return read.every((entry) => entry !== undefined) ? read : undefined;
}

function readEntry(value: unknown): HistoryEntry | undefined {
  if (!isObject(value) || !Array.isArray(value.changes) || !value.changes.every(isChange)) return undefined;
  const { label, at, epoch, gesture, changes } = value;
  if (typeof label !== 'string' || typeof at !== 'number' || typeof epoch !== 'number') return undefined;
  return entryOf({ label, at, epoch, changes, ...(typeof gesture === 'string' ? { gesture } : {}) });
}

function isChange(value: unknown): value is Change {
  if (!isObject(value)) return false;
  if (value.kind === 'text') {
    const { code, inserted, deleted } = value;
    if (typeof code !== 'string' || !Array.isArray(inserted) || !Array.isArray(deleted)) return false;
    return inserted.every(isRange) && deleted.every(isPiece);
  }
  const { table, id, field, before, after } = value;
  const isPlace = typeof table === 'string' && (table === 'settings' || isEntityTable(table));
  if (value.kind !== 'field' || !isPlace || typeof id !== 'string' || typeof field !== 'string') return false;
  return [before, after].every((side) => side === undefined || isStored(side));
}

function isRange(value: unknown): boolean {
  return Array.isArray(value) && value.length === 3 && value.every(isCount);
}

function isPiece(value: unknown): boolean {
  return isObject(value) && isCount(value.client) && isCount(value.clock) && typeof value.text === 'string';
}

function isCount(value: unknown): boolean {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

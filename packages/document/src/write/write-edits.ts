/**
 * Writes edits in one transaction and tells what they changed. An entity is never removed and its map never
 * replaced: edits of others that are still on their way would be lost with it. What is not there counts as
 * deleted, so making an entity is the change "no longer deleted", and undoing it hides the entity again.
 */
import * as Y from 'yjs';
import { fieldsOf, type Roots } from '../shape/roots.ts';
import { isStored, type Stored, sameStored, wellFormed } from '../shape/stored.ts';
import { DELETED, SETTINGS_ID, type Table } from '../shape/tables.ts';
import { captureTextChanges } from '../text/capture-text-changes.ts';
import type { Reborn } from '../text/id-ranges.ts';
import { revertText } from '../text/revert-text.ts';
import { wholeCharacters } from '../text/text-splices.ts';
import type { Change, FieldChange } from './change.ts';
import type { Edit, Splice } from './edit.ts';

/** Origin of our transactions; a binding that sees another one may capture it. */
export const COMMAND = 'millrace-command';

export function writeEdits(roots: Roots, edits: readonly Edit[]): Change[] {
  return inTransaction(roots, (fields) => {
    for (const edit of edits) writeEdit(roots, edit, fields);
  });
}

export interface Reverted {
  readonly changes: readonly Change[];
  /** Parts somebody has changed since; they were left as they are. */
  readonly skipped: readonly Change[];
  readonly reborn: readonly Reborn[];
}

/** Takes changes back, the latest first, each only where it still holds. */
export function revertChanges(roots: Roots, changes: readonly Change[]): Reverted {
  const skipped: Change[] = [];
  const reborn: Reborn[] = [];
  const made = inTransaction(roots, (fields, transaction) => {
    for (const change of [...changes].reverse()) {
      if (change.kind === 'field') {
        if (!revertField(roots, change, fields)) skipped.push(change);
        continue;
      }
      const text = roots.codes.get(change.code);
      const result =
        text instanceof Y.Text ? revertText(transaction, text, change) : { nothing: true, reborn: [] };
      if (result.nothing) skipped.push(change);
      reborn.push(...result.reborn);
    }
  });
  return { changes: made, skipped: skipped.reverse(), reborn };
}

function inTransaction(
  roots: Roots,
  work: (fields: FieldChange[], transaction: Y.Transaction) => void,
): Change[] {
  const fields: FieldChange[] = [];
  let transaction: Y.Transaction | undefined;
  roots.doc.transact((current) => {
    transaction = current;
    work(fields, current);
  }, COMMAND);
  const texts = transaction === undefined ? [] : captureTextChanges(roots, transaction);
  return [...fields, ...texts];
}

function writeEdit(roots: Roots, edit: Edit, changes: FieldChange[]): void {
  switch (edit.kind) {
    case 'create':
      createEntity(roots, edit, changes);
      return;
    case 'set':
      setField(roots, edit.table, edit.id, edit.field, edit.value, changes);
      return;
    case 'create-text':
      if (roots.codes.get(edit.code) instanceof Y.Text) return;
      roots.codes.set(edit.code, new Y.Text(lines(edit.text)));
      return;
    case 'splice-text': {
      const text = roots.codes.get(edit.code);
      if (text instanceof Y.Text) for (const splice of edit.splices) spliceText(text, splice);
    }
  }
}

function createEntity(roots: Roots, edit: Edit & { kind: 'create' }, changes: FieldChange[]): void {
  const { table, id } = edit;
  if (fieldsOf(roots, table, id) !== undefined) {
    for (const [field, value] of edit.fields) setField(roots, table, id, field, value, changes);
    setField(roots, table, id, DELETED, undefined, changes);
    return;
  }
  roots.tables[table].set(id, new Y.Map<unknown>(edit.fields));
  changes.push({ kind: 'field', table, id, field: DELETED, before: true });
}

/** Writes nothing where the value is there already: an equal value would still win over another's edit. */
function setField(
  roots: Roots,
  table: Table,
  id: string,
  field: string,
  value: Stored | undefined,
  changes: FieldChange[],
): void {
  const fields = fieldsOf(roots, table, id);
  if (fields === undefined) return;
  const raw = fields.get(field);
  const before = isStored(raw) ? raw : undefined;
  if (raw === undefined ? value === undefined : sameStored(before, value)) return;
  if (value === undefined) fields.delete(field);
  else fields.set(field, value);
  changes.push({
    kind: 'field',
    table,
    id,
    field,
    ...optional('before', before),
    ...optional('after', value),
  });
}

function revertField(roots: Roots, change: FieldChange, changes: FieldChange[]): boolean {
  const { table, id, field, before, after } = change;
  const fields = fieldsOf(roots, table, table === 'settings' ? SETTINGS_ID : id);
  if (fields === undefined || !sameStored(fields.get(field) as Stored | undefined, after)) return false;
  setField(roots, table, id, field, before, changes);
  return true;
}

function spliceText(text: Y.Text, splice: Splice): void {
  const { at, remove, insert } = wholeCharacters(text.toString(), splice);
  if (remove > 0) text.delete(at, remove);
  if (insert !== '') text.insert(at, lines(insert));
}

/** LF only: positions in the code editor and in the text must agree. */
export function lines(text: string): string {
  return wellFormed(text.replace(/\r\n?/g, '\n'));
}

function optional<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { [P in K]?: V });
}

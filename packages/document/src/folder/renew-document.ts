/**
 * The same draft in a new document of a later epoch: what it says now, without all it ever said. Deleted entities
 * and their code come along, under their ids, so that steps of a history that set fields still apply; text steps do
 * not. What lies at a place a draft does not have is left behind: this is the repair, too.
 */
import { openDocument, type PipelineDocument } from '../shape/open-document.ts';
import { codeOf, emptyDoc, fieldsOf } from '../shape/roots.ts';
import { isStored, type Stored } from '../shape/stored.ts';
import { ENTITY_TABLES, SCHEMA, SETTINGS_ID, type Table } from '../shape/tables.ts';
import type { Edit } from '../write/edit.ts';
import { writeEdits } from '../write/write-edits.ts';

export interface RenewOptions {
  /** Larger than that of the old document. */
  readonly epoch: number;
  /** The server's client id for this draft. */
  readonly clientId: number;
}

export function renewDocument(old: PipelineDocument, { epoch, clientId }: RenewOptions): PipelineDocument {
  const document = openDocument({ doc: emptyDoc(clientId) });
  document.doc.transact(() => {
    document.stamp.set('schema', SCHEMA);
    document.stamp.set('epoch', epoch);
    writeEdits(document, copies(old));
  });
  return document;
}

function copies(old: PipelineDocument): Edit[] {
  const edits: Edit[] = [];
  for (const [field, value] of storedFields(old, 'settings', SETTINGS_ID)) {
    edits.push({ kind: 'set', table: 'settings', id: SETTINGS_ID, field, value });
  }
  for (const table of ENTITY_TABLES) {
    for (const id of [...old.tables[table].keys()].sort()) {
      if (fieldsOf(old, table, id) === undefined) continue;
      edits.push({ kind: 'create', table, id, fields: storedFields(old, table, id) });
    }
  }
  for (const id of [...old.codes.keys()].sort()) {
    const text = codeOf(old, id)?.toString();
    if (text !== undefined) edits.push({ kind: 'create-text', code: id, text });
  }
  return edits;
}

function storedFields(old: PipelineDocument, table: Table, id: string): Map<string, Stored> {
  const fields = new Map<string, Stored>();
  for (const [field, value] of fieldsOf(old, table, id)?.entries() ?? []) {
    if (isStored(value)) fields.set(field, value);
  }
  return fields;
}

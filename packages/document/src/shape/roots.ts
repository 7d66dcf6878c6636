/** The Yjs document of a draft and its root maps. Yjs types stay inside this package and the code editor's binding. */
import * as Y from 'yjs';
import { CODES, DELETED, ENTITY_TABLES, type EntityTable, STAMP, type Table } from './tables.ts';

export interface Roots {
  readonly doc: Y.Doc;
  readonly tables: Readonly<Record<EntityTable, Y.Map<unknown>>>;
  readonly settings: Y.Map<unknown>;
  readonly codes: Y.Map<unknown>;
  readonly stamp: Y.Map<unknown>;
}

/** Nothing is collected: undo needs the places of deleted text, the relay the parents of late edits. */
export function emptyDoc(clientId?: number): Y.Doc {
  const doc = new Y.Doc({ gc: false });
  if (clientId !== undefined) doc.clientID = clientId;
  return doc;
}

export function rootsOf(doc: Y.Doc): Roots {
  const tables = Object.fromEntries(ENTITY_TABLES.map((name) => [name, doc.getMap(name)]));
  return {
    doc,
    tables: tables as Record<EntityTable, Y.Map<unknown>>,
    settings: doc.getMap('settings'),
    codes: doc.getMap(CODES),
    stamp: doc.getMap(STAMP),
  };
}

/** The map that holds an entity's fields; undefined where there is none, or something else in its place. */
export function fieldsOf(roots: Roots, table: Table, id: string): Y.Map<unknown> | undefined {
  if (table === 'settings') return roots.settings;
  const entity = roots.tables[table].get(id);
  return entity instanceof Y.Map ? entity : undefined;
}

export function codeOf(roots: Roots, id: string): Y.Text | undefined {
  const code = roots.codes.get(id);
  return code instanceof Y.Text ? code : undefined;
}

/** There is no such entity, or it was deleted: for commands both are the same. */
export function isGone(roots: Roots, table: EntityTable, id: string): boolean {
  const fields = fieldsOf(roots, table, id);
  return fields === undefined || fields.get(DELETED) === true;
}

/** The roots of a draft's document: which tables there are, and how an entity of each is named. */
import { type IdPrefix, isId, isParameterName } from '@millrace/graph';

/** The form of a document; written once, when the document is seeded. */
export const SCHEMA = 1;

/** Root maps from entity id to a map with one entry per field. */
export const ENTITY_TABLES = [
  'nodes',
  'streams',
  'parameters',
  'files',
  'layout',
  'notes',
  'groups',
] as const;
export type EntityTable = (typeof ENTITY_TABLES)[number];

/** `settings` is one map of fields; its only "entity" has the id `''`. */
export type Table = EntityTable | 'settings';
export const SETTINGS_ID = '';

/** Root map from the id of a node or file to its `Y.Text`. */
export const CODES = 'codes';
/** Root map with `schema` and `epoch`; only the server writes it. */
export const STAMP = 'document';

const PREFIXES: Readonly<Record<EntityTable | typeof CODES, readonly IdPrefix[]>> = {
  nodes: ['n'],
  streams: ['s'],
  parameters: [],
  files: ['f'],
  layout: ['n'],
  notes: ['t'],
  groups: ['g'],
  codes: ['n', 'f'],
};

/** What a new entity may be called. Older, odder ids of an imported folder are read but never made. */
export function isEntityId(table: EntityTable | typeof CODES, id: string): boolean {
  if (table === 'parameters') return isParameterName(id);
  return PREFIXES[table].some((prefix) => isId(prefix, id));
}

export function isEntityTable(name: string): name is EntityTable {
  return (ENTITY_TABLES as readonly string[]).includes(name);
}

/** Every entity has it: set when deleted, never unset by reading. */
export const DELETED = 'deleted';
/** A setting `path` of a node is the field `config.path`. */
export const CONFIG = 'config.';

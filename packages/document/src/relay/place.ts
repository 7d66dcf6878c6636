/** Where in a draft's document a struct belongs. Only these places exist; everything else is refused. */
import * as Y from 'yjs';
import type { Roots } from '../shape/roots.ts';
import { CODES, ENTITY_TABLES, type EntityTable, isEntityTable, STAMP } from '../shape/tables.ts';

export type Place =
  /** A key of a root map: an entity, the text of a code, a setting, the stamp. */
  | { readonly kind: 'root'; readonly root: string; readonly key: string }
  | { readonly kind: 'field'; readonly table: EntityTable; readonly id: string; readonly key: string }
  | { readonly kind: 'text'; readonly code: string };

/** Undefined where something lies that cannot be in a draft; only a document the relay did not guard has it. */
export function placeOfItem(roots: Roots, item: Y.Item): Place | undefined {
  const parent = item.parent;
  if (!(parent instanceof Y.AbstractType)) return undefined;
  if (parent._item === null) return rootPlace(rootName(roots, parent), item.parentSub);
  const holder = placeOfItem(roots, parent._item);
  return holder === undefined ? undefined : placeInside(holder, parent, item.parentSub);
}

export function rootPlace(root: string | undefined, key: string | null): Place | undefined {
  return root === undefined || key === null ? undefined : { kind: 'root', root, key };
}

/** Inside a type that lies at `holder`. */
export function placeInside(
  holder: Place,
  type: Y.AbstractType<unknown>,
  key: string | null,
): Place | undefined {
  if (holder.kind !== 'root') return undefined;
  if (holder.root === CODES) {
    return isText(type) && key === null ? { kind: 'text', code: holder.key } : undefined;
  }
  if (!isEntityTable(holder.root) || !isMap(type) || key === null) return undefined;
  return { kind: 'field', table: holder.root, id: holder.key, key };
}

export function samePlace(a: Place, b: Place): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Exactly these: a `Y.XmlText` is a `Y.Text` too. */
export function isMap(type: Y.AbstractType<unknown>): boolean {
  return type.constructor === Y.Map;
}

export function isText(type: Y.AbstractType<unknown>): boolean {
  return type.constructor === Y.Text;
}

function rootName(roots: Roots, type: Y.AbstractType<unknown>): string | undefined {
  if (type === roots.codes) return CODES;
  if (type === roots.settings) return 'settings';
  if (type === roots.stamp) return STAMP;
  return ENTITY_TABLES.find((table) => roots.tables[table] === type);
}

/**
 * One table as values. An entity is read again only when it changed, so its value keeps its identity otherwise:
 * selectors of the editor rely on that, and a command need not read a thousand nodes.
 */
import type { Issue } from '@millrace/graph';
import * as Y from 'yjs';
import { DELETED, type EntityTable } from '../shape/tables.ts';
import type { Entity } from './entity.ts';
import { error, shown } from './problem.ts';

export interface TableView<T> {
  /** Ids in order, deleted and unreadable entities left out. */
  readonly live: () => ReadonlyMap<string, T>;
  readonly isDeleted: (id: string) => boolean;
  readonly problems: () => readonly Issue[];
  readonly close: () => void;
}

interface Seen<T> {
  readonly state: 'live' | 'deleted' | 'unreadable';
  readonly value: T | undefined;
  readonly problems: readonly Issue[];
}

/** Longer ones are nothing people or our ids made. */
const MAX_ID = 200;

export function viewTable<T>(
  table: EntityTable,
  map: Y.Map<unknown>,
  read: (entity: Entity) => T | undefined,
): TableView<T> {
  const seen = new Map<string, Seen<T>>();
  const stale = new Set<string>(map.keys());
  let order: readonly string[] = [];
  let live: ReadonlyMap<string, T> = new Map();
  let problems: readonly Issue[] = [];
  const refresh = (): void => {
    if (stale.size === 0) return;
    let same = true;
    for (const id of stale) {
      const next = look(table, map, id, read);
      same &&= seen.has(id) === (next !== undefined);
      if (next === undefined) seen.delete(id);
      else seen.set(id, next);
    }
    stale.clear();
    // Sorting costs more than all the rest.
    if (!same) order = [...seen.keys()].sort();
    const found: [string, Seen<T>][] = [];
    for (const id of order) {
      const one = seen.get(id);
      if (one !== undefined) found.push([id, one]);
    }
    live = liveOf(found);
    problems = found.flatMap(([, one]) => one.problems);
  };
  const observe = (events: readonly Y.YEvent<Y.AbstractType<unknown>>[]): void => {
    for (const event of events) for (const id of touched(event, map)) stale.add(id);
  };
  map.observeDeep(observe);
  return {
    live: () => {
      refresh();
      return live;
    },
    isDeleted: (id) => {
      refresh();
      return seen.get(id)?.state === 'deleted';
    },
    problems: () => {
      refresh();
      return problems;
    },
    close: () => map.unobserveDeep(observe),
  };
}

function touched(event: Y.YEvent<Y.AbstractType<unknown>>, map: Y.Map<unknown>): Iterable<string> {
  if (event.target === map) return event.changes.keys.keys();
  const [id] = event.path;
  return id === undefined ? [] : [String(id)];
}

function look<T>(
  table: EntityTable,
  map: Y.Map<unknown>,
  id: string,
  read: (entity: Entity) => T | undefined,
): Seen<T> | undefined {
  const fields = map.get(id);
  if (fields === undefined) return undefined;
  const about = { path: `${table}.${id.slice(0, MAX_ID)}`, ...named(table, id) };
  if (!(fields instanceof Y.Map) || id === '' || id.length > MAX_ID || id === '__proto__') {
    const message = `${shown(about.path)} is no entity of a pipeline and was left out`;
    return { state: 'unreadable', value: undefined, problems: [error('wrong-entity', about, message)] };
  }
  if (fields.get(DELETED) === true) return { state: 'deleted', value: undefined, problems: [] };
  const problems: Issue[] = [];
  const value = read({ id, fields, about, problems });
  if (value === undefined && problems.length === 0) {
    problems.push(error('wrong-entity', about, `${shown(about.path)} lacks what it needs and was left out`));
  }
  return { state: value === undefined ? 'unreadable' : 'live', value, problems };
}

function named(table: EntityTable, id: string): { node?: string; stream?: string } {
  if (table === 'nodes' || table === 'layout') return { node: id };
  return table === 'streams' ? { stream: id } : {};
}

function liveOf<T>(found: readonly (readonly [string, Seen<T>])[]): Map<string, T> {
  const live = new Map<string, T>();
  for (const [id, { value }] of found) if (value !== undefined) live.set(id, value);
  return live;
}

/**
 * layout.json: where nodes stand, their groups, notes, and what streams are called. Never read by an engine. Positions and sizes are
 * `[x, y]` in canvas units. Reading is total; what is no layout of ours is left out.
 */
import { canonicalJson, parseJson, plainValue } from '@millrace/graph';
import { type Point, toPoint } from '../read/entity.ts';
import {
  EMPTY_LAYOUT,
  type Group,
  type Layout,
  type Note,
  type Placement,
  type StreamWords,
} from '../read/reading.ts';
import { isStreamName } from '../read/stream-name.ts';
import { MAX_VALUE, wellFormed } from '../shape/stored.ts';

export function readLayout(text: string | undefined): Layout {
  const { root } = text === undefined ? { root: undefined } : parseJson(text);
  if (root === undefined) return EMPTY_LAYOUT;
  const value = plainValue(root);
  return {
    nodes: readMap(member(value, 'nodes'), readPlacement),
    notes: readMap(member(value, 'notes'), readNote),
    groups: readMap(member(value, 'groups'), readGroup),
    streams: readMap(member(value, 'streams'), readStreamWords),
  };
}

/** Undefined where there is nothing to write: a folder without layout stays one. */
export function writeLayout(layout: Layout): string | undefined {
  const nodes = [...layout.nodes].filter(([, { at, size, group }]) => at ?? size ?? group);
  const { notes, groups, streams } = layout;
  if (nodes.length + notes.size + groups.size + streams.size === 0) return undefined;
  return canonicalJson({
    nodes: nodes.length === 0 ? undefined : new Map(nodes),
    notes: notes.size === 0 ? undefined : notes,
    groups: groups.size === 0 ? undefined : new Map([...groups].map(([id, group]) => [id, groupJson(group)])),
    streams: streams.size === 0 ? undefined : streams,
  });
}

function groupJson({ name, color, collapsed }: Group): unknown {
  return { name, color, collapsed: collapsed ? true : undefined };
}

function readPlacement(value: unknown): Placement | undefined {
  const place = { at: pointOf(value, 'at'), size: pointOf(value, 'size'), group: textOf(value, 'group') };
  return (place.at ?? place.size ?? place.group) === undefined ? undefined : place;
}

function readNote(value: unknown): Note | undefined {
  const text = textOf(value, 'text');
  if (text === undefined) return undefined;
  const at = pointOf(value, 'at') ?? [0, 0];
  return { text, at, size: pointOf(value, 'size'), color: textOf(value, 'color') };
}

function readGroup(value: unknown): Group | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const collapsed = member(value, 'collapsed') === true;
  return { name: textOf(value, 'name') ?? '', color: textOf(value, 'color'), collapsed };
}

function readStreamWords(value: unknown): StreamWords | undefined {
  const name = textOf(value, 'name');
  return name === undefined || !isStreamName(name) ? undefined : { name };
}

function readMap<V>(value: unknown, read: (value: unknown) => V | undefined): Map<string, V> {
  const result = new Map<string, V>();
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return result;
  for (const [id, entry] of Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) {
    const found = read(entry);
    if (found !== undefined) result.set(id, found);
  }
  return result;
}

function member(value: unknown, key: string): unknown {
  const isObject = typeof value === 'object' && value !== null && Object.hasOwn(value, key);
  return isObject ? (value as Record<string, unknown>)[key] : undefined;
}

function textOf(value: unknown, key: string): string | undefined {
  const found = member(value, key);
  return typeof found === 'string' && found.length <= MAX_VALUE ? wellFormed(found) : undefined;
}

function pointOf(value: unknown, key: string): Point | undefined {
  return toPoint(member(value, key));
}

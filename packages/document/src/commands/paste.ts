/** Pasting and duplicating: everything gets a new id, streams between the copies are kept (G1). */
import type { Node, Stream } from '@millrace/graph';
import { copySelection, type Selection } from '../clipboard/selection.ts';
import { codePathFor } from '../folder/file-paths.ts';
import type { Point } from '../read/entity.ts';
import type { Edit } from '../write/edit.ts';
import { groupFields, nodeFields, noteFields, placementFields } from '../write/entity-fields.ts';
import type { SelectionCommand } from './command.ts';
import { type Decision, decided, nameFault, refuse, type Scene } from './decision.ts';
import { MAX_CODE } from './files.ts';
import { configFault, freeName, takenNames, takenPaths } from './nodes.ts';
import { createStream } from './streams.ts';

type Of<K extends SelectionCommand['kind']> = Extract<SelectionCommand, { kind: K }>;

const MAX_PASTED = 2_000;

export function paste(scene: Scene, { selection, at }: Of<'paste'>): Decision {
  const [left, top] = cornerOf(selection);
  return pasteBy(scene, selection, [at[0] - left, at[1] - top]);
}

export function duplicate(scene: Scene, { nodes, notes, by }: Of<'duplicate'>): Decision {
  return pasteBy(scene, copySelection(scene.document, { nodes, notes: notes ?? [] }), by);
}

function pasteBy(scene: Scene, selection: Selection, by: Point): Decision {
  const fault = selectionFault(selection);
  if (fault !== undefined) return fault;
  const { pipeline, layout } = selection;
  const ids = new Map<string, string>();
  for (const id of pipeline.nodes.keys()) ids.set(id, scene.mint('n'));
  const groups = new Map([...layout.groups.keys()].map((id) => [id, scene.mint('g')]));
  const notes = [...layout.notes].map(([, note]) => ({ id: scene.mint('t'), note }));
  const shift = (at: Point | undefined): Point | undefined => at && [at[0] + by[0], at[1] + by[1]];
  const edits: Edit[] = [];
  for (const [id, group] of layout.groups) {
    edits.push({ kind: 'create', table: 'groups', id: groups.get(id) as string, fields: groupFields(group) });
  }
  edits.push(...nodeEdits(scene, selection, ids));
  for (const [id, now] of ids) {
    const place = layout.nodes.get(id);
    const placed = { ...place, at: shift(place?.at ?? [0, 0]), group: groups.get(place?.group ?? '') };
    edits.push({ kind: 'create', table: 'layout', id: now, fields: placementFields(placed) });
  }
  for (const { id, from, to, keyBy } of pipeline.streams.values()) {
    const [source, target] = [ids.get(from[0]), ids.get(to[0])];
    if (source === undefined || target === undefined) continue;
    const copy: Omit<Stream, 'id'> = { from: [source, from[1]], to: [target, to[1]], keyBy };
    edits.push(createStream(scene.mint('s'), copy, layout.streams.get(id)));
  }
  for (const { id, note } of notes) {
    const moved = { ...note, at: shift(note.at) as Point };
    edits.push({ kind: 'create', table: 'notes', id, fields: noteFields(moved) });
  }
  return decided(edits, [...ids.values(), ...notes.map(({ id }) => id)]);
}

function nodeEdits(scene: Scene, { pipeline, codes }: Selection, ids: ReadonlyMap<string, string>): Edit[] {
  const [names, paths] = [takenNames(scene), takenPaths(scene)];
  return [...ids].flatMap(([old, id]): Edit[] => {
    const node = pipeline.nodes.get(old) as Node;
    const name = freeName(node.name, names);
    const code = node.code === undefined ? undefined : codePathFor(name, paths);
    names.add(name);
    if (code !== undefined) paths.add(code);
    const create: Edit = { kind: 'create', table: 'nodes', id, fields: nodeFields({ ...node, name, code }) };
    return code === undefined
      ? [create]
      : [create, { kind: 'create-text', code: id, text: codes.get(old) ?? '' }];
  });
}

function selectionFault({ pipeline, layout, codes }: Selection): Decision | undefined {
  const size = pipeline.nodes.size + layout.notes.size;
  if (size === 0) return refuse('nothing', 'there is nothing in it to paste');
  if (size > MAX_PASTED) return refuse('too-many', `at most ${MAX_PASTED} nodes can be pasted at once`);
  for (const node of pipeline.nodes.values()) {
    const fault = nameFault(node.name) ?? configFault(node.config);
    if (fault !== undefined) return fault;
  }
  for (const text of codes.values()) {
    if (text.length > MAX_CODE) return refuse('too-long', 'a file of code has at most 1 Mi characters');
  }
  return undefined;
}

function cornerOf({ layout }: Selection): Point {
  const places = [...layout.nodes.values(), ...layout.notes.values()].map(({ at }) => at);
  const points = places.filter((at) => at !== undefined);
  if (points.length === 0) return [0, 0];
  return [Math.min(...points.map(([x]) => x)), Math.min(...points.map(([, y]) => y))];
}

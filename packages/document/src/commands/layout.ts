/** Places, sizes, notes and groups: what only the editor sees. */

import { toPoint } from '../read/entity.ts';
import { isGone } from '../shape/roots.ts';
import { toStored } from '../shape/stored.ts';
import type { EntityTable } from '../shape/tables.ts';
import type { Edit } from '../write/edit.ts';
import { fields, groupFields, noteFields } from '../write/entity-fields.ts';
import type { LayoutCommand } from './command.ts';
import { type Decision, decided, nameFault, noNode, refuse, type Scene, setValue } from './decision.ts';
import { mark } from './delete.ts';

type Of<K extends LayoutCommand['kind']> = Extract<LayoutCommand, { kind: K }>;

const MAX_NOTE = 20_000;

/** Of a drag those nodes move that are still there. */
export function move(scene: Scene, { places }: Of<'move'>): Decision {
  const edits: Edit[] = [];
  for (const [id, at] of places) {
    if (toPoint(at) === undefined) return refuse('bad-place', 'that place is too far away');
    edits.push(...placeEdits(scene, id, 'at', at));
  }
  return edits.length > 0 ? decided(edits) : refuse('nothing', 'what was moved is not there any more');
}

export function resize(scene: Scene, { id, size }: Of<'resize'>): Decision {
  if (size !== undefined && toPoint(size) === undefined) return refuse('bad-size', 'that is too large');
  const edits = placeEdits(scene, id, 'size', size);
  return edits.length > 0 ? decided(edits) : refuse('nothing', 'what was resized is not there any more');
}

function placeEdits(scene: Scene, id: string, field: string, value: unknown): Edit[] {
  const { pipeline, layout } = scene.reading;
  if (layout.notes.has(id)) return [setValue('notes', id, field, value)];
  return pipeline.nodes.has(id) ? [placeEdit(scene, id, field, value)] : [];
}

/** A node that came by a folder without layout has no entry yet. */
export function placeEdit({ document }: Scene, id: string, field: string, value: unknown): Edit {
  if (!isGone(document, 'layout', id)) return setValue('layout', id, field, value);
  return { kind: 'create', table: 'layout', id, fields: fields({ [field]: value }) };
}

export function addNote({ mint }: Scene, command: Of<'add-note'>): Decision {
  const { text, at, size, color } = command;
  if (text.length > MAX_NOTE) return noteTooLong();
  const id = mint('t');
  return decided(
    [{ kind: 'create', table: 'notes', id, fields: noteFields({ text, at, size, color }) }],
    [id],
  );
}

export function editNote({ reading }: Scene, { note, text, color }: Of<'edit-note'>): Decision {
  if (!reading.layout.notes.has(note)) return refuse('no-note', 'the note is not there any more');
  if ((text?.length ?? 0) > MAX_NOTE) return noteTooLong();
  return decided(given('notes', note, { text, color }));
}

export function group(scene: Scene, { nodes, name, color }: Of<'group'>): Decision {
  const missing = nodes.find((id) => !scene.reading.pipeline.nodes.has(id));
  if (missing !== undefined) return noNode(missing);
  if (nodes.length === 0) return refuse('nothing', 'select the nodes that belong together first');
  const fault = nameFault(name);
  if (fault !== undefined) return fault;
  const id = scene.mint('g');
  const create: Edit = {
    kind: 'create',
    table: 'groups',
    id,
    fields: groupFields({ name: name.trim(), color, collapsed: false }),
  };
  return decided([create, ...nodes.map((node) => placeEdit(scene, node, 'group', id))], [id]);
}

/** The nodes keep the name of their group: bringing it back brings them back into it. */
export function ungroup({ reading }: Scene, { groups }: Of<'ungroup'>): Decision {
  const missing = groups.find((id) => !reading.layout.groups.has(id));
  if (missing !== undefined || groups.length === 0) return noGroup();
  return decided(mark('groups', groups));
}

export function putIntoGroup(scene: Scene, command: Of<'put-into-group'>): Decision {
  const { pipeline, layout } = scene.reading;
  const missing = command.nodes.find((id) => !pipeline.nodes.has(id));
  if (missing !== undefined) return noNode(missing);
  if (command.group !== undefined && !layout.groups.has(command.group)) return noGroup();
  return decided(command.nodes.map((node) => placeEdit(scene, node, 'group', command.group)));
}

export function editGroup({ reading }: Scene, command: Of<'edit-group'>): Decision {
  const { group: id, name, color, collapsed } = command;
  if (!reading.layout.groups.has(id)) return noGroup();
  const fault = name === undefined ? undefined : nameFault(name);
  return fault ?? decided(given('groups', id, { name: name?.trim(), color, collapsed }));
}

function given(table: EntityTable, id: string, values: Readonly<Record<string, unknown>>): Edit[] {
  const entries = Object.entries(values).filter(([, value]) => toStored(value) !== undefined);
  return entries.map(([field, value]) => setValue(table, id, field, value));
}

function noGroup(): Decision {
  return refuse('no-group', 'the group is not there any more');
}

function noteTooLong(): Decision {
  return refuse('too-long', `a note has at most ${MAX_NOTE} characters; move text into a file`);
}

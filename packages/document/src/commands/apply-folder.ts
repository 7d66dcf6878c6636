/**
 * Import and restore: the draft becomes the folder by edits of what differs, entity by id, field by field, text by
 * the part that changed. The draft keeps its own pipeline id (G1). Other people's edits elsewhere stay.
 */
import type { PipelineFolder } from '@millrace/graph';
import { type FolderContents, folderContents } from '../folder/folder-contents.ts';
import { fieldsOf, isGone } from '../shape/roots.ts';
import { DELETED, type EntityTable, isEntityId, SETTINGS_ID } from '../shape/tables.ts';
import { textSplices } from '../text/text-splices.ts';
import type { Edit, FieldValues } from '../write/edit.ts';
import {
  fields,
  groupFields,
  nodeFields,
  noteFields,
  parameterFields,
  placementFields,
  streamFields,
} from '../write/entity-fields.ts';
import { lines } from '../write/write-edits.ts';
import { type Decision, decided, nameFault, refuse, type Scene, set, setValue } from './decision.ts';
import { MAX_CODE } from './files.ts';
import { configFault } from './nodes.ts';

export function applyFolder(scene: Scene, { folder }: { readonly folder: PipelineFolder }): Decision {
  if (!folder.readable) return refuse('unreadable', 'the folder holds no pipeline this version can read');
  const contents = folderContents(folder);
  const fault = contentsFault(contents);
  if (fault !== undefined) return fault;
  const { pipeline, layout } = contents;
  const name = fields({ name: pipeline.name }).get('name');
  const edits: Edit[] = [
    set('settings', SETTINGS_ID, 'name', name),
    ...tableEdits(scene, 'nodes', mapped(pipeline.nodes, nodeFields)),
    ...tableEdits(
      scene,
      'streams',
      mapped(pipeline.streams, (stream) => streamFields(stream, layout.streams.get(stream.id))),
    ),
    ...tableEdits(scene, 'parameters', mapped(pipeline.parameters, parameterFields)),
    ...tableEdits(scene, 'layout', mapped(layout.nodes, placementFields)),
    ...tableEdits(scene, 'notes', mapped(layout.notes, noteFields)),
    ...tableEdits(scene, 'groups', mapped(layout.groups, groupFields)),
    ...[...contents.codes].flatMap(([id, text]) => textEdits(scene, id, text)),
    ...fileEdits(scene, contents.files),
  ];
  return decided(edits);
}

function contentsFault({ pipeline, layout, codes, files }: FolderContents): Decision | undefined {
  const tables: [EntityTable, Iterable<string>][] = [
    ['nodes', pipeline.nodes.keys()],
    ['streams', pipeline.streams.keys()],
    ['layout', layout.nodes.keys()],
    ['notes', layout.notes.keys()],
    ['groups', layout.groups.keys()],
  ];
  for (const [table, ids] of tables) {
    const odd = [...ids].find((id) => !isEntityId(table, id));
    if (odd !== undefined) return refuse('bad-id', `'${odd.slice(0, 80)}' cannot be an id in ${table}`);
  }
  for (const node of pipeline.nodes.values()) {
    const fault = nameFault(node.name) ?? configFault(node.config);
    if (fault !== undefined) return fault;
  }
  const long = [...codes.values(), ...files.values()].some((text) => text.length > MAX_CODE);
  return long ? refuse('too-long', 'a file of code has at most 1 Mi characters') : undefined;
}

/** Entities the folder has not are deleted; of the others the fields that differ are set. */
function tableEdits(scene: Scene, table: EntityTable, wanted: ReadonlyMap<string, FieldValues>): Edit[] {
  const { document } = scene;
  const edits: Edit[] = [];
  for (const id of document.tables[table].keys()) {
    if (!wanted.has(id) && !isGone(document, table, id)) edits.push(setValue(table, id, DELETED, true));
  }
  for (const [id, values] of wanted) {
    const now = fieldsOf(document, table, id);
    if (now === undefined) {
      edits.push({ kind: 'create', table, id, fields: values });
      continue;
    }
    for (const field of now.keys()) {
      if (!values.has(field)) edits.push(set(table, id, field, undefined));
    }
    for (const [field, value] of values) edits.push(set(table, id, field, value));
  }
  return edits;
}

function textEdits({ document }: Scene, code: string, text: string): Edit[] {
  const now = document.code(code);
  if (now === undefined) return [{ kind: 'create-text', code, text }];
  const splices = textSplices(now.toString(), lines(text));
  return splices.length === 0 ? [] : [{ kind: 'splice-text', code, splices }];
}

/** Files have no id in a folder: they are matched by path. */
function fileEdits(scene: Scene, wanted: ReadonlyMap<string, string>): Edit[] {
  const byPath = new Map([...scene.reading.files.values()].map(({ id, path }) => [path, id]));
  const edits: Edit[] = [];
  for (const [path, id] of byPath) if (!wanted.has(path)) edits.push(setValue('files', id, DELETED, true));
  for (const [path, text] of wanted) {
    const id = byPath.get(path) ?? deletedFile(scene, path);
    if (id !== undefined) {
      edits.push(set('files', id, DELETED, undefined), ...textEdits(scene, id, text));
      continue;
    }
    const fresh = scene.mint('f');
    edits.push({ kind: 'create', table: 'files', id: fresh, fields: fields({ path }) });
    edits.push({ kind: 'create-text', code: fresh, text });
  }
  return edits;
}

function deletedFile({ document }: Scene, path: string): string | undefined {
  const ids = [...document.tables.files.keys()].sort();
  return ids.find(
    (id) => fieldsOf(document, 'files', id)?.get('path') === path && isGone(document, 'files', id),
  );
}

function mapped<V>(
  map: ReadonlyMap<string, V>,
  write: (value: V) => FieldValues,
): ReadonlyMap<string, FieldValues> {
  return new Map([...map].map(([id, value]) => [id, write(value)]));
}

/** Makes a draft from a folder. Only the server does, once per draft and epoch: two seeds would be two drafts. */
import { mintId, type PipelineFolder, type Random } from '@millrace/graph';
import { openDocument, type PipelineDocument } from '../shape/open-document.ts';
import { emptyDoc } from '../shape/roots.ts';
import { SCHEMA, SETTINGS_ID } from '../shape/tables.ts';
import type { Edit } from '../write/edit.ts';
import {
  fields,
  groupFields,
  nodeFields,
  noteFields,
  parameterFields,
  placementFields,
  streamFields,
} from '../write/entity-fields.ts';
import { writeEdits } from '../write/write-edits.ts';
import { type FolderContents, folderContents } from './folder-contents.ts';

export interface SeedOptions {
  /** From 1; each document of the same draft has a larger one. */
  readonly epoch: number;
  /** The server's client id for this draft. */
  readonly clientId: number;
  readonly random: Random;
}

export function seedDocument(folder: PipelineFolder, options: SeedOptions): PipelineDocument {
  const document = openDocument({ doc: emptyDoc(options.clientId) });
  document.doc.transact(() => {
    document.stamp.set('schema', SCHEMA);
    document.stamp.set('epoch', options.epoch);
    writeEdits(document, seedEdits(folderContents(folder), options.random));
  });
  return document;
}

function seedEdits({ pipeline, layout, codes, files }: FolderContents, random: Random): Edit[] {
  const edits: Edit[] = [];
  const create = (
    table: Extract<Edit, { kind: 'create' }>['table'],
    id: string,
    of: ReturnType<typeof fields>,
  ) => edits.push({ kind: 'create', table, id, fields: of });
  for (const [field, value] of fields({ id: pipeline.id, name: pipeline.name })) {
    edits.push({ kind: 'set', table: 'settings', id: SETTINGS_ID, field, value });
  }
  for (const [id, node] of pipeline.nodes) create('nodes', id, nodeFields(node));
  for (const [id, stream] of pipeline.streams) {
    create('streams', id, streamFields(stream, layout.streams.get(id)));
  }
  for (const [name, parameter] of pipeline.parameters) create('parameters', name, parameterFields(parameter));
  for (const [id, place] of layout.nodes) create('layout', id, placementFields(place));
  for (const [id, note] of layout.notes) create('notes', id, noteFields(note));
  for (const [id, group] of layout.groups) create('groups', id, groupFields(group));
  for (const [code, text] of codes) edits.push({ kind: 'create-text', code, text });
  for (const [path, text] of files) {
    const id = mintId('f', random);
    create('files', id, fields({ path }));
    edits.push({ kind: 'create-text', code: id, text });
  }
  return edits;
}

/**
 * A part of a pipeline on its way: copied, cut, pasted into another pipeline or window, or exported. It is a small
 * pipeline of its own, so one reader, the folder's, judges what comes from a clipboard.
 */
import {
  canonicalJson,
  LAYOUT_FILE,
  MAX_FOLDER_CHARACTERS,
  PIPELINE_FILE,
  parseJson,
  plainValue,
  readFolder,
  writeFolder,
} from '@millrace/graph';
import { type FolderContents, folderContents } from '../folder/folder-contents.ts';
import { writeLayout } from '../folder/layout-json.ts';
import type { PipelineDocument } from '../shape/open-document.ts';

/** `pipeline.id` is undefined, `files` is empty: a selection has nodes, streams between them, notes and groups. */
export type Selection = FolderContents;

export interface Selected {
  readonly nodes: readonly string[];
  readonly notes?: readonly string[];
}

/** What is not there any more is left out. */
export function copySelection(document: PipelineDocument, selected: Selected): Selection {
  const { pipeline, layout } = document.read();
  const nodes = pick(pipeline.nodes, selected.nodes);
  const streams = [...pipeline.streams].filter(([, { from, to }]) => nodes.has(from[0]) && nodes.has(to[0]));
  const places = pick(layout.nodes, nodes.keys());
  const groups = [...places.values()].map(({ group }) => group).filter((id) => id !== undefined);
  const codes = new Map<string, string>();
  for (const id of nodes.keys()) {
    const text = document.code(id)?.toString();
    if (text !== undefined) codes.set(id, text);
  }
  return {
    pipeline: { id: undefined, name: pipeline.name, nodes, streams: new Map(streams), parameters: new Map() },
    layout: {
      nodes: places,
      notes: pick(layout.notes, selected.notes ?? []),
      groups: pick(layout.groups, groups),
      streams: pick(
        layout.streams,
        streams.map(([id]) => id),
      ),
    },
    codes,
    files: new Map(),
  };
}

const MARKER = 'selection';

/** For the system's clipboard: JSON that other programs show as it is. */
export function selectionText({ pipeline, layout, codes }: Selection): string {
  const files = new Map<string, string>();
  for (const [id, text] of codes) {
    const path = pipeline.nodes.get(id)?.code;
    if (path !== undefined) files.set(path, text);
  }
  const folder = writeFolder(pipeline, files);
  const code = new Map([...folder].filter(([path]) => path !== PIPELINE_FILE));
  return canonicalJson({
    millrace: MARKER,
    pipeline: jsonOf(folder.get(PIPELINE_FILE)),
    layout: jsonOf(writeLayout(layout)),
    code: code.size === 0 ? undefined : code,
  });
}

/** Undefined for any text that is no selection: pasting it is not an error, just nothing of ours. */
export function readSelection(text: string): Selection | undefined {
  if (text.length > MAX_FOLDER_CHARACTERS || !text.includes('"millrace"')) return undefined;
  const { root } = parseJson(text);
  const value = root === undefined ? undefined : plainValue(root);
  if (member(value, 'millrace') !== MARKER) return undefined;
  const files = new Map([[PIPELINE_FILE, canonicalJson(member(value, 'pipeline'))]]);
  const layout = member(value, 'layout');
  if (layout !== undefined) files.set(LAYOUT_FILE, canonicalJson(layout));
  for (const [path, code] of Object.entries(member(value, 'code') ?? {})) {
    if (typeof code === 'string' && !files.has(path)) files.set(path, code);
  }
  const folder = readFolder(files);
  return folder.readable ? { ...folderContents(folder), files: new Map() } : undefined;
}

function jsonOf(text: string | undefined): unknown {
  const { root } = text === undefined ? { root: undefined } : parseJson(text);
  return root === undefined ? undefined : plainValue(root);
}

function member(value: unknown, key: string): unknown {
  const isObject = typeof value === 'object' && value !== null && Object.hasOwn(value, key);
  return isObject ? (value as Record<string, unknown>)[key] : undefined;
}

function pick<V>(map: ReadonlyMap<string, V>, ids: Iterable<string>): Map<string, V> {
  const picked = new Map<string, V>();
  for (const id of [...new Set(ids)].sort()) {
    const value = map.get(id);
    if (value !== undefined) picked.set(id, value);
  }
  return picked;
}

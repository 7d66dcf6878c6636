/**
 * What becomes of a folder that somebody hands in for a pipeline: the form it is stored in, and all that is wrong
 * with it. Issues never refuse a draft (G3); only what is no folder of this pipeline is refused.
 *
 * D1 A folder without a fault of form is stored canonically. One with a fault is stored as it was written, since
 *    the canonical form would leave out what could not be read.
 * D2 A stored folder that can be read carries the id of its pipeline, or none.
 */
import {
  hashFolder,
  type Issue,
  MAX_FOLDER_CHARACTERS,
  type NodeTypes,
  type PipelineFolder,
  readFolder,
  validateFolder,
  writeFolder,
} from '@millrace/graph';
import { type PathFault, pathFaults } from './path-faults.ts';

export type Files = ReadonlyMap<string, string>;

export interface DraftFolder {
  readonly kind: 'draft';
  readonly folder: PipelineFolder;
  readonly files: Files;
  readonly hash: string;
  /** What the folder calls itself; undefined where it has no usable name. */
  readonly name: string | undefined;
  /** Of form and graph. Those of the code need the compiler. */
  readonly issues: readonly Issue[];
}

export type ReadDraft =
  | DraftFolder
  | { readonly kind: 'refused'; readonly faults: readonly Pick<PathFault, 'path' | 'message'>[] }
  | { readonly kind: 'other-pipeline'; readonly id: string };

export interface DraftPurpose {
  readonly id: string;
  readonly types: NodeTypes;
  /** A copy or an import takes the id whatever the folder says; an edit must be one of this pipeline. */
  readonly takeId?: boolean;
  readonly name?: string | undefined;
}

export const MAX_FILES = 2_000;
const MAX_NAME = 200;

export async function draftFolder(given: Files, purpose: DraftPurpose): Promise<ReadDraft> {
  const faults = folderFaults(given);
  if (faults.length > 0) return { kind: 'refused', faults };
  const read = readFolder(given);
  const { id } = read.pipeline;
  if (purpose.takeId !== true && id !== undefined && id !== purpose.id) return { kind: 'other-pipeline', id };
  return draftOf(read, purpose);
}

/** Of a folder that was read and is known to be this pipeline's. */
export async function draftOf(read: PipelineFolder, purpose: DraftPurpose): Promise<DraftFolder> {
  const files = read.issues.length === 0 ? canonical(read, purpose) : read.files;
  const folder = readFolder(files);
  const issues = validateFolder(folder, purpose.types);
  const { name } = folder.pipeline;
  const usable = isName(name) ? name : undefined;
  return { kind: 'draft', folder, files, hash: await hashFolder(files), name: usable, issues };
}

export const isName = (name: string): boolean =>
  name.trim() !== '' && name.length <= MAX_NAME && !/[\p{Cc}\p{Cs}]/u.test(name);

export function blankFolder(id: string, name: string): Files {
  const pipeline = { id, name, nodes: new Map(), streams: new Map(), parameters: new Map() };
  return writeFolder(pipeline, new Map());
}

function canonical({ pipeline, files }: PipelineFolder, { id, name }: DraftPurpose): Files {
  return writeFolder({ ...pipeline, id, name: name ?? pipeline.name }, files);
}

function folderFaults(given: Files): Pick<PathFault, 'path' | 'message'>[] {
  if (given.size > MAX_FILES)
    return [
      { path: '', message: `The folder has ${given.size} files; a pipeline has at most ${MAX_FILES}.` },
    ];
  const characters = [...given.values()].reduce((sum, text) => sum + text.length, 0);
  if (characters > MAX_FOLDER_CHARACTERS)
    return [{ path: '', message: 'The folder holds more than 16 MB of text; move data out of it.' }];
  return pathFaults([...given.keys()]);
}

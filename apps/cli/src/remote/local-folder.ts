/** A pipeline folder on disk as the commands of a server see it. */
import { connectorSpecs } from '@millrace/connectors';
import {
  hashFolder,
  type Issue,
  isId,
  nodeTypes,
  type PipelineFolder,
  readFolder,
  validateFolder,
  writeFolder,
} from '@millrace/graph';
import { readFolderFromDisk, reasonOf } from '../folder/read-folder-from-disk.ts';

export interface LocalFolder {
  readonly named: string;
  readonly root: string;
  readonly folder: PipelineFolder;
  /** Undefined where pipeline.json has none yet. */
  readonly id: string | undefined;
  /** As the server hashes it. */
  readonly hash: string;
  /** Of disk, form and graph. */
  readonly issues: readonly Issue[];
}

export async function readLocalFolder(named: string): Promise<LocalFolder> {
  const { root, files, issues } = await readFolderFromDisk(named).catch((error: unknown) => {
    throw new Error(`The pipeline folder ${named} cannot be read: ${reasonOf(error)}.`);
  });
  const folder = readFolder(files);
  const { id } = folder.pipeline;
  return {
    named,
    root,
    folder,
    id: id !== undefined && isId('p', id) ? id : undefined,
    hash: await canonicalHash(folder),
    issues: [...issues, ...validateFolder(folder, nodeTypes(connectorSpecs))],
  };
}

/** A folder with faults of form is stored as it is, and so it is hashed. */
const canonicalHash = (folder: PipelineFolder): Promise<string> =>
  hashFolder(folder.issues.length === 0 ? writeFolder(folder.pipeline, folder.files) : folder.files);

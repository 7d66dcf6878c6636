/** From a folder on disk to a checked pipeline: what `run`, `check`, `test` and `types` begin with. */
import { checkFolder } from '@millrace/compiler';
import { connectorSpecs } from '@millrace/connectors';
import {
  type Issue,
  type NodeTypes,
  nodeTypes,
  type PipelineFolder,
  readFolder,
  sortIssues,
  validateFolder,
} from '@millrace/graph';
import { readFolderFromDisk, reasonOf } from '../folder/read-folder-from-disk.ts';

export interface LoadedPipeline {
  /** The folder as it was named, for messages. */
  readonly named: string;
  /** Its real path. */
  readonly root: string;
  readonly folder: PipelineFolder;
  readonly types: NodeTypes;
  /** All of them at once: of the disk, the graph and, unless `graphOnly`, the code. */
  readonly issues: readonly Issue[];
}

export interface LoadOptions {
  readonly params?: ReadonlyMap<string, string>;
  readonly graphOnly?: boolean;
}

/** Throws when there is no folder to read. */
export async function loadPipeline(named: string, options: LoadOptions = {}): Promise<LoadedPipeline> {
  const onDisk = await readFolderFromDisk(named).catch((error: unknown) => {
    throw new Error(`The pipeline folder ${named} cannot be read: ${reasonOf(error)}.`);
  });
  const types = nodeTypes(connectorSpecs);
  const folder = readFolder(onDisk.files);
  const found = options.graphOnly
    ? validateFolder(folder, types, options.params)
    : await checkFolder(folder, types, { overrides: options.params ?? new Map() });
  return { named, root: onDisk.root, folder, types, issues: sortIssues([...onDisk.issues, ...found]) };
}

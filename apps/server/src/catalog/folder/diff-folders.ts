/** What changed between two folders: for the graph by id (G1), for the files by path. */
import { diffPipelines, type PipelineDiff, type PipelineFolder } from '@millrace/graph';

export interface FileChange {
  readonly path: string;
  readonly kind: 'added' | 'removed' | 'changed';
  readonly before: string | undefined;
  readonly after: string | undefined;
}

export interface FolderDiff extends PipelineDiff {
  readonly name: { readonly before: string; readonly after: string } | undefined;
  /** Without those that are equal. */
  readonly files: readonly FileChange[];
}

export function diffFolders(old: PipelineFolder, now: PipelineFolder): FolderDiff {
  const graph = diffPipelines(old, now);
  const [before, after] = [old.pipeline.name, now.pipeline.name];
  return {
    nodes: graph.nodes,
    streams: graph.streams,
    same: graph.same,
    name: before === after ? undefined : { before, after },
    files: fileChanges(old, now),
  };
}

function fileChanges(old: PipelineFolder, now: PipelineFolder): FileChange[] {
  const paths = [...new Set([...old.files.keys(), ...now.files.keys()])].sort();
  return paths.flatMap((path) => {
    const [before, after] = [old.files.get(path), now.files.get(path)];
    if (before === after) return [];
    const kind = before === undefined ? 'added' : after === undefined ? 'removed' : 'changed';
    return [{ path, kind, before, after } as const];
  });
}

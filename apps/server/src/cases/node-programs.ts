/**
 * The code of one node, ready to run. The node alone is built: what is wrong elsewhere in the draft keeps nobody from
 * trying it, and types are the page's to check. Built by a few at a time; the last ones are remembered.
 */
import { availableParallelism } from 'node:os';
import { buildVersion, type Program } from '@millrace/deployment';
import {
  fileRole,
  hashProgram,
  type Issue,
  type NodeTypes,
  type PipelineFolder,
  validateFolder,
  writeFolder,
} from '@millrace/graph';
import { doneOrBusy } from '../catalog/answers.ts';
import { compileQueue } from '../catalog/compile/compile-queue.ts';

export type NodeProgram =
  | { readonly kind: 'built'; readonly program: Program }
  | { readonly kind: 'issues'; readonly issues: readonly Issue[] };

export interface NodePrograms {
  /** `who`: the account, for a fair share. */
  of(folder: PipelineFolder, node: string, who: string): Promise<NodeProgram>;
}

const RUNNING = Math.max(1, Math.floor(availableParallelism() / 2));
const REMEMBERED = 64;

export function nodePrograms(types: NodeTypes): NodePrograms {
  const queue = compileQueue({ running: RUNNING, waiting: 32, each: 4 });
  const kept = new Map<string, NodeProgram>();

  const build = async (folder: PipelineFolder): Promise<NodeProgram> => {
    const built = await buildVersion({ folder, types }, new Map());
    if ('issues' in built) return { kind: 'issues', issues: built.issues };
    return { kind: 'built', program: { bundle: built.bundle, params: built.plan.params } };
  };

  return {
    async of(folder, node, who) {
      const issues = faultsOf(folder, node, types);
      if (issues.length > 0) return { kind: 'issues', issues };
      const alone = folderOfNode(folder, node);
      const key = await hashProgram(writeFolder(alone.pipeline, alone.files));
      const known = kept.get(key);
      const program = known ?? doneOrBusy(await queue.run(who, () => build(alone)));
      kept.delete(key);
      // That a build ran out of time says something of the moment too.
      if (program.kind === 'built') kept.set(key, program);
      if (kept.size > REMEMBERED) kept.delete(kept.keys().next().value as string);
      return program;
    },
  };
}

/** What of the graph's issues keeps the node from being built. */
function faultsOf(folder: PipelineFolder, node: string, types: NodeTypes): readonly Issue[] {
  const found = folder.pipeline.nodes.get(node);
  if (found === undefined || types.get(found.type)?.kind !== 'computation') {
    const message = `'${node.slice(0, 64)}' is no computation of this pipeline`;
    return [
      { code: 'no-computation', severity: 'error', message, file: 'pipeline.json', line: 1, column: 1 },
    ];
  }
  const place = `nodes.${node}.`;
  return validateFolder(folder, types).filter(
    (issue) => issue.severity === 'error' && issue.node === node && (issue.path?.startsWith(place) ?? false),
  );
}

function folderOfNode(folder: PipelineFolder, id: string): PipelineFolder {
  const node = folder.pipeline.nodes.get(id);
  if (node === undefined) throw new Error('a node that is not there has no folder');
  const files = [...folder.files].filter(([path]) => path === node.code || fileRole(path) === 'lib');
  return {
    ...folder,
    pipeline: { ...folder.pipeline, nodes: new Map([[id, node]]), streams: new Map() },
    files: new Map(files),
  };
}

/** What the rules about operators say of nodes that are one although they are written in code. */
import type { Issue } from '../issue.ts';
import type { NodeTypes, Settings } from '../node-types.ts';
import type { Overrides } from '../parameters.ts';
import { resolveParameters } from '../parameters.ts';
import type { PipelineFolder } from '../read/read-folder.ts';
import { reportInto } from '../read/report.ts';
import { checkLookups } from './check-lookups.ts';
import { checkWindows } from './check-windows.ts';

/** Type and settings that the code of a node comes to, by the node's id. */
export type WrittenOperators = ReadonlyMap<string, { readonly type: string; readonly config: Settings }>;

/** Only what `validateFolder` does not say: it takes code for code. Places are those of the nodes in pipeline.json. */
export function checkAsOperators(
  folder: PipelineFolder,
  types: NodeTypes,
  written: WrittenOperators,
  overrides: Overrides = new Map(),
): readonly Issue[] {
  const { pipeline } = folder;
  const nodes = new Map(
    [...pipeline.nodes].map(([id, node]) => [id, { ...node, ...written.get(id) }] as const),
  );
  const issuesOf = (given: PipelineFolder): Issue[] => {
    const issues: Issue[] = [];
    const { values } = resolveParameters(pipeline.parameters, overrides);
    const report = reportInto(issues, folder.positions);
    const subject = { folder: given, types, params: values, report };
    checkWindows(subject);
    checkLookups(subject);
    return issues;
  };
  const known = new Set(issuesOf(folder).map(({ code, node }) => `${code} ${node}`));
  const all = issuesOf({ ...folder, pipeline: { ...pipeline, nodes } });
  return all.filter(({ code, node }) => !known.has(`${code} ${node}`));
}

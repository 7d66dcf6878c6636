/** G1–G3: everything that is wrong with a graph, all at once. A draft may hold any of it; a deploy may not. */
import type { Issue } from '../issue.ts';
import { hasErrors, sortIssues } from '../issue.ts';
import type { NodeTypes } from '../node-types.ts';
import { type Overrides, resolveParameters } from '../parameters.ts';
import type { PipelineFolder } from '../read/read-folder.ts';
import { reportInto } from '../read/report.ts';
import { checkLookups } from './check-lookups.ts';
import { checkNames } from './check-names.ts';
import { checkNodes } from './check-nodes.ts';
import { checkStreams } from './check-streams.ts';
import { checkWindows } from './check-windows.ts';
import { checkCycles } from './cycles.ts';
import type { Subject } from './subject.ts';

/** Includes the issues `readFolder` found. */
export function validateFolder(
  folder: PipelineFolder,
  types: NodeTypes,
  overrides: Overrides = new Map(),
): readonly Issue[] {
  const issues = [...folder.issues];
  if (!folder.readable) return sortIssues(issues);
  const report = reportInto(issues, folder.positions);
  const { values, problems } = resolveParameters(folder.pipeline.parameters, overrides);
  for (const { code, parameter, message } of problems)
    report(code, { path: ['parameters', parameter] }, message);
  const subject: Subject = { folder, types, params: values, report };
  if (folder.pipeline.nodes.size === 0 && !hasErrors(issues)) {
    report(
      'no-nodes',
      { path: ['nodes'] },
      'the pipeline has no nodes; add an injector, a computation and a sink',
    );
  }
  checkNames(subject);
  checkNodes(subject);
  checkStreams(subject);
  checkCycles(subject);
  checkWindows(subject);
  checkLookups(subject);
  return sortIssues(issues);
}

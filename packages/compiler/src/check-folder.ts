/**
 * Everything that is wrong with a pipeline folder, in one list: the graph (G1–G3), the code of its nodes, every
 * expression, and whether what the code declares fits the wires. Nothing of the pipeline is executed.
 */
import {
  type Issue,
  type NodeTypes,
  type Overrides,
  type PipelineFolder,
  sortIssues,
  validateFolder,
} from '@millrace/graph';
import { LIMITS, type Limits, type Outcome, runHere, runInChild } from './child/run-in-child.ts';
import { withoutEchoes } from './layout/diagnostic-issue.ts';
import { checkRequest, resultIssues, untypedIssues } from './layout/folder-issues.ts';
import { layoutProject, type Project } from './layout/layout-project.ts';
import { locate } from './locate.ts';
import type { CheckRequest } from './typescript/check-request.ts';

export interface CheckOptions {
  readonly overrides?: Overrides;
  readonly limits?: Limits;
  /** Without limits, in this process: for tests of the checks themselves. */
  readonly inProcess?: boolean;
}

export async function checkFolder(
  folder: PipelineFolder,
  types: NodeTypes,
  options: CheckOptions = {},
): Promise<readonly Issue[]> {
  const issues = [...validateFolder(folder, types, options.overrides)];
  if (!folder.readable) return issues;
  const project = layoutProject(folder, types, options.overrides);
  issues.push(...untypedIssues(folder, project));
  const request = checkRequest(folder, project);
  if (request.targets.length > 0) {
    const limits = options.limits ?? LIMITS;
    const outcome = await run(request, limits, options.inProcess === true);
    issues.push(...outcomeIssues(folder, project, outcome, limits));
  }
  return sortIssues(withoutEchoes(issues));
}

async function run(request: CheckRequest, limits: Limits, inProcess: boolean): Promise<Outcome> {
  const job = { kind: 'check', request } as const;
  return inProcess ? runHere(job) : runInChild(job, limits);
}

function outcomeIssues(folder: PipelineFolder, project: Project, outcome: Outcome, limits: Limits): Issue[] {
  if (outcome.kind === 'done')
    return outcome.result.kind === 'check' ? resultIssues(folder, project, outcome.result.result) : [];
  const place = locate(folder, outcome.last === undefined ? undefined : project.files.get(outcome.last), 0);
  const suspect =
    outcome.last === undefined ? '' : `; it was looking at ${place.file}, or at a type used there`;
  const remedy = 'simplify recursive or very large types';
  const message = {
    timeout: `the type check took longer than ${limits.timeoutMs / 1000} s and was stopped${suspect}: ${remedy}`,
    'out-of-memory': `the type check needed more than ${limits.memoryMb} MB and was stopped${suspect}: ${remedy}`,
    crashed: `the type check broke off${suspect}: ${outcome.kind === 'crashed' ? outcome.detail.slice(0, 500) : ''}`,
  }[outcome.kind];
  return [{ code: `check-${outcome.kind}`, severity: 'error', message, ...place }];
}

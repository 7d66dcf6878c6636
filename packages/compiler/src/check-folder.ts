/**
 * Everything that is wrong with a pipeline folder, in one list: the graph (G1–G3), the code of its nodes, every
 * expression, and whether what the code declares fits the wires. Nothing of the pipeline is executed.
 */
import {
  dataflowOrder,
  type Issue,
  type NodeTypes,
  type Overrides,
  PIPELINE_FILE,
  type Pipeline,
  type PipelineFolder,
  sortIssues,
  validateFolder,
} from '@millrace/graph';
import { LIMITS, type Limits, type Outcome, runHere, runInChild } from './child/run-in-child.ts';
import { layoutProject, type Project } from './layout/layout-project.ts';
import { locate } from './locate.ts';
import { portIssues } from './port-issues.ts';
import type {
  CheckRequest,
  CheckResult,
  CheckTarget,
  PortTarget,
  RawDiagnostic,
} from './typescript/check-request.ts';

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

function checkRequest({ pipeline }: PipelineFolder, project: Project): CheckRequest {
  const targets: CheckTarget[] = [];
  for (const path of checkOrder(pipeline, project)) {
    const origin = project.files.get(path)?.origin;
    if (origin === undefined) continue;
    if (origin.kind === 'file')
      targets.push({ path, kind: origin.node === undefined ? 'lib' : 'node', spans: [] });
    else if (origin.role === 'operator') targets.push({ path, kind: 'operator', spans: origin.spans });
    else if (origin.role === 'type') targets.push({ path, kind: 'type', spans: origin.spans });
    else if (origin.role !== 'declarations') targets.push({ path, kind: 'expression', spans: origin.spans });
  }
  const outputs = new Map<string, Set<string>>();
  for (const { from } of pipeline.streams.values()) {
    outputs.set(from[0], (outputs.get(from[0]) ?? new Set<string>()).add(from[1]));
  }
  const nodes: PortTarget[] = [...pipeline.nodes.values()]
    .filter(({ id }) => project.files.has(`/${id}/node.ts`))
    .map(({ id, type }) => ({
      node: id,
      kind: type === 'code' ? 'code' : 'operator',
      outputs: [...(outputs.get(id) ?? [])],
    }));
  const files = new Map([...project.files].map(([path, { text }]) => [path, text]));
  return { files, targets, nodes };
}

/**
 * Producers first: TypeScript keeps the types it has resolved, whereas the last node of a long chain, checked
 * first, would make it resolve all the others inside one another and give up at about the seventieth.
 */
function checkOrder(pipeline: Pipeline, project: Project): string[] {
  const place = new Map(dataflowOrder(pipeline).map((id, index) => [id, index]));
  const placeOf = (path: string): number => place.get(path.split('/')[1] ?? '') ?? -1;
  return [...project.files.keys()].sort((a, b) => placeOf(a) - placeOf(b) || (a < b ? -1 : 1));
}

function untypedIssues(folder: PipelineFolder, project: Project): Issue[] {
  return project.untyped.map((node) => ({
    code: 'untyped',
    severity: 'warning',
    message: `the values of '${node.name}' (${node.id}) have no type, so they are unknown to the nodes behind it; add "type" to its settings, such as "type": "{ origin: string; delay: number }"`,
    node: node.id,
    path: `nodes.${node.id}.config`,
    file: PIPELINE_FILE,
    ...folder.positions.value(['nodes', node.id, 'config']),
  }));
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

function resultIssues(folder: PipelineFolder, project: Project, result: CheckResult): Issue[] {
  const issues = result.diagnostics.map((raw) => diagnosticIssue(folder, project, raw));
  // A file that cannot be parsed declares nothing; what its ports lack would only repeat that.
  const unparsed = new Set(
    result.diagnostics.filter(({ code }) => /^ts1\d{3}$/.test(code)).map(({ path }) => path),
  );
  for (const finding of result.ports) {
    if (!unparsed.has(`/${finding.node}/node.ts`)) issues.push(...portIssues(folder, project, finding));
  }
  return issues;
}

function diagnosticIssue(folder: PipelineFolder, project: Project, raw: RawDiagnostic): Issue {
  const file = project.files.get(raw.path);
  const place = locate(folder, file, raw.start);
  return { code: raw.code, severity: raw.severity, message: worded(file?.origin, place, raw), ...place };
}

type FileOrigin =
  Project['files'] extends ReadonlyMap<string, infer F> ? (F extends { origin: infer O } ? O : never) : never;

function worded(
  origin: FileOrigin | undefined,
  place: Pick<Issue, 'node' | 'stream'>,
  raw: RawDiagnostic,
): string {
  if (origin?.kind !== 'generated') return raw.message;
  const hint = EXPRESSIONS_OVER_VALUE.has(origin.role) ? bareName(raw.message) : '';
  return expressionMessage(origin.role, place, raw.message) + hint;
}

const EXPRESSIONS_OVER_VALUE: ReadonlySet<string> = new Set(['keyBy', 'timestamp', 'operator']);

/** The commonest slip in an expression: a field without the value it is in. */
function bareName(message: string): string {
  const name = /^Cannot find name '([^']+)'\.$/.exec(message)?.[1];
  return name === undefined ? '' : ` A record's value is 'value': its field is 'value.${name}'.`;
}

function expressionMessage(
  role: Extract<FileOrigin, { kind: 'generated' }>['role'],
  place: Pick<Issue, 'node' | 'stream'>,
  message: string,
): string {
  switch (role) {
    case 'keyBy': {
      const rule = /type '(Key|string \| number \| bigint)'/.test(message)
        ? ' must give a string, number or bigint:'
        : ':';
      return `keyBy of stream '${place.stream}'${rule} ${message.replace("type 'Key'", "type 'string | number | bigint'")}`;
    }
    case 'timestamp': {
      const rule = /type '(Time|string \| number \| bigint \| Date)'/.test(message)
        ? ' must give milliseconds, a Date or ISO 8601 text:'
        : ':';
      return `timestamp of '${place.node}'${rule} ${message.replace("type 'Time'", "type 'string | number | bigint | Date'")}`;
    }
    case 'type':
      return `the type of '${place.node}': ${message}`;
    default:
      return `expression of '${place.node}': ${message}`;
  }
}

/** In a cycle every type depends on itself; the cycle is the one thing to tell. */
const CIRCULAR = new Set(['ts2456', 'ts2502', 'ts2506', 'ts7022', 'ts7023', 'ts7024']);

function withoutEchoes(issues: readonly Issue[]): Issue[] {
  const cyclic = issues.some(({ code }) => code === 'cycle');
  const seen = new Set<string>();
  return issues.filter((issue) => {
    if (cyclic && CIRCULAR.has(issue.code)) return false;
    const identity = JSON.stringify([issue.file, issue.line, issue.column, issue.code, issue.message]);
    return !seen.has(identity) && seen.add(identity);
  });
}

/**
 * From what TypeScript says of the virtual project to issues in the words of a pipeline. Safe in a browser: the
 * editor and the server check must say the same.
 */
import { dataflowOrder, type Issue, type Pipeline, type PipelineFolder } from '@millrace/graph';
import { locate } from '../locate.ts';
import type { CheckTarget, RawDiagnostic } from '../typescript/check-request.ts';
import type { Project } from './layout-project.ts';

/** What of a project is to be judged, in order of judging. */
export function checkTargets(pipeline: Pipeline, project: Project): CheckTarget[] {
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
  return targets;
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

export function diagnosticIssue(folder: PipelineFolder, project: Project, raw: RawDiagnostic): Issue {
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

export function withoutEchoes(issues: readonly Issue[]): Issue[] {
  const cyclic = issues.some(({ code }) => code === 'cycle');
  const seen = new Set<string>();
  return issues.filter((issue) => {
    if (cyclic && CIRCULAR.has(issue.code)) return false;
    const identity = JSON.stringify([issue.file, issue.line, issue.column, issue.code, issue.message]);
    return !seen.has(identity) && seen.add(identity);
  });
}

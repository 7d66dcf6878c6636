/**
 * Checks a whole project and returns plain findings. The server runs it in a process of its own with limits (see
 * ../child), the page in a worker, with the TypeScript that its code editor brings.
 */
import ts from 'typescript-js';
import { checkPorts, PROBE_PATH, probeFile } from './check-ports.ts';
import type { CheckRequest, CheckResult, CheckTarget, RawDiagnostic } from './check-request.ts';
import { forbiddenCode } from './forbidden-code.ts';
import type { Installed } from './installed.ts';
import { operatorFaults } from './operator-calls.ts';
import { operatorFindings } from './operator-findings.ts';
import { withRemedy } from './remedies.ts';
import { TYPES_PATH, typesFile, typesInWords } from './types-in-words.ts';
import { type EarlierProgram, virtualProgram } from './virtual-program.ts';
import { malformed } from './well-formed.ts';

/** `progress` is told each file before it is checked, so that a check that never ends can name it. */
export function typeCheck(
  request: CheckRequest,
  installed: Installed,
  progress: (path: string) => void = () => {},
): CheckResult {
  const steps = typeCheckSteps(request, installed);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    progress(step.value);
  }
}

/** The same, a file at a time: each is yielded before it is checked. Who has other work does it in between. */
export function* typeCheckSteps(
  request: CheckRequest,
  installed: Installed,
  earlier?: EarlierProgram,
): Generator<string, CheckResult> {
  const diagnostics: RawDiagnostic[] = [];
  const files = new Map(request.files);
  for (const target of request.targets) {
    const faults = malformedSpans(target, files);
    if (faults.length === 0) continue;
    diagnostics.push(...faults);
    // Text that leaves its parentheses must not be checked as if it were part of the generated code.
    files.set(target.path, neutral(target.kind));
  }
  const broken = new Set(diagnostics.map(({ path }) => path));
  files.set(PROBE_PATH, probeFile(request.nodes.filter(({ node }) => files.has(`/${node}/node.ts`))));
  const types = request.types ?? [];
  if (types.length > 0) files.set(TYPES_PATH, typesFile(types));
  const program = virtualProgram(files, installed, earlier);
  for (const target of request.targets) {
    if (broken.has(target.path)) continue;
    yield target.path;
    diagnostics.push(...checkTarget(program, target, files));
  }
  yield PROBE_PATH;
  const nodes = request.nodes.filter(
    ({ node }) => !broken.has(`/${node}/node.ts`) && files.has(`/${node}/node.ts`),
  );
  return {
    diagnostics,
    ports: checkPorts(program, nodes),
    operators: operatorFindings(program, nodes),
    types: typesInWords(program, types),
  };
}

function malformedSpans(target: CheckTarget, files: ReadonlyMap<string, string>): RawDiagnostic[] {
  const text = files.get(target.path) ?? '';
  const kind = target.kind === 'type' ? 'type' : 'expression';
  return target.spans.flatMap(({ start, end }) => {
    const fault = malformed(text.slice(start, end), kind);
    if (fault === undefined) return [];
    return [
      {
        path: target.path,
        start: start + fault.index,
        code: 'syntax',
        severity: 'error',
        message: fault.message,
      },
    ];
  });
}

function neutral(kind: CheckTarget['kind']): string {
  return kind === 'type' ? 'type Value = unknown;\nexport default Value;\n' : 'export {};\n';
}

function checkTarget(
  program: ts.Program,
  target: CheckTarget,
  files: ReadonlyMap<string, string>,
): RawDiagnostic[] {
  const source = program.getSourceFile(target.path);
  if (source === undefined) return [];
  const forbidden = forbiddenCode(source, target, files);
  const refused = new Set(forbidden.map(({ start }) => start));
  const own: RawDiagnostic[] = [];
  for (const diagnostic of [
    ...program.getSyntacticDiagnostics(source),
    ...program.getSemanticDiagnostics(source),
  ]) {
    const raw = fromTypeScript(target, diagnostic);
    // One finding a place: what is forbidden is also unknown to TypeScript, in less helpful words.
    if (raw !== undefined && !refused.has(raw.start)) own.push(raw);
  }
  const faults = target.kind === 'node' || target.kind === 'lib' ? operatorFaults(program, target, own) : [];
  return [...forbidden, ...own, ...faults];
}

function fromTypeScript(target: CheckTarget, diagnostic: ts.Diagnostic): RawDiagnostic | undefined {
  if (diagnostic.category !== ts.DiagnosticCategory.Error) return undefined;
  const message = ts.flattenDiagnosticMessageText(diagnostic.messageText, '\n');
  return {
    path: target.path,
    start: diagnostic.start ?? 0,
    ...(diagnostic.length === undefined ? {} : { length: diagnostic.length }),
    code: `ts${diagnostic.code}`,
    severity: 'error',
    message: withRemedy(diagnostic.code, message),
  };
}

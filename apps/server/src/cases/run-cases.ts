/** Cases of a draft, one after the other, and what became of each. */
import { nodeOfCase, strayRecords, type TriedCode } from '@millrace/deployment';
import { fileRole, type Issue, type PipelineFolder } from '@millrace/graph';
import { type CaseReportShown, caseReport } from '@millrace/protocol/api';
import type { NodePrograms } from './node-programs.ts';

export interface CaseToRun {
  /** Null: it is in no file. */
  readonly path: string | null;
  readonly node: string | undefined;
  readonly text: string;
}

export interface CaseResult {
  readonly path: string | null;
  readonly node: string | null;
  readonly issues: Issue[];
  readonly report: CaseReportShown;
}

export interface CaseRun {
  readonly folder: PipelineFolder;
  readonly code: TriedCode;
  readonly programs: NodePrograms;
  readonly who: string;
  /** ms; what is not run by then is not run. */
  readonly patience?: number;
}

const PATIENCE_MS = 60_000;

/** The recorded cases of a folder; `only`: those of these paths. */
export function casesOf(folder: PipelineFolder, only: readonly string[] | undefined): CaseToRun[] {
  const wanted = only && new Set(only);
  return [...folder.files]
    .filter(([path]) => fileRole(path) === 'test' && (wanted?.has(path) ?? true))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, text]) => ({ path, text, node: nodeOfCase(text, folder.pipeline) }));
}

export async function runCases(cases: readonly CaseToRun[], run: CaseRun): Promise<CaseResult[]> {
  const over = performance.now() + (run.patience ?? PATIENCE_MS);
  const results: CaseResult[] = [];
  for (const each of cases) {
    const ranOut = performance.now() > over;
    const verdict = ranOut
      ? said('not run: those before it took too long together')
      : await runOne(each, run);
    results.push({ path: each.path, node: each.node ?? null, ...verdict });
  }
  return results;
}

type Verdict = Pick<CaseResult, 'issues' | 'report'>;

async function runOne({ node, text }: CaseToRun, { folder, code, programs, who }: CaseRun): Promise<Verdict> {
  if (node === undefined) return said('names no node: add "node" with the id of the node it is for');
  const strays = [...strayRecords(text, node, folder.pipeline)];
  if (strays.length > 0) return said(...strays);
  const built = await programs.of(folder, node, who);
  if (built.kind === 'issues') return { issues: [...built.issues], report: failed('case', []) };
  try {
    return { issues: [], report: readReport(await code.trace(built.program, node, text)) };
  } catch (error) {
    return { issues: [], report: failed('error', [(error as Error).message]) };
  }
}

/** The worker ran user code: what it says is believed in nothing but its form. */
function readReport(text: string): CaseReportShown {
  const read = caseReport.safeParse(JSON.parse(text));
  if (!read.success) throw new Error('The worker said something that is no report.');
  return read.data;
}

const said = (...messages: readonly string[]): Verdict => ({ issues: [], report: failed('case', messages) });

const failed = (kind: 'case' | 'error', messages: readonly string[]): CaseReportShown => ({
  passed: false,
  differences: messages.slice(0, 50).map((message) => ({ kind, message })),
  steps: [],
  cut: false,
});

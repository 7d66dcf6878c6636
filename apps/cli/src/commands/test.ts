/**
 * `millrace test`: the recorded cases of a pipeline. Each names its node; a pipeline with a single code node may
 * leave it out. The code runs in a worker without permissions, never here.
 */

import { join } from 'node:path';
import {
  buildVersion,
  nodeOfCase,
  openUserCode,
  type Program,
  strayRecords,
  type UserCode,
} from '@millrace/deployment';
import { hasErrors, type PipelineFolder } from '@millrace/graph';
import type { FolderCommand } from '../command-line.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { printIssues } from '../issues/print-issues.ts';
import { loadPipeline } from '../pipeline/load-pipeline.ts';
import type { Terminal } from '../terminal.ts';
import { printable } from '../text/width.ts';

interface CaseReport {
  readonly file: string;
  readonly ok: boolean;
  readonly differences: readonly string[];
}

export async function test(
  command: FolderCommand,
  terminal: Terminal,
  open: () => Promise<UserCode> = openUserCode,
): Promise<ExitCode> {
  const loaded = await loadPipeline(command.folder);
  const built = hasErrors(loaded.issues) ? { issues: loaded.issues } : await buildVersion(loaded, new Map());
  if ('issues' in built) {
    printIssues({ ...loaded, issues: built.issues }, terminal);
    if (command.json) terminal.stdout(`${JSON.stringify({ ok: false, issues: built.issues })}\n`);
    return exitCodes.issues;
  }
  const program: Program = { bundle: built.bundle, params: built.plan.params };
  const userCode = await open();
  try {
    const reports = await runCases(loaded.folder, program, userCode, (report) => {
      const write = command.json ? terminal.stderr : terminal.stdout;
      for (const line of caseLines(report, command.folder, terminal)) write(`${line}\n`);
    });
    return conclude(reports, command, terminal);
  } finally {
    await userCode.close();
  }
}

async function runCases(
  folder: PipelineFolder,
  program: Program,
  userCode: UserCode,
  onReport: (report: CaseReport) => void,
): Promise<CaseReport[]> {
  const reports: CaseReport[] = [];
  for (const [file, text] of [...folder.files].filter(([path]) => path.startsWith('tests/'))) {
    const node = nodeOfCase(text, folder.pipeline);
    const differences = [...strayRecords(text, node, folder.pipeline)];
    if (node === undefined) differences.push('names no node: add "node" with the id of the node it is for');
    else if (differences.length === 0)
      differences.push(...(await userCode.runCase(program, node, text)).differences);
    const report = { file, ok: differences.length === 0, differences };
    onReport(report);
    reports.push(report);
  }
  return reports;
}

function caseLines({ file, ok, differences }: CaseReport, folder: string, { style }: Terminal): string[] {
  const place = printable(join(folder, file));
  if (ok) return [`${style.green('ok')}    ${place}`];
  return [
    `${style.red('not ok')} ${place}`,
    ...differences.flatMap((text) => text.split('\n').map((line) => `    ${printable(line)}`)),
  ];
}

function conclude(reports: readonly CaseReport[], command: FolderCommand, terminal: Terminal): ExitCode {
  const passed = reports.filter((report) => report.ok).length;
  const failed = reports.length - passed;
  const ok = failed === 0;
  terminal.stderr(
    reports.length === 0 ? 'no recorded cases in tests/\n' : `${passed} passed, ${failed} failed\n`,
  );
  if (command.json) terminal.stdout(`${JSON.stringify({ ok, passed, failed, cases: reports })}\n`);
  return ok ? exitCodes.done : exitCodes.issues;
}

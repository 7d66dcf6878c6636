/** `millrace check`: every issue of a pipeline. Warnings alone leave the exit code 0. */
import { hasErrors } from '@millrace/graph';
import type { FolderCommand } from '../command-line.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { countOfIssues } from '../issues/issue-lines.ts';
import { printIssues } from '../issues/print-issues.ts';
import { loadPipeline } from '../pipeline/load-pipeline.ts';
import type { Terminal } from '../terminal.ts';

export async function check(command: FolderCommand, terminal: Terminal): Promise<ExitCode> {
  const loaded = await loadPipeline(command.folder);
  const ok = !hasErrors(loaded.issues);
  printIssues(loaded, terminal, command.json ? terminal.stderr : terminal.stdout);
  terminal.stderr(`${countOfIssues(loaded.issues) || 'no issues'}\n`);
  if (command.json) terminal.stdout(`${JSON.stringify({ ok, issues: loaded.issues })}\n`);
  return ok ? exitCodes.done : exitCodes.issues;
}

/** What the commands of a server have in common: where it is, who one is, and how a refusal is told. */
import type { Issue } from '@millrace/graph';
import type { RemoteCommand } from '../command-line.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { issueLines } from '../issues/issue-lines.ts';
import type { Terminal } from '../terminal.ts';
import { printable } from '../text/width.ts';
import { deploy } from './deploy.ts';
import { pull } from './pull.ts';
import { push } from './push.ts';
import { type ServerApi, ServerRefusal, serverApi, serverPlace } from './server-api.ts';
import { status } from './status.ts';

type Run = (command: RemoteCommand, api: ServerApi, terminal: Terminal) => Promise<ExitCode>;

const COMMANDS: Record<RemoteCommand['kind'], Run> = { deploy, push, pull, status };

export async function remoteCommand(
  command: RemoteCommand,
  terminal: Terminal,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<ExitCode> {
  const place = serverPlace(command.server, env);
  if ('fault' in place) {
    terminal.stderr(`millrace: ${place.fault}\n`);
    return exitCodes.usage;
  }
  try {
    return await COMMANDS[command.kind](command, serverApi(place), terminal);
  } catch (error) {
    if (!(error instanceof ServerRefusal)) throw error;
    return refused(command, error, terminal);
  }
}

function refused(command: RemoteCommand, { message, problem }: ServerRefusal, terminal: Terminal): ExitCode {
  const { pipelineIssues, issues = [] } = problem;
  const found = Array.isArray(pipelineIssues) ? (pipelineIssues as Issue[]) : [];
  for (const line of issueLines(found, command.folder, terminal.style)) terminal.stderr(`${line}\n`);
  for (const { path, message: what } of issues) terminal.stderr(`${printable(`${path}: ${what}`)}\n`);
  terminal.stderr(`millrace: ${printable(message)}\n`);
  if (command.json) terminal.stdout(`${JSON.stringify({ ok: false, problem })}\n`);
  return problem.code === 'has-issues' ? exitCodes.issues : exitCodes.failed;
}

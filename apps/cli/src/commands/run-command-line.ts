import type { CommandLine } from '../command-line.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import type { Terminal } from '../terminal.ts';
import { millraceVersion } from '../version.ts';

/** Each command is loaded only when it is called: `--help` need not wait for the compiler. */
export async function runCommand(command: CommandLine, terminal: Terminal): Promise<ExitCode> {
  switch (command.kind) {
    case 'help':
      terminal.stdout(command.text);
      return exitCodes.done;
    case 'version':
      terminal.stdout(`${millraceVersion}\n`);
      return exitCodes.done;
    case 'usage':
      terminal.stderr(`millrace: ${command.message}\n`);
      return exitCodes.usage;
    case 'run':
      return (await import('../run/run-command.ts')).run(command, terminal);
    case 'check':
      return (await import('./check.ts')).check(command, terminal);
    case 'test':
      return (await import('./test.ts')).test(command, terminal);
    case 'types':
      return (await import('./types.ts')).types(command, terminal);
    case 'bench':
      return (await import('./bench.ts')).bench(command, terminal);
    case 'serve':
      return (await import('../serve/serve-command.ts')).serve(command, terminal);
    case 'owner-link':
    case 'reset-password':
      return (await import('../serve/link-commands.ts')).printLink(command, terminal);
    case 'deploy':
    case 'push':
    case 'pull':
    case 'status':
      return (await import('../remote/remote-command.ts')).remoteCommand(command, terminal);
  }
}

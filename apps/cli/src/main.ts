/** The entry of `millrace`: one command, one exit code. */

import { parseCommandLine } from './command-line.ts';
import { runCommand } from './commands/run-command-line.ts';
import { exitCodes } from './exit-codes.ts';
import { failureText } from './failure.ts';
import { processTerminal } from './terminal.ts';

const terminal = processTerminal();
// `millrace … | head` closes our output early; that is no failure of the pipeline.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

try {
  process.exitCode = await runCommand(parseCommandLine(process.argv.slice(2)), terminal);
} catch (error) {
  terminal.stderr(`${failureText(error, process.env.MILLRACE_DEBUG !== undefined)}\n`);
  process.exitCode = exitCodes.failed;
}

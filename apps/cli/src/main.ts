/** The entry of `millrace`: one command, one exit code. */
import { parseCommandLine } from './command-line.ts';
import { runCommand } from './commands/run-command-line.ts';
import { exitCodes } from './exit-codes.ts';
import { failureText } from './failure.ts';
import { processTerminal } from './terminal.ts';

const terminal = processTerminal();
const fail = (error: unknown): void => {
  terminal.stderr(`${failureText(error, process.env.MILLRACE_DEBUG !== undefined)}\n`);
  process.exitCode = exitCodes.failed;
};

// `millrace … | head` closes our output early; that is no failure of the pipeline.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}
// Node's own exit code for these is 1, which here means "the pipeline has issues".
process.on('uncaughtException', (error) => {
  fail(error);
  process.exit();
});

try {
  process.exitCode = await runCommand(parseCommandLine(process.argv.slice(2)), terminal);
} catch (error) {
  fail(error);
}
// All is closed by now; should something still hold the process, it must not hold whoever waits for it.
setTimeout(() => process.exit(), 3_000).unref();

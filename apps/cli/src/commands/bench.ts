/** `millrace bench`: the benchmarks of packages/bench, by name. */
import { writeFile } from 'node:fs/promises';
import { runBenchmarks } from '@millrace/bench';
import type { BenchCommand } from '../command-line.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import type { Terminal } from '../terminal.ts';

export async function bench(command: BenchCommand, terminal: Terminal): Promise<ExitCode> {
  const outcome = await runBenchmarks({
    names: command.names,
    tiny: command.tiny,
    print: (line) => terminal.stdout(`${line}\n`),
    log: (line) => terminal.stderr(`${line}\n`),
  });
  if (outcome.kind === 'unknown') {
    terminal.stderr(`millrace: ${outcome.name}: no such benchmark. There are ${outcome.known.join(', ')}.\n`);
    return exitCodes.usage;
  }
  if (command.out !== undefined)
    await writeFile(command.out, `${JSON.stringify(outcome.figures, null, 2)}\n`);
  return exitCodes.done;
}

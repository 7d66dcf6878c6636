/** `millrace bench`: the benchmarks of packages/bench, by name. */
import { writeFile } from 'node:fs/promises';
import type { BenchCommand } from '../command-line.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import type { Terminal } from '../terminal.ts';

/** What this command needs of `@millrace/bench`. */
export interface Benchmarks {
  runBenchmarks(options: BenchmarkOptions): Promise<BenchmarkOutcome>;
}

export interface BenchmarkOptions {
  /** Empty: all. */
  readonly names: readonly string[];
  /** Small sizes, to see that they work. */
  readonly tiny: boolean;
  /** One line of a result table. */
  print(line: string): void;
  log(line: string): void;
}

export type BenchmarkOutcome =
  | { readonly kind: 'measured'; readonly figures: unknown }
  | { readonly kind: 'unknown'; readonly name: string; readonly known: readonly string[] };

export async function bench(command: BenchCommand, terminal: Terminal): Promise<ExitCode> {
  const { runBenchmarks }: Partial<Benchmarks> = await import('@millrace/bench');
  if (runBenchmarks === undefined) throw new Error('This build of Millrace carries no benchmarks.');
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

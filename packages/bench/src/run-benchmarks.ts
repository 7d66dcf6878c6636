/** Runs benchmarks by name, one after the other, and prints a table of each. */
import type { Benchmark, Settings } from './benchmark.ts';
import { benchmarks } from './benchmarks/all.ts';
import { median } from './report/statistics.ts';
import { tableLines } from './report/table-lines.ts';
import { machine } from './run/machine.ts';

export interface BenchmarkOptions {
  /** Ids (`b1`) or names (`grep`). Empty: all. */
  readonly names: readonly string[];
  /** Small sizes, to see that they work. */
  readonly tiny: boolean;
  /** Repetitions; default 5. */
  readonly runs?: number | undefined;
  /** Measured seconds of one repetition; default 3. */
  readonly seconds?: number | undefined;
  /** Measured seconds of long runs; default 60. */
  readonly steadySeconds?: number | undefined;
  /** One line of a result table. */
  print(line: string): void;
  log(line: string): void;
}

export type BenchmarkOutcome =
  | { readonly kind: 'measured'; readonly figures: readonly BenchmarkResult[] }
  | { readonly kind: 'unknown'; readonly name: string; readonly known: readonly string[] };

export interface BenchmarkResult {
  readonly id: string;
  readonly title: string;
  /** ISO time of the beginning. */
  readonly at: string;
  readonly machine: ReturnType<typeof machine> & { readonly loadAfter: number };
  readonly settings: { readonly tiny: boolean; readonly runs: number; readonly seconds: number };
  readonly figures: readonly {
    readonly name: string;
    readonly unit: string;
    readonly median: number | null;
    readonly values: readonly number[];
    readonly target?: unknown;
  }[];
  readonly notes: readonly string[];
}

export async function runBenchmarks(options: BenchmarkOptions): Promise<BenchmarkOutcome> {
  const chosen: Benchmark[] = [];
  for (const name of options.names) {
    const found = benchmarks.find((benchmark) => benchmark.id === name || benchmark.name === name);
    if (found === undefined)
      return { kind: 'unknown', name, known: benchmarks.map((benchmark) => benchmark.name) };
    chosen.push(found);
  }
  const { tiny } = options;
  const settings: Settings = {
    tiny,
    runs: options.runs ?? (tiny ? 1 : 5),
    seconds: options.seconds ?? (tiny ? 0.2 : 3),
    steadySeconds: options.steadySeconds ?? (tiny ? 0.4 : 60),
    log: options.log,
  };
  const figures: BenchmarkResult[] = [];
  for (const benchmark of chosen.length > 0 ? chosen : benchmarks)
    figures.push(await runOne(benchmark, settings, options.print));
  return { kind: 'measured', figures };
}

async function runOne(
  benchmark: Benchmark,
  settings: Settings,
  print: (line: string) => void,
): Promise<BenchmarkResult> {
  const at = new Date().toISOString();
  const before = machine();
  const measured = await benchmark.measure(settings);
  const { load: loadAfter } = machine();
  for (const line of tableLines(benchmark.title, measured)) print(line);
  const { cores, processor, load } = before;
  print(`  · ${cores} cores (${processor}); load ${load.toFixed(1)} before, ${loadAfter.toFixed(1)} after.`);
  print('');
  return {
    id: benchmark.id,
    title: benchmark.title,
    at,
    machine: { ...before, loadAfter },
    settings: { tiny: settings.tiny, runs: settings.runs, seconds: settings.seconds },
    figures: measured.figures.map(({ name, unit, values, target }) => {
      const middle = median(values);
      return {
        name,
        unit,
        median: Number.isFinite(middle) ? middle : null,
        values,
        ...(target === undefined ? {} : { target }),
      };
    }),
    notes: measured.notes,
  };
}

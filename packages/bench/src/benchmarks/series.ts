/** The values a benchmark gathers over its repetitions, and the figures made of them. */
import type { Figure, Settings, Target } from '../benchmark.ts';
import { numberText } from '../report/numbers.ts';
import type { TimedRun } from '../run/timed-run.ts';

export class Series {
  readonly #values = new Map<string, number[]>();
  #last: string[] = [];

  add(name: string, value: number): void {
    const values = this.#values.get(name);
    if (values === undefined) this.#values.set(name, [value]);
    else values.push(value);
    this.#last.push(`${name} ${numberText(value)}`);
  }

  addRun(run: TimedRun): void {
    this.add('ours', run.recordsPerSecond);
    this.add('cores of the worker', run.usage.cores.workers);
    this.add('cores of the host', run.usage.cores.host);
    this.add('cores of Postgres', run.usage.cores.postgres);
    const { host, workers, postgres } = run.usage.cores;
    this.add('processor time', ((host + workers + postgres) * 1e6) / run.recordsPerSecond);
    this.add('peak memory', run.usage.peakMb);
    this.add('bundles', run.bundlesPerSecond);
    this.add('commit', run.commitMs);
    this.add('log', run.logBytesPerRecord);
  }

  values(name: string): readonly number[] {
    return this.#values.get(name) ?? [];
  }

  figure(name: string, unit: string, target?: Target | undefined): Figure {
    return { name, unit, values: this.values(name), ...(target === undefined ? {} : { target }) };
  }

  /** Per cent, repetition by repetition, so that what slows the machine slows both. */
  ratio(name: string, of: string, to: string, target?: Target): Figure {
    const divisors = this.values(to);
    const values = this.values(of).map((value, i) => (100 * value) / (divisors[i] ?? Number.NaN));
    return { name, unit: '%', values, ...(target === undefined ? {} : { target }) };
  }

  times(name: string, of: string, to: string, target?: Target): Figure {
    const { values, ...rest } = this.ratio(name, of, to, target);
    return { ...rest, unit: '×', values: values.map((value) => value / 100) };
  }

  /** What every run through the engine reports beside its rate. */
  usage(): Figure[] {
    return [
      this.figure('cores of the worker', 'cores'),
      this.figure('cores of the host', 'cores'),
      this.figure('cores of Postgres', 'cores'),
      this.figure('processor time', 'µs/record'),
      this.figure('bundles', '1/s'),
      this.figure('commit', 'ms'),
      this.figure('log', 'bytes/record'),
      this.figure('peak memory', 'MB'),
    ];
  }

  /** What was added since the last such line. */
  lastLine(what: string): string {
    const line = `${what}: ${this.#last.join(', ')}`;
    this.#last = [];
    return line;
  }
}

/** A moment for the disk and the processor to come to rest after the run before. */
export async function settle({ tiny }: Settings): Promise<void> {
  if (!tiny) await new Promise((resolve) => setTimeout(resolve, 500));
}

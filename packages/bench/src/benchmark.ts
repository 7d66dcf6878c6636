/** What a benchmark is given and what it gives. */

export interface Settings {
  /** Sizes for a test that only asks whether it still works. */
  readonly tiny: boolean;
  /** Repetitions; figures are medians over them. */
  readonly runs: number;
  /** Measured seconds of one repetition. */
  readonly seconds: number;
  /** Measured seconds of the one long run that shows whether the log stays bounded. */
  readonly steadySeconds: number;
  log(line: string): void;
}

export interface Target {
  /** As performance.md states it. */
  readonly text: string;
  /** What of it is due now: half the rate, twice the time. */
  readonly due: number;
  readonly full: number;
  readonly better: 'higher' | 'lower';
}

export interface Figure {
  readonly name: string;
  readonly unit: string;
  /** One per repetition. */
  readonly values: readonly number[];
  readonly target?: Target;
}

export interface Measured {
  readonly figures: readonly Figure[];
  /** What one must know to read them. */
  readonly notes: readonly string[];
}

export interface Benchmark {
  /** `b1`, `b2`, …, by which the benchmarks are called beside their names. */
  readonly id: string;
  readonly name: string;
  readonly title: string;
  measure(settings: Settings): Promise<Measured>;
}

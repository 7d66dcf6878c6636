/**
 * Runs steps against a computation so that state kept outside `ctx` shows.
 *
 * Every step starts from a snapshot in a new runtime, and runs twice: once for nothing, once to keep. The
 * engine may run a handler more than once before it commits (a miss, a retry, a crash), so both runs must do
 * the same; a variable in a closure, a cache or `Math.random` makes them differ.
 *
 * An `async` handler runs once only: while one is in flight the instance lives on, until `settle`. Not
 * isolated, an instance lives until `restart`: for long inputs, whose state need not be copied at every step.
 */

import type { Computation, TableKnowledge } from '../api.ts';
import type { RuntimeCounters } from '../runtime/index.ts';
import { sameData, spellData } from '../same-data.ts';
import { Instance, type Standing, type TraceEvent } from './instance.ts';

export interface StepRunnerOptions {
  /** A function makes a new instance for every run of a step. */
  readonly computation: Computation | (() => Computation);
  readonly params: Readonly<Record<string, unknown>>;
  /** Default true; false: one instance runs every step once, and only `restart` makes a new one. */
  readonly isolated?: boolean | undefined;
}

export type Step = (instance: Instance) => void;

/** A step ran twice from the same state and did two different things. */
export class NotRepeatableError extends Error {
  constructor(first: string, second: string) {
    super(
      `This step does something else when it is run again from the same state:\n  first:  ${first}\n  second: ${second}\nThe engine may run a handler more than once before it commits, so everything it remembers belongs into ctx.state or ctx.map; time and randomness come from ctx.now and ctx.random().`,
    );
    this.name = 'NotRepeatableError';
  }
}

export class StepRunner {
  readonly trace: TraceEvent[] = [];
  /** What is known of inputs that are tables. */
  readonly tables = new Map<string, TableKnowledge>();
  /** Of instances at rest. */
  readonly #counts = new Map<string, number>();
  readonly #counters = new Map<keyof RuntimeCounters, number>();
  readonly #options: StepRunnerOptions;
  #standing: Standing = { snapshot: new Map(), now: 0, watermark: undefined, outputWatermark: undefined };
  #live: Instance | undefined;
  #woken: () => void = () => undefined;

  constructor(options: StepRunnerOptions) {
    this.#options = options;
  }

  get standing(): Standing {
    return this.#live?.standing() ?? this.#standing;
  }

  /** True while an `async` handler is in flight. */
  get busy(): boolean {
    return (this.#live?.running ?? 0) > 0;
  }

  counted(name: string): number {
    return (this.#counts.get(name) ?? 0) + (this.#live?.counts.get(name) ?? 0);
  }

  counter(name: keyof RuntimeCounters): number {
    return (this.#counters.get(name) ?? 0) + (this.#live?.counters[name] ?? 0);
  }

  /** From here on only what was stored is there. */
  restart(): void {
    if (this.#live !== undefined) this.#rest(this.#live);
  }

  /** What the step did. Throws `NotRepeatableError`; errors of handlers are in the trace. */
  run(step: Step): readonly TraceEvent[] {
    if (this.#live !== undefined) {
      step(this.#live);
      return this.#collect(this.#live);
    }
    const trial = this.#make();
    step(trial);
    if (trial.running > 0 || !this.#isolated) return this.#collect(trial);
    const kept = this.#make();
    step(kept);
    requireSame(trial, kept);
    return this.#collect(kept);
  }

  /** Waits until no `async` handler is in flight. */
  async settle(): Promise<readonly TraceEvent[]> {
    const events: TraceEvent[] = [];
    while (this.#live !== undefined && this.busy) {
      const live = this.#live;
      await new Promise<void>((resolve) => {
        this.#woken = resolve;
        live.proceed();
        // Something may have settled before anybody listened.
        if (live.running === 0 || live.hasSettled) resolve();
      });
      live.proceed();
      events.push(...this.#collect(live));
    }
    return events;
  }

  #make(): Instance {
    const given = this.#options.computation;
    const computation = typeof given === 'function' ? given() : given;
    return new Instance(computation, this.#standing, {
      params: this.#options.params,
      tables: this.tables,
      wake: () => this.#woken(),
    });
  }

  #collect(instance: Instance): readonly TraceEvent[] {
    const events = instance.trace.splice(0);
    this.trace.push(...events);
    if (instance.running > 0 || !this.#isolated) this.#live = instance;
    else this.#rest(instance);
    return events;
  }

  #rest(instance: Instance): void {
    this.#live = undefined;
    this.#standing = instance.standing();
    for (const [name, n] of instance.counts) this.#counts.set(name, (this.#counts.get(name) ?? 0) + n);
    for (const [name, n] of Object.entries(instance.counters) as [keyof RuntimeCounters, number][]) {
      this.#counters.set(name, (this.#counters.get(name) ?? 0) + n);
    }
  }

  get #isolated(): boolean {
    return this.#options.isolated !== false;
  }
}

function requireSame(first: Instance, second: Instance): void {
  const a = doings(first);
  const b = doings(second);
  for (const [what, done] of Object.entries(a)) {
    const again = b[what];
    if (!sameData(done, again)) {
      throw new NotRepeatableError(`${what} ${spellData(done)}`, `${what} ${spellData(again)}`);
    }
  }
}

/** Everything by which two runs may differ; logs and errors by their text. */
function doings(instance: Instance): Readonly<Record<string, unknown>> {
  const { snapshot, ...times } = instance.standing();
  return {
    outputs: instance.trace.map(comparable),
    state: [...snapshot].map(([key, saved]) => [key, saved.state ?? null]),
    maps: [...snapshot].map(([key, saved]) => [key, [...saved.maps]]),
    timers: [...snapshot].map(([key, saved]) => [key, saved.timers]),
    counts: [...instance.counts],
    times,
  };
}

function comparable(event: TraceEvent): unknown {
  if (event.kind === 'error') return { kind: event.kind, error: String(event.error), input: event.input };
  if (event.kind === 'log') return { kind: event.kind, level: event.level, text: event.parts.map(String) };
  return event;
}

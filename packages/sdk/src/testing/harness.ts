/**
 * `harness(computation)`: feeds a computation by hand, without engine or database.
 *
 *     harness(node)
 *       .record('flights', 'LAX', { delay: 5 }, 1_000)
 *       .watermark(3_600_000)
 *       .expect('out', [{ key: 'LAX', value: { flights: 1 } }]);
 *
 * Every step starts in a new instance from stored state and is run twice (see `step-runner.ts`). The wall
 * clock stands at 0 until `wall` moves it. An error of a handler is thrown by the step that caused it.
 */

import type { Computation, MapKey, TableKnowledge } from '../api.ts';
import { copyData, freezeData, type RuntimeCounters } from '../runtime/index.ts';
import { compareOutputs, type ExpectedRecord } from './compare-outputs.ts';
import type { InputRecord, OutputRecord, TraceEvent } from './instance.ts';
import type { SavedTimer } from './snapshot.ts';
import { type Step, StepRunner } from './step-runner.ts';

export interface HarnessOptions {
  readonly params?: Readonly<Record<string, unknown>> | undefined;
  /** `collect`: what fails is set aside as in production (P8) and is found in `errors()`. Default `throw`. */
  readonly onError?: 'throw' | 'collect' | undefined;
  /**
   * Default true: every step starts in a new instance and is run twice, to catch state kept in closures.
   * False: for long inputs; only `restart` makes a new instance.
   */
  readonly isolated?: boolean | undefined;
}

export interface SetAside {
  readonly error: unknown;
  /** Which record or timer. */
  readonly input: string;
}

export type ArmedTimer = Omit<SavedTimer, 'arming'>;

export function harness<Inputs extends object, Outputs extends object>(
  computation: Computation<Inputs, Outputs> | (() => Computation<Inputs, Outputs>),
  options: HarnessOptions = {},
): Harness<Inputs, Outputs> {
  return new Harness(computation, options);
}

export class Harness<Inputs extends object, Outputs extends object> {
  readonly #runner: StepRunner;
  readonly #throwErrors: boolean;
  readonly #expected = new Map<string, number>();
  #watermark: number | undefined;
  #ended = false;
  #records = 0;

  constructor(
    computation: Computation<Inputs, Outputs> | (() => Computation<Inputs, Outputs>),
    options: HarnessOptions,
  ) {
    const { params = {}, isolated, onError = 'throw' } = options;
    this.#runner = new StepRunner({ computation, params, isolated });
    this.#throwErrors = onError === 'throw';
  }

  record<S extends string & keyof Inputs>(stream: S, key: string, value: Inputs[S], timestamp: number): this;
  record<S extends string & keyof Inputs>(record: InputRecord<Inputs[S]> & { readonly stream: S }): this;
  record(given: string | InputRecord, key?: string, value?: unknown, timestamp?: number): this {
    const record =
      typeof given === 'string' ? { stream: given, key: key ?? '', value, timestamp: timestamp! } : given;
    this.#refuseAfterEnd('a record');
    if (!Number.isSafeInteger(record.timestamp)) {
      throw new RangeError(
        `The timestamp of a record is ${String(record.timestamp)}; it must be whole milliseconds.`,
      );
    }
    const frozen = { ...record, value: freezeData(copyData(record.value)) };
    this.#records += 1;
    const id = record.id ?? `record ${this.#records}`;
    return this.#step((instance) => instance.deliver(frozen, id));
  }

  /** The input watermark: no on-time record before `time` is to come. It never goes back (W3). */
  watermark(time: number): this {
    this.#refuseAfterEnd('a watermark');
    const current = this.#watermark;
    if (!Number.isSafeInteger(time)) throw new RangeError(`The watermark ${String(time)} is no time.`);
    if (current !== undefined && time < current) {
      throw new RangeError(`The watermark is at ${current}; it cannot be moved back to ${time}.`);
    }
    this.#watermark = time;
    return this.#step((instance) => instance.advance(time));
  }

  /** What `ctx.table` says of an input from here on. */
  table(input: string & keyof Inputs, known: TableKnowledge): this {
    this.#runner.tables.set(input, known);
    return this;
  }

  /** Sets the wall clock (`ctx.now`) and fires the wall timers that are due. */
  wall(time: number): this {
    if (!Number.isSafeInteger(time)) throw new RangeError(`The wall clock cannot be set to ${String(time)}.`);
    return this.#step((instance) => instance.setWall(time));
  }

  /** Kill and start again: only what was stored is there afterwards. (Every step begins so anyway.) */
  restart(): this {
    if (this.#runner.busy) throw new Error('An async handler is in flight: await settled() first.');
    this.#runner.restart();
    return this;
  }

  /** The input ends: watermark timers fire in order, then wall timers (W6). */
  end(): this {
    this.#refuseAfterEnd('a second end');
    this.#ended = true;
    return this.#step((instance) => instance.end());
  }

  /** Waits for `async` handlers. */
  async settled(): Promise<this> {
    this.#check(await this.#runner.settle());
    return this;
  }

  /** Compares all that `stream` produced since the last `expect` on it, and throws what differs. */
  expect<P extends string & keyof Outputs>(stream: P, expected: readonly ExpectedRecord<Outputs[P]>[]): this {
    if (this.#runner.busy) throw new Error('An async handler is in flight: await settled() first.');
    const all = this.outputs(stream);
    const differences = compareOutputs(stream, expected, all.slice(this.#expected.get(stream) ?? 0));
    this.#expected.set(stream, all.length);
    if (differences.length > 0) throw new Error(differences.map((each) => each.message).join('\n'));
    return this;
  }

  /** All that was produced on `stream` so far. */
  outputs<P extends string & keyof Outputs>(stream: P): readonly OutputRecord<Outputs[P]>[] {
    return this.#runner.trace.flatMap((event) =>
      event.kind === 'output' && event.stream === stream ? [event.record as OutputRecord<Outputs[P]>] : [],
    );
  }

  /** Outputs, dropped records, logs and output watermarks in the order in which they happened. */
  trace(): readonly TraceEvent[] {
    return this.#runner.trace;
  }

  /** The key's `ctx.state`. */
  state(key: string): unknown {
    return copyData(this.#runner.standing.snapshot.get(key)?.state?.value);
  }

  /** The entries of one of the key's maps, in order. */
  map(key: string, name: string): readonly (readonly [MapKey, unknown])[] {
    return copyData(this.#runner.standing.snapshot.get(key)?.maps.get(name) ?? []) as [MapKey, unknown][];
  }

  /** Names of the key's maps that hold something. */
  maps(key: string): readonly string[] {
    return [...(this.#runner.standing.snapshot.get(key)?.maps.keys() ?? [])].sort();
  }

  /** Timers that are armed, in the order in which they would fire. */
  timers(key: string): readonly ArmedTimer[] {
    const timers = [...(this.#runner.standing.snapshot.get(key)?.timers ?? [])];
    timers.sort((a, b) => a.time - b.time);
    return timers.map(({ tag, time, clock, hold }) => ({ tag, time, clock, hold }));
  }

  /** Keys of which anything is stored. */
  keys(): readonly string[] {
    return [...this.#runner.standing.snapshot.keys()];
  }

  /** What this computation has told its consumers; `undefined` until there is one (W4). */
  get outputWatermark(): number | undefined {
    return this.#runner.standing.outputWatermark;
  }

  errors(): readonly SetAside[] {
    return this.#runner.trace.flatMap((event) =>
      event.kind === 'error' ? [{ error: event.error, input: event.input }] : [],
    );
  }

  /** Sum of what `ctx.count(name)` counted. */
  counted(name: string): number {
    return this.#runner.counted(name);
  }

  /** The engine's counters of this computation (P9). */
  counter(name: keyof RuntimeCounters): number {
    return this.#runner.counter(name);
  }

  #step(step: Step): this {
    this.#check(this.#runner.run(step));
    return this;
  }

  #check(events: readonly TraceEvent[]): void {
    if (!this.#throwErrors) return;
    for (const event of events) {
      if (event.kind !== 'error') continue;
      if (event.error instanceof Error) throw event.error;
      throw new Error(`The handler threw ${String(event.error)} for the ${event.input}.`, {
        cause: event.error,
      });
    }
  }

  #refuseAfterEnd(what: string): void {
    if (this.#ended) throw new Error(`The input has ended; ${what} cannot follow.`);
  }
}

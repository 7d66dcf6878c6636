/**
 * One short-lived run of a computation: made from a snapshot, used for one step, and read. The runtime is the
 * one the engine uses, so that what a test sees is what production does.
 */

import type { Computation, Pane, TableKnowledge } from '../api.ts';
import {
  ComputationRuntime,
  type DeadLetter,
  DeliveredRecord,
  type LogLevel,
  type Production,
  type RuntimeCounters,
} from '../runtime/index.ts';
import { deriveId } from './derive-id.ts';
import { restoreSnapshot, type Snapshot, takeSnapshot } from './snapshot.ts';

export interface OutputRecord<V = unknown> {
  readonly key: string;
  readonly value: V;
  readonly timestamp: number;
  readonly pane?: Pane;
}

export interface InputRecord<V = unknown> {
  readonly stream: string;
  /** Default `""`. */
  readonly key?: string | undefined;
  readonly value: V;
  readonly timestamp: number;
  readonly id?: string | undefined;
  readonly pane?: Pane | undefined;
}

/** What a step did, in order. */
export type TraceEvent =
  | { readonly kind: 'output'; readonly stream: string; readonly record: OutputRecord }
  | { readonly kind: 'late'; readonly record: InputRecord }
  | { readonly kind: 'watermark'; readonly time: number }
  | {
      readonly kind: 'log';
      readonly level: LogLevel;
      readonly key: string;
      readonly parts: readonly unknown[];
    }
  | { readonly kind: 'error'; readonly error: unknown; readonly input: string };

/** Where a step starts from, and after it where the next one does. */
export interface Standing {
  readonly snapshot: Snapshot;
  readonly now: number;
  readonly watermark: number | undefined;
  readonly outputWatermark: number | undefined;
}

export interface InstanceOptions {
  readonly params: Readonly<Record<string, unknown>>;
  readonly tables: ReadonlyMap<string, TableKnowledge>;
  /** Called when an `async` handler has settled. */
  wake(): void;
}

export class Instance {
  readonly trace: TraceEvent[] = [];
  readonly counts = new Map<string, number>();
  readonly #runtime: ComputationRuntime;
  #now: number;

  constructor(computation: Computation, from: Standing, options: InstanceOptions) {
    this.#now = from.now;
    this.#runtime = new ComputationRuntime(computation, this.#ports(options), {
      computationId: 'test',
      params: options.params,
      storeIsEmpty: true,
      // A test wants to see the error, not the third try.
      maxTries: 1,
    });
    if (from.watermark !== undefined) this.#runtime.advance(from.watermark);
    restoreSnapshot(from.snapshot, this.#runtime);
    this.#runtime.clock.published = from.outputWatermark;
  }

  get counters(): RuntimeCounters {
    return this.#runtime.counters;
  }

  /** `async` handlers in flight. */
  get running(): number {
    return this.#runtime.running;
  }

  /** An `async` handler has settled and `proceed` has work. */
  get hasSettled(): boolean {
    return this.#runtime.hasReady;
  }

  standing(): Standing {
    return {
      snapshot: takeSnapshot(this.#runtime),
      now: this.#now,
      watermark: this.#runtime.clock.input,
      outputWatermark: this.#runtime.clock.published,
    };
  }

  deliver(record: InputRecord, id: string): void {
    const { key = '', value, timestamp, stream, pane } = record;
    const dropped = this.#runtime.counters.droppedLate;
    this.#runtime.deliver(
      new DeliveredRecord(key, value, timestamp, stream, pane, undefined, id, undefined, 0),
    );
    if (this.#runtime.counters.droppedLate > dropped) this.trace.push({ kind: 'late', record });
    this.proceed();
  }

  advance(watermark: number): void {
    this.#runtime.advance(watermark);
    this.proceed();
  }

  /** The wall clock may also be set back; that fires nothing twice (T4). */
  setWall(now: number): void {
    this.#now = now;
    this.#runtime.fireDue();
    this.proceed();
  }

  /** The input ended: watermark timers fire in order, then wall timers with the clock at their time (W6). */
  end(): void {
    this.advance(Number.POSITIVE_INFINITY);
    while (this.#runtime.running === 0 && this.#runtime.fireNextWallTimer()) this.proceed();
  }

  /** Runs what can run now and publishes the output watermark behind its results (W2). */
  proceed(): void {
    const runtime = this.#runtime;
    while (runtime.hasReady) runtime.runWaiting();
    const output = runtime.outputWatermark();
    const published = runtime.clock.published;
    if (output === undefined || (published !== undefined && output <= published)) return;
    runtime.clock.published = output;
    this.trace.push({ kind: 'watermark', time: output });
  }

  #ports(options: InstanceOptions): ConstructorParameters<typeof ComputationRuntime>[1] {
    return {
      deriveId,
      now: () => this.#now,
      prepare: () => undefined,
      emit: (production) => this.#emit(production),
      deadLetter: (letter) =>
        this.trace.push({ kind: 'error', error: letter.error, input: spellInput(letter) }),
      log: (level, parts, key) => this.trace.push({ kind: 'log', level, key, parts }),
      count: (name, n) => this.counts.set(name, (this.counts.get(name) ?? 0) + n),
      wake: () => options.wake(),
      table: (input) => options.tables.get(input),
      beforeCall: () => undefined,
      afterFailure: () => undefined,
    };
  }

  #emit(production: Production): void {
    const { key, value, timestamp, pane, port } = production;
    const record = pane === undefined ? { key, value, timestamp } : { key, value, timestamp, pane };
    this.trace.push({ kind: 'output', stream: port, record });
  }
}

function spellInput({ input }: DeadLetter): string {
  return 'owner' in input
    ? `timer ${JSON.stringify(input.tag)} of key ${JSON.stringify(input.owner.key)} at ${input.time}`
    : `record of ${JSON.stringify(input.stream)} with key ${JSON.stringify(input.key)} at ${input.timestamp}`;
}

/**
 * The public types that user code is written against. See model.md for the rules named here (P…, W…, T…).
 *
 * A computation handles one record or one timer at a time, always in the context of one key. Everything it
 * does through `ctx` takes effect together, when the call returns, or not at all (P8).
 */

/** Event time: integer milliseconds since 1970-01-01T00:00:00Z. May be negative. */
export type EventTime = number;

/** A duration as settings spell it (`250ms`, `10s`, `30m`, `2h`, `1d`) or in milliseconds. */
export type Duration = string | number;

export type DeepReadonly<T> = T extends (infer E)[]
  ? readonly DeepReadonly<E>[]
  : T extends Date | Uint8Array | ((...args: never[]) => unknown)
    ? T
    : T extends object
      ? { readonly [K in keyof T]: DeepReadonly<T[K]> }
      : T;

/** One firing of one window of one key (N5). */
export interface Pane {
  readonly start: EventTime;
  readonly end: EventTime;
  readonly index: number;
  readonly timing: 'early' | 'on-time' | 'late';
  readonly last: boolean;
  /** This record takes back the pane of this window and index, as it was (accumulating-and-retracting, N3). */
  readonly retracts?: true | undefined;
}

export interface StreamRecord<V = unknown, S extends string = string> {
  /** The key in whose context the handler runs (G2). */
  readonly key: string;
  readonly value: DeepReadonly<V>;
  readonly timestamp: EventTime;
  /** Stable across retries, crashes and engines (P4). */
  readonly id: string;
  /** The name of the input this record came in on. */
  readonly stream: S;
  /** Decided once, at delivery (W8). */
  readonly late: boolean;
  /** The pane that produced this record, where a windowed operator did. */
  readonly pane?: Pane | undefined;
}

/** What is known of an input that is a table which is read as a whole, again and again. */
export interface TableKnowledge {
  /** Every row is here that the table has for any time below this. It only rises. */
  readonly until: EventTime;
  /**
   * From when on a row has gone that was read from scratch later and not found, whatever was said of it: a row carries
   * the `index` of its reading in its pane. `Infinity`: it is of the last such reading.
   */
  goneFrom(index: number): EventTime;
}

export type Clock = 'watermark' | 'wall';

export interface Timer<Tag extends string = string> {
  readonly tag: Tag;
  readonly time: EventTime;
  readonly clock: Clock;
  readonly key: string;
}

export interface StateOptions {
  /** Holds the computation's output watermark at this time until the next `set` or `clear` (W1). */
  readonly holdUntil?: EventTime | undefined;
}

export interface StateCell<S> {
  /** This call's own copy; a change without `set` is not kept (P12). */
  get(): S | undefined;
  set(value: S, options?: StateOptions): void;
  clear(): void;
}

export type MapKey = string | number;

export interface EntriesOptions {
  /** Inclusive. */
  readonly from?: MapKey | undefined;
  /** Exclusive. */
  readonly to?: MapKey | undefined;
  readonly reverse?: boolean | undefined;
  readonly limit?: number | undefined;
}

/** A named, ordered map of one key; numbers sort before strings. Entries are stored one by one (P2). */
export interface StateMap<V, K extends MapKey = MapKey> {
  get(key: K): V | undefined;
  has(key: K): boolean;
  set(key: K, value: V): void;
  delete(key: K): void;
  /** Removes the entries with `from <= key < to`. */
  deleteRange(from?: K, to?: K): void;
  /**
   * Entries in key order. The handler may be abandoned and run again when entries must be fetched, exactly as
   * for `get`, so the iterator is also a plain iterable: `for (const [k, v] of map.entries())` works in a
   * handler that is not `async`.
   */
  entries(options?: EntriesOptions): Iterable<[K, V]> & AsyncIterable<[K, V]>;
  readonly size: number;
}

export interface TimerOptions {
  readonly clock?: Clock | undefined;
  /** Holds the output watermark until the firing's results are delivered; default: the timer's time (W2). */
  readonly hold?: EventTime | undefined;
}

export interface ProduceOptions {
  readonly key?: string | undefined;
  readonly timestamp?: EventTime | undefined;
  readonly pane?: Pane | undefined;
}

export interface Log {
  debug(...parts: unknown[]): void;
  info(...parts: unknown[]): void;
  warn(...parts: unknown[]): void;
  error(...parts: unknown[]): void;
}

/** What the fourth type parameter of `computation` may name. */
export interface Extras {
  maps?: object;
  params?: object;
  timers?: string;
}

type MapsOf<X extends Extras> = X extends { maps: infer M } ? M : Record<string, unknown>;
type ParamsOf<X extends Extras> = X extends { params: infer P } ? P : Readonly<Record<string, unknown>>;
type TimersOf<X extends Extras> = X extends { timers: infer T extends string } ? T : string;

export interface Context<
  Outputs extends object = Record<string, unknown>,
  State = unknown,
  X extends Extras = Extras,
> {
  readonly key: string;
  /** Processing time, ms; interval time in discretized mode. */
  readonly now: EventTime;
  /**
   * The input low watermark; `undefined` until there is one (W4). For a key with records that had to wait it is no later
   * than the oldest of those that came on time.
   */
  readonly watermark: EventTime | undefined;
  /**
   * Of an input that is read as a whole (a "Postgres table", a "File as table"): what is known of it. `undefined` for any
   * other input, and until a reading was whole. For a key with rows that had to wait, `until` is no later than they stand.
   */
  table(input: string): TableKnowledge | undefined;
  readonly state: StateCell<State>;
  map<V = never, N extends string & keyof MapsOf<X> = string & keyof MapsOf<X>>(
    name: N,
  ): StateMap<[V] extends [never] ? MapsOf<X>[N] : V>;
  setTimer(tag: TimersOf<X>, time: EventTime, options?: TimerOptions): void;
  clearTimer(tag: TimersOf<X>, clock?: Clock): void;
  /**
   * Emits a record. Default key: `ctx.key`; default timestamp: the record's, in a timer its hold. Throws when
   * the timestamp is below what this call may still send (a silent late record otherwise).
   */
  produce<P extends string & keyof Outputs>(stream: P, value: Outputs[P], options?: ProduceOptions): void;
  readonly log: Log;
  count(name: string, n?: number): void;
  readonly params: ParamsOf<X>;
  /** In [0, 1), seeded by the cause's id: the same on every retry (P4). */
  random(): number;
  /** Counts this record as dropped late (P9). */
  dropLate(): void;
}

/** Union over the inputs, so that `record.stream` narrows `record.value`. */
export type InputRecord<Inputs extends object> = {
  [S in string & keyof Inputs]: StreamRecord<Inputs[S], S>;
}[string & keyof Inputs];

export interface Handlers<Inputs extends object, Outputs extends object, State, X extends Extras> {
  processRecord(record: InputRecord<Inputs>, ctx: Context<Outputs, State, X>): void | Promise<void>;
  processTimer?(timer: Timer<TimersOf<X>>, ctx: Context<Outputs, State, X>): void | Promise<void>;
  /** Default 1; stored with each key (Y2). */
  stateVersion?: number;
  migrateState?(old: unknown, from: number): State | undefined;
  migrateEntry?(map: string, key: MapKey, old: unknown, from: number): unknown;
}

declare const outputsBrand: unique symbol;
declare const inputsBrand: unique symbol;

/** What a node's module exports by default. The two brands exist for the type checker only. */
export interface Computation<Inputs extends object = object, Outputs extends object = object> {
  readonly kind: 'computation';
  // biome-ignore lint/suspicious/noExplicitAny: the runtime calls handlers of every shape
  readonly handlers: Handlers<any, any, any, any>;
  /** The settings that shape an operator's state; a changed shape is an incompatible deploy (Y2). */
  readonly stateShape?: string | undefined;
  /** True when it keeps no state, map or timer: it may then run wherever its input is. */
  readonly stateless?: boolean | undefined;
  /**
   * True when its handlers never change a value that they were given or have handed over, and store nothing but
   * data: state and map entries then go in and out without a copy. State alone may be changed where it is, by the last
   * thing that a call does. Only operators may promise it.
   */
  readonly sharesValues?: boolean | undefined;
  readonly [inputsBrand]?: Inputs;
  readonly [outputsBrand]?: Outputs;
}

export type OutputsOf<C> = C extends Computation<infer _I, infer O> ? O : never;
export type InputsOf<C> = C extends Computation<infer I, infer _O> ? I : never;

/** Makes a computation of its handlers (MillWheel §4.1). */
export function computation<
  Inputs extends object,
  Outputs extends object,
  State = unknown,
  X extends Extras = Extras,
>(handlers: Handlers<Inputs, Outputs, State, X>): Computation<Inputs, Outputs> {
  return { kind: 'computation', handlers };
}

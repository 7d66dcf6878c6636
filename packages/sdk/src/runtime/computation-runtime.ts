/**
 * Runs one computation over the keys of one owner: MillWheel's per-key context (VLDB 2013 §4), without any
 * store, network or clock of its own. The engine's worker drives it, and so does the test kit, so what a test
 * sees is what production does.
 *
 * Owns: the entries of its keys, armed timers, inputs that wait, the holds on the output watermark.
 * Does not own: where records come from and go to, durability, when to seal, watermarks of others.
 *
 * Invariants
 *   R1 (P1)  one handler at a time per key; an input never overtakes an older waiting input of its key.
 *   R2 (P8)  a call that throws or is abandoned leaves no trace.
 *   R3 (W1)  `holds` contains exactly: one hold per armed timer that has one, one per `holdUntil`, one per
 *            waiting on-time record.
 *   R4 (T2)  a timer fires only when the input watermark has reached it, in time order per key.
 *   R5 (W8)  `late` is decided once, when a record is first delivered.
 *   R6       everything that changed since the last `takeDirty` is in the dirty list.
 */

import type { Computation, Handlers } from '../api.ts';
import { CallContext } from './call-context.ts';
import type { Cause, DeliveredRecord } from './delivered-record.ts';
import { Firing } from './firing.ts';
import { HoldSet } from './hold-set.ts';
import { Journal } from './journal.ts';
import { KeyEntry, type TimerEntry, timerId, type WaitingInput } from './key-entry.ts';
import { copyData } from './plain-data.ts';
import type { LogLevel, RuntimePorts } from './ports.ts';
import { adopt, shadowOf } from './shadow-entry.ts';
import { TimerHeap } from './timer-heap.ts';

export interface RuntimeOptions {
  readonly computationId: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** True when the store holds nothing for this computation: unknown keys are then new keys. */
  readonly storeIsEmpty: boolean;
  /** Negative control of the crash sweep: inputs that wait do not hold the watermark. */
  readonly unheldParked?: boolean | undefined;
  /** Tries before an input is set aside (P8). */
  readonly maxTries?: number | undefined;
  /** Wait before the second try; four times longer before each further one. */
  readonly backoffMs?: number | undefined;
  /** Firings of one key after the input ended, beyond which its timers are set aside (W6). */
  readonly maxFiringsAfterEnd?: number | undefined;
}

/** Counters of P9; absolute since the runtime was made. */
export interface RuntimeCounters {
  delivered: number;
  withOutput: number;
  withoutOutput: number;
  droppedLate: number;
  late: number;
  /** Records and timers set aside; `timersDeadLettered` of them are timers, which were never delivered. */
  deadLettered: number;
  timersDeadLettered: number;
  producedByRecords: number;
  producedByTimers: number;
  timersFired: number;
}

export interface MissingContent {
  readonly entry: KeyEntry;
  /** Undefined: the key itself. */
  readonly map: string | undefined;
  /** Undefined: the whole map. */
  readonly mapKey: string | number | undefined;
}

type Input = DeliveredRecord | TimerEntry;
// biome-ignore lint/suspicious/noExplicitAny: handlers of every shape are called here
type AnyHandlers = Handlers<any, any, any, any>;

export class ComputationRuntime {
  readonly counters: RuntimeCounters = {
    delivered: 0,
    withOutput: 0,
    withoutOutput: 0,
    droppedLate: 0,
    late: 0,
    deadLettered: 0,
    timersDeadLettered: 0,
    producedByRecords: 0,
    producedByTimers: 0,
    timersFired: 0,
  };
  readonly holds = new HoldSet();
  readonly params: Readonly<Record<string, unknown>>;
  readonly sharesValues: boolean;
  /** What this computation has told its consumers; only the driver moves it. */
  publishedWatermark: number | undefined;

  readonly #computationId: string;
  readonly #handlers: AnyHandlers;
  readonly #ports: RuntimePorts;
  readonly #entries = new Map<string, KeyEntry>();
  readonly #watermarkTimers = new TimerHeap();
  readonly #wallTimers = new TimerHeap();
  readonly #maxTries: number;
  readonly #backoffMs: number;
  readonly #maxFiringsAfterEnd: number;
  #storeIsEmpty: boolean;
  #inputWatermark: number | undefined;
  /** The last input watermark that was a time, for wall timers after the end. */
  #lastFiniteWatermark: number | undefined;
  #order = 0;
  /** Timers armed from here on were armed after all input had ended. */
  #orderAtEnd = Number.POSITIVE_INFINITY;
  readonly #journal = new Journal();
  #dirty: KeyEntry[] = [];
  #missing: MissingContent[] = [];
  #ready: KeyEntry[] = [];
  #delayed: { entry: KeyEntry; at: number }[] = [];
  #settled: {
    entry: KeyEntry;
    item: WaitingInput;
    shadow: KeyEntry;
    ctx: CallContext;
    error: { thrown: unknown } | undefined;
  }[] = [];
  #waitingCount = 0;
  #waitingRecords = 0;
  #runningCount = 0;
  #firingsLeft = Number.POSITIVE_INFINITY;
  #virtualNow: number | undefined;
  #asyncRecords: boolean;
  readonly #unheldParked: boolean;

  constructor(computation: Computation, ports: RuntimePorts, options: RuntimeOptions) {
    this.#handlers = computation.handlers as AnyHandlers;
    this.#ports = ports;
    this.#computationId = options.computationId;
    this.params = options.params;
    this.sharesValues = computation.sharesValues === true;
    this.#storeIsEmpty = options.storeIsEmpty;
    this.#unheldParked = options.unheldParked === true;
    this.#maxTries = options.maxTries ?? 3;
    this.#backoffMs = options.backoffMs ?? 10;
    this.#maxFiringsAfterEnd = options.maxFiringsAfterEnd ?? 10_000;
    this.#asyncRecords = isAsyncFunction(this.#handlers.processRecord);
  }

  // ---- input -----------------------------------------------------------------------------------------

  /** Processes a record now, or queues it behind older input of its key. */
  deliver(record: DeliveredRecord): void {
    const watermark = this.#inputWatermark;
    this.counters.delivered++;
    if (watermark !== undefined && record.timestamp < watermark) {
      record.late = true;
      this.counters.late++;
    }
    const entry = this.entryFor(record.key);
    if (entry.waiting !== undefined || !entry.loaded || this.#firingsLeft <= 0 || this.#asyncRecords) {
      this.#wait(entry, record);
      return;
    }
    this.#call(entry, record, undefined);
    const next = this.#watermarkTimers.peek();
    if (next === undefined) return;
    if (this.#wallTimers.peek() !== undefined) this.fireDue();
    else if (watermark !== undefined && next.time <= watermark)
      this.#fireClock(this.#watermarkTimers, watermark);
  }

  /** Takes back a parked record that an earlier incarnation stored; counted when it was delivered. */
  restoreWaiting(record: DeliveredRecord, storedAs: number): void {
    const entry = this.entryFor(record.key);
    const item = this.#enqueue(entry, record);
    item.storedAs = storedAs;
    if (entry.loaded) this.#ready.push(entry);
    else this.prefetch(record.key);
  }

  /** Arms a timer that an earlier incarnation stored. */
  restoreTimer(timer: Omit<TimerEntry, 'owner' | 'live' | 'order'>, key: string): void {
    const entry = this.entryFor(key);
    entry.timers ??= new Map();
    const restored: TimerEntry = { ...timer, owner: entry, live: true, order: this.nextOrder() };
    entry.timers.set(timerId(timer.clock, timer.tag), restored);
    this.#arm(restored);
  }

  restoreHold(key: string, holdUntil: number): void {
    const entry = this.entryFor(key);
    if (entry.holdUntil !== undefined) return;
    entry.holdUntil = holdUntil;
    entry.holdStored = true;
    this.holds.add(holdUntil);
  }

  entryFor(key: string): KeyEntry {
    let entry = this.#entries.get(key);
    if (entry === undefined) {
      entry = new KeyEntry(key, this.#storeIsEmpty);
      this.#entries.set(key, entry);
    }
    return entry;
  }

  /** The entry if the key is known here. */
  peek(key: string): KeyEntry | undefined {
    return this.#entries.get(key);
  }

  /** Number of keys in memory. */
  get size(): number {
    return this.#entries.size;
  }

  entries(): IterableIterator<KeyEntry> {
    return this.#entries.values();
  }

  // ---- watermark and timers --------------------------------------------------------------------------

  get inputWatermark(): number | undefined {
    return this.#inputWatermark;
  }

  /** Raises the input watermark (W3: a lower one is ignored) and fires what became due. `Infinity` = ended. */
  advance(watermark: number): void {
    if (this.#inputWatermark !== undefined && watermark <= this.#inputWatermark) return;
    this.#inputWatermark = watermark;
    if (watermark === Number.POSITIVE_INFINITY) this.#orderAtEnd = this.#order;
    else this.#lastFiniteWatermark = watermark;
    this.fireDue();
  }

  /** min(input watermark, oldest hold), before the driver clamps it to be monotone (W1). */
  outputWatermark(): number | undefined {
    const input = this.#inputWatermark;
    if (input === undefined) return undefined;
    const hold = this.holds.min();
    return hold !== undefined && hold < input ? hold : input;
  }

  /** At most this many firings until the next call (T5). */
  allowFirings(limit: number): void {
    this.#firingsLeft = limit;
  }

  /** True when no more firings are allowed: what is delivered now waits. */
  get firingsSpent(): boolean {
    return this.#firingsLeft <= 0;
  }

  /** True when timers are due that `allowFirings` has kept back. */
  get owesFirings(): boolean {
    if (this.#firingsLeft > 0) return false;
    return (
      this.#due(this.#watermarkTimers, this.#inputWatermark) || this.#due(this.#wallTimers, this.#ports.now())
    );
  }

  fireDue(): void {
    this.#fireClock(this.#watermarkTimers, this.#inputWatermark);
    if (this.#wallTimers.peek() !== undefined) this.#fireClock(this.#wallTimers, this.#ports.now());
  }

  get nextWallTimer(): number | undefined {
    return this.#wallTimers.peek()?.time;
  }

  /** After the end of all input: fires the next wall timer with `ctx.now` at its time (W6). */
  fireNextWallTimer(): boolean {
    const timer = this.#wallTimers.peek();
    if (timer === undefined) return false;
    this.#virtualNow = timer.time;
    try {
      this.#fireClock(this.#wallTimers, timer.time);
      this.fireDue();
    } finally {
      this.#virtualNow = undefined;
    }
    return true;
  }

  // ---- waiting input ---------------------------------------------------------------------------------

  get waiting(): number {
    return this.#waitingCount;
  }

  /** Records among them (P9). */
  get waitingRecords(): number {
    return this.#waitingRecords;
  }

  /** `async` calls in flight. */
  get running(): number {
    return this.#runningCount;
  }

  /** Wall time at which a back-off ends, if any input waits for one. */
  get nextRetry(): number | undefined {
    let next: number | undefined;
    for (const { at } of this.#delayed) if (next === undefined || at < next) next = at;
    return next;
  }

  /** Runs every waiting input that can run now. */
  runWaiting(): void {
    this.#finishAsync();
    if (this.#delayed.length > 0) this.#wakeDelayed();
    while (this.#ready.length > 0 && this.#firingsLeft > 0) {
      const ready = this.#ready;
      this.#ready = [];
      for (const entry of ready) this.#runKey(entry);
      this.fireDue();
    }
  }

  get hasReady(): boolean {
    return this.#ready.length > 0 || this.#settled.length > 0;
  }

  /** Content the store must hand in before some key can go on; each is asked for once. */
  takeMissing(): readonly MissingContent[] {
    const missing = this.#missing;
    this.#missing = [];
    return missing;
  }

  /** True while no key can be in the store that is not in memory: nothing has to be fetched. */
  get knowsAllKeys(): boolean {
    return this.#storeIsEmpty;
  }

  /** Marks a key as about to be needed, so that its content is fetched together with others. */
  prefetch(key: string): void {
    const entry = this.entryFor(key);
    if (!entry.loaded && !entry.fetching) {
      entry.fetching = true;
      this.#missing.push({ entry, map: undefined, mapKey: undefined });
    }
  }

  /** The store's content for a key has been put into its entry. */
  loaded(entry: KeyEntry): void {
    entry.loaded = true;
    entry.fetching = false;
    if (entry.waiting !== undefined) this.#ready.push(entry);
    this.#unblock(entry);
  }

  /** The map content a waiting input asked for has arrived. */
  mapLoaded(entry: KeyEntry): void {
    if (entry.waiting !== undefined) this.#ready.push(entry);
  }

  // ---- sealing and eviction --------------------------------------------------------------------------

  /** Entries changed since the last call; the driver reads and clears their dirty marks. */
  takeDirty(): KeyEntry[] {
    const dirty = this.#dirty;
    this.#dirty = [];
    for (const entry of dirty) entry.listed = false;
    return dirty;
  }

  /** Forgets the content of a clean key; from now on an unknown key may exist in the store. */
  evict(entry: KeyEntry): boolean {
    if (
      entry.listed ||
      entry.fetching ||
      entry.waiting !== undefined ||
      entry.blocked !== undefined ||
      entry.holdUntil !== undefined
    )
      return false;
    if (entry.timers !== undefined && entry.timers.size > 0) return false;
    this.#storeIsEmpty = false;
    this.#entries.delete(entry.key);
    return true;
  }

  /** Drops an entry that holds nothing. */
  forget(entry: KeyEntry): void {
    if (entry.empty && !entry.listed && entry.loaded && entry.blocked === undefined)
      this.#entries.delete(entry.key);
  }

  // ---- what a call needs (CallHost) ------------------------------------------------------------------

  now(): number {
    return this.#virtualNow ?? this.#ports.now();
  }

  sharedJournal(): Journal {
    this.#journal.reset();
    return this.#journal;
  }

  nextOrder(): number {
    return this.#order++;
  }

  prepare(...production: Parameters<RuntimePorts['prepare']>): unknown {
    return this.#ports.prepare(...production);
  }

  migrateState(old: unknown, from: number): unknown {
    const migrate = this.#handlers.migrateState;
    const to = this.#handlers.stateVersion ?? 1;
    if (migrate === undefined)
      throw new Error(`stored state has version ${from}, the code has ${to} and no migrateState`);
    return migrate.call(this.#handlers, old, from);
  }

  missed(entry: KeyEntry, map: string, mapKey: string | number | undefined): void {
    this.#missing.push({ entry, map, mapKey });
  }

  log(level: LogLevel, parts: readonly unknown[], key: string): void {
    this.#ports.log(level, parts, key);
  }

  // ---- private: calls --------------------------------------------------------------------------------

  /** Runs the handler on an input; `item` is set when the input was waiting. Returns true when it is done with. */
  #call(entry: KeyEntry, input: Input, item: WaitingInput | undefined): boolean {
    const isTimer = 'owner' in input;
    const refusal = this.#ports.beforeCall(input);
    if (refusal !== undefined) return this.#refused(entry, input, refusal);
    const base = isTimer ? (input.hold ?? this.#timeOfWallFiring()) : input.timestamp;
    const cause: Cause = isTimer ? new Firing(input, this.#computationId, this.#ports) : input;
    const isolated = !isTimer && this.#asyncRecords;
    const target = isolated ? shadowOf(entry) : entry;
    const ctx = new CallContext(this, target, entry, cause, isTimer, base);
    if (isTimer) takeTimer(entry, input);
    let result: unknown;
    let waits: boolean;
    try {
      result = isTimer
        ? this.#callTimer(input, ctx)
        : this.#handlers.processRecord(input as never, ctx as never);
      // Within the try: `then` may be a getter of the user's.
      waits = isThenable(result);
    } catch (error) {
      return this.#failed(entry, input, item, ctx, error);
    }
    if (waits) {
      // A promise of our own: a foreign `then` may throw, or settle twice.
      return this.#callAsync(entry, input, item, ctx, target, Promise.resolve(result), isolated);
    }
    if (CallContext.missed(ctx)) return this.#failed(entry, input, item, ctx, undefined);
    this.#succeeded(entry, input, CallContext.end(ctx));
    return true;
  }

  #callTimer(timer: TimerEntry, ctx: CallContext): unknown {
    const handler = this.#handlers.processTimer;
    if (handler === undefined)
      throw new Error(`timer "${timer.tag}" fired, but the computation has no processTimer`);
    return handler.call(
      this.#handlers,
      { tag: timer.tag, time: timer.time, clock: timer.clock, key: timer.owner.key },
      ctx as never,
    );
  }

  /** P10: the key waits, other keys go on. Effects stay in a shadow of the entry until the promise settles. */
  #callAsync(
    entry: KeyEntry,
    input: Input,
    item: WaitingInput | undefined,
    ctx: CallContext,
    shadow: KeyEntry,
    promise: Promise<unknown>,
    isolated: boolean,
  ): boolean {
    if (!isolated) {
      // First sight of an async handler: this call wrote to the entry itself. It is undone and runs again
      // isolated; what is left of it has a dead context.
      CallContext.undo(ctx);
      promise.then(undefined, () => undefined);
      if ('owner' in input)
        return this.#failed(entry, input, item, ctx, new Error('processTimer must not be async'));
      this.#asyncRecords = true;
      if (item === undefined) this.#wait(entry, input);
      else this.#ready.push(entry);
      return false;
    }
    const waiting = item ?? this.#enqueue(entry, input);
    waiting.running = true;
    this.#runningCount++;
    const settle = (error: { thrown: unknown } | undefined): void => {
      this.#settled.push({ entry, item: waiting, shadow, ctx, error });
      this.#ports.wake();
    };
    promise.then(
      () => settle(undefined),
      (thrown) => settle({ thrown }),
    );
    return false;
  }

  #finishAsync(): void {
    const settled = this.#settled;
    this.#settled = [];
    for (const { entry, item, shadow, ctx, error } of settled) {
      item.running = false;
      this.#runningCount--;
      const input = item.input;
      if (error !== undefined || CallContext.missed(ctx)) {
        if (this.#failed(entry, input, item, ctx, error?.thrown)) this.#done(entry, item);
      } else {
        const journal = CallContext.end(ctx);
        if (journal?.changed) adopt(entry, shadow);
        this.#succeeded(entry, input, journal);
        this.#done(entry, item);
      }
      // What misses content runs again when that is here (`mapLoaded`).
      if (entry.waiting !== undefined && !CallContext.missed(ctx)) this.#ready.push(entry);
    }
  }

  #succeeded(entry: KeyEntry, input: Input, journal: Journal | undefined): void {
    // W2: results go out in front of the watermark, so they leave while the holds still stand.
    this.#emit(input, journal);
    if ('owner' in input) {
      this.counters.timersFired++;
      this.#disarm(input);
      this.#list(entry);
    }
    if (journal === undefined) return;
    if (journal.changed) this.#list(entry);
    if (journal.stateSaved && journal.holdBefore !== entry.holdUntil)
      this.#moveHold(journal.holdBefore, entry.holdUntil);
    for (const { id, before, after } of journal.timers) {
      if (before !== undefined) this.#disarm(before);
      // A timer replaced again within its call never counted.
      if (after !== undefined && entry.timers?.get(id) === after) this.#arm(after);
      markTimer(entry, id);
    }
    for (const [name, n] of journal.counts) this.#ports.count(name, n);
  }

  #emit(input: Input, journal: Journal | undefined): void {
    const produced = journal === undefined ? 0 : journal.productions.length;
    const counters = this.counters;
    if ('owner' in input) counters.producedByTimers += produced;
    else {
      counters.producedByRecords += produced;
      if (journal?.dropsLate) counters.droppedLate++;
      else if (produced > 0) counters.withOutput++;
      else counters.withoutOutput++;
    }
    if (journal !== undefined) for (const production of journal.productions) this.#ports.emit(production);
  }

  /** The driver knows that this input must not run again: it killed a worker (P8). */
  #refused(entry: KeyEntry, input: Input, error: Error): boolean {
    this.setAside(entry, input, error, 1);
    return true;
  }

  /** Undoes the call. Returns true when the input is finished with (set aside), false when it waits. */
  #failed(
    entry: KeyEntry,
    input: Input,
    item: WaitingInput | undefined,
    ctx: CallContext,
    error: unknown,
  ): boolean {
    CallContext.undo(ctx);
    if ('owner' in input) entry.timers?.set(timerId(input.clock, input.tag), input);
    const waiting = item ?? this.#enqueue(entry, input);
    if (CallContext.missed(ctx)) return false;
    waiting.attempts++;
    if (waiting.attempts < this.#maxTries) {
      waiting.notBefore = this.#ports.now() + this.#backoffMs * 4 ** (waiting.attempts - 1);
      this.#delayed.push({ entry, at: waiting.notBefore });
      return false;
    }
    this.setAside(entry, input, error, waiting.attempts);
    if (item === undefined) this.#done(entry, waiting);
    return true;
  }

  /** Makes a dead letter of an input (P8). The caller takes it off the waiting list. */
  setAside(entry: KeyEntry, input: Input, error: unknown, attempts: number): void {
    this.counters.deadLettered++;
    this.#ports.deadLetter({
      input,
      error,
      attempts,
      state: entry.hasState ? copyData(entry.state) : undefined,
    });
    if (!('owner' in input)) return;
    this.counters.timersDeadLettered++;
    const id = timerId(input.clock, input.tag);
    if (entry.timers?.get(id) === input) entry.timers.delete(id);
    this.#disarm(input);
    markTimer(entry, id);
    this.#list(entry);
  }

  // ---- private: waiting ------------------------------------------------------------------------------

  #wait(entry: KeyEntry, record: DeliveredRecord): void {
    this.#enqueue(entry, record);
    if (entry.loaded) this.#ready.push(entry);
    else if (!entry.fetching) {
      entry.fetching = true;
      this.#missing.push({ entry, map: undefined, mapKey: undefined });
    }
  }

  #enqueue(entry: KeyEntry, input: Input): WaitingInput {
    const hold = 'owner' in input || input.late || this.#unheldParked ? undefined : input.timestamp;
    const item: WaitingInput = { input, attempts: 0, notBefore: 0, hold, storedAs: 0, running: false };
    entry.waiting ??= [];
    // A timer that failed was due before every record that waits, so it goes in front of them.
    if ('owner' in input && entry.waiting[0]?.running !== true) entry.waiting.unshift(item);
    else entry.waiting.push(item);
    if (hold !== undefined) this.holds.add(hold);
    this.#waitingCount++;
    if (!('owner' in input)) this.#waitingRecords++;
    this.#list(entry);
    return item;
  }

  #runKey(entry: KeyEntry): void {
    const now = this.#ports.now();
    while (entry.waiting !== undefined && this.#firingsLeft > 0) {
      const item = entry.waiting[0] as WaitingInput;
      if (item.running || !entry.loaded || item.notBefore > now) return;
      if (!this.#call(entry, item.input, item)) return;
      this.#done(entry, item);
      // T3: timers that the call made due fire before the next input of the key.
      this.#fireClock(this.#watermarkTimers, this.#inputWatermark);
    }
    if (entry.waiting !== undefined) this.#ready.push(entry);
  }

  #done(entry: KeyEntry, item: WaitingInput): void {
    const waiting = entry.waiting as WaitingInput[];
    const at = waiting.indexOf(item);
    if (at === 0) waiting.shift();
    else if (at > 0) waiting.splice(at, 1);
    if (waiting.length === 0) entry.waiting = undefined;
    if (item.hold !== undefined) this.holds.remove(item.hold);
    if (item.storedAs !== 0) {
      entry.unparked ??= [];
      entry.unparked.push(item.storedAs);
    }
    this.#waitingCount--;
    if (!('owner' in item.input)) this.#waitingRecords--;
    this.#list(entry);
    this.#unblock(entry);
  }

  #wakeDelayed(): void {
    const now = this.#ports.now();
    const delayed = this.#delayed;
    this.#delayed = [];
    for (const d of delayed) {
      if (d.at <= now) this.#ready.push(d.entry);
      else this.#delayed.push(d);
    }
  }

  // ---- private: timers and holds ---------------------------------------------------------------------

  #fireClock(heap: TimerHeap, limit: number | undefined): void {
    if (limit === undefined) return;
    for (;;) {
      const timer = heap.peek();
      if (timer === undefined || timer.time > limit || this.#firingsLeft <= 0) return;
      heap.pop();
      const entry = timer.owner;
      if (!this.#mayFire(entry, timer)) {
        entry.blocked ??= [];
        entry.blocked.push(timer);
        continue;
      }
      this.#firingsLeft--;
      if (timer.order >= this.#orderAtEnd && ++entry.firedAfterEnd > this.#maxFiringsAfterEnd) {
        this.setAside(
          entry,
          timer,
          new Error(
            `more than ${this.#maxFiringsAfterEnd} timers of this key fired after the input had ended: a timer that arms itself for ever`,
          ),
          1,
        );
        continue;
      }
      this.#call(entry, timer, undefined);
    }
  }

  #mayFire(entry: KeyEntry, timer: TimerEntry): boolean {
    if (!entry.loaded) {
      this.prefetch(entry.key);
      return false;
    }
    const waiting = entry.waiting;
    if (waiting === undefined) return true;
    const head = waiting[0] as WaitingInput;
    if (head.running || 'owner' in head.input) return false;
    if (timer.clock === 'wall') return true;
    const oldest = entry.oldestWaiting();
    return oldest === undefined || oldest >= timer.time;
  }

  #unblock(entry: KeyEntry): void {
    const blocked = entry.blocked;
    if (blocked === undefined) return;
    entry.blocked = undefined;
    for (const timer of blocked) if (timer.live) this.#heapOf(timer).push(timer);
  }

  #arm(timer: TimerEntry): void {
    timer.live = true;
    this.#heapOf(timer).push(timer);
    if (timer.hold !== undefined) this.holds.add(timer.hold);
  }

  #disarm(timer: TimerEntry): void {
    if (!timer.live) return;
    timer.live = false;
    if (timer.hold !== undefined) this.holds.remove(timer.hold);
  }

  #heapOf(timer: TimerEntry): TimerHeap {
    return timer.clock === 'wall' ? this.#wallTimers : this.#watermarkTimers;
  }

  #due(heap: TimerHeap, limit: number | undefined): boolean {
    const timer = heap.peek();
    return timer !== undefined && limit !== undefined && timer.time <= limit;
  }

  #moveHold(before: number | undefined, after: number | undefined): void {
    if (before !== undefined) this.holds.remove(before);
    if (after !== undefined) this.holds.add(after);
  }

  /** Default timestamp of what a wall timer without a hold produces (W2); with no watermark yet, now. */
  #timeOfWallFiring(): number {
    const watermark = this.#inputWatermark;
    if (watermark === undefined) return Math.floor(this.now());
    return watermark === Number.POSITIVE_INFINITY
      ? (this.#lastFiniteWatermark ?? Math.floor(this.now()))
      : watermark;
  }

  #list(entry: KeyEntry): void {
    if (entry.listed) return;
    entry.listed = true;
    this.#dirty.push(entry);
  }
}

/** The firing timer is no longer armed while its handler runs; a failure puts it back. */
function takeTimer(entry: KeyEntry, timer: TimerEntry): void {
  const id = timerId(timer.clock, timer.tag);
  entry.timers?.delete(id);
  markTimer(entry, id);
}

function markTimer(entry: KeyEntry, id: string): void {
  entry.dirtyTimers ??= new Set();
  entry.dirtyTimers.add(id);
}

function isAsyncFunction(handler: unknown): boolean {
  return (
    typeof handler === 'function' && Object.prototype.toString.call(handler) === '[object AsyncFunction]'
  );
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    typeof value === 'object' && value !== null && typeof (value as PromiseLike<unknown>).then === 'function'
  );
}

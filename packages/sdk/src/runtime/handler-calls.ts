/**
 * Calls a computation's handlers on one input at a time, and carries out or takes back what a call did.
 *
 * Owns: what a call's outcome means: results emitted, timers and holds moved, tries counted, inputs set aside.
 * Does not own: which input is next (`computation-runtime`), the context user code sees (`call-context`).
 *
 * Invariants
 *   R2 (P8)  a call that throws or is abandoned leaves no trace.
 *   HC1 (W2) what a call produced is emitted before its timers and holds move.
 *   HC2 (P8) an input that failed waits at the head of its key until it has had all its tries, then it becomes
 *            one dead letter.
 */
import type { Computation, Handlers, TableKnowledge } from '../api.ts';
import type { ArmedTimers } from './armed-timers.ts';
import { AsyncCalls } from './async-calls.ts';
import { CallContext, type CallHost } from './call-context.ts';
import type { Cause, DeliveredRecord } from './delivered-record.ts';
import { Firing } from './firing.ts';
import type { HoldSet } from './hold-set.ts';
import { Journal } from './journal.ts';
import type { KeyEntry, TimerEntry, WaitingInput } from './key-entry.ts';
import type { KeysInMemory } from './keys-in-memory.ts';
import { copyData } from './plain-data.ts';
import type { LogLevel, RuntimePorts } from './ports.ts';
import { ownTag } from './redriven-timer.ts';
import type { RuntimeClock } from './runtime-clock.ts';
import type { RuntimeCounters } from './runtime-counters.ts';
import { adopt, shadowOf } from './shadow-entry.ts';
import type { WaitingInputs } from './waiting-inputs.ts';

export interface HandlerCallsOptions {
  readonly computation: Computation;
  readonly computationId: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly maxTries: number;
  readonly backoffMs: number;
  readonly ports: RuntimePorts;
  readonly counters: RuntimeCounters;
  readonly clock: RuntimeClock;
  readonly holds: HoldSet;
  readonly keys: KeysInMemory;
  readonly waiting: WaitingInputs;
  readonly timers: ArmedTimers;
}

type Input = DeliveredRecord | TimerEntry;
// biome-ignore lint/suspicious/noExplicitAny: handlers of every shape are called here
type AnyHandlers = Handlers<any, any, any, any>;

export class HandlerCalls implements CallHost {
  readonly params: Readonly<Record<string, unknown>>;
  readonly sharesValues: boolean;
  readonly clock: RuntimeClock;
  readonly inFlight: AsyncCalls;
  readonly #computationId: string;
  readonly #handlers: AnyHandlers;
  readonly #maxTries: number;
  readonly #backoffMs: number;
  readonly #ports: RuntimePorts;
  readonly #counters: RuntimeCounters;
  readonly #holds: HoldSet;
  readonly #keys: KeysInMemory;
  readonly #waiting: WaitingInputs;
  readonly #timers: ArmedTimers;
  readonly #journal = new Journal();
  #asyncRecords: boolean;

  constructor(options: HandlerCallsOptions) {
    this.params = options.params;
    this.sharesValues = options.computation.sharesValues === true;
    this.clock = options.clock;
    this.inFlight = new AsyncCalls(() => options.ports.wake());
    this.#computationId = options.computationId;
    this.#handlers = options.computation.handlers as AnyHandlers;
    this.#maxTries = options.maxTries;
    this.#backoffMs = options.backoffMs;
    this.#ports = options.ports;
    this.#counters = options.counters;
    this.#holds = options.holds;
    this.#keys = options.keys;
    this.#waiting = options.waiting;
    this.#timers = options.timers;
    this.#asyncRecords = isAsyncFunction(this.#handlers.processRecord);
  }

  /** True when records must wait their turn even if their key is free. */
  get areAsync(): boolean {
    return this.#asyncRecords;
  }

  /** Runs the handler on an input; `item` is set when the input was waiting. Returns true when it is done with. */
  call(entry: KeyEntry, input: Input, item: WaitingInput | undefined): boolean {
    const isTimer = 'owner' in input;
    const refusal = this.#ports.beforeCall(input);
    if (refusal !== undefined) {
      // The driver knows that this input must not run again: it killed a worker (P8).
      this.setAside(entry, input, refusal, 1);
      return true;
    }
    const base = isTimer ? (input.hold ?? this.clock.timeOfWallFiring()) : input.timestamp;
    const cause: Cause = isTimer ? new Firing(input, this.#computationId, this.#ports) : input;
    const isolated = !isTimer && this.#asyncRecords;
    const target = isolated ? shadowOf(entry) : entry;
    const ctx = new CallContext(this, target, entry, cause, isTimer, base);
    if (isTimer) this.#timers.take(input);
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
      const promise = Promise.resolve(result);
      if (!isolated) return this.#turnsOutAsync(entry, input, item, ctx, promise);
      const waiting = item ?? this.#waiting.add(entry, input);
      this.inFlight.begin({ entry, item: waiting, shadow: target, ctx }, promise);
      this.#ports.asyncTurns?.take();
      return false;
    }
    if (CallContext.missed(ctx)) return this.#failed(entry, input, item, ctx, undefined);
    this.#succeeded(entry, input, CallContext.end(ctx));
    return true;
  }

  #callTimer(timer: TimerEntry, ctx: CallContext): unknown {
    const handler = this.#handlers.processTimer;
    if (handler === undefined)
      throw new Error(`timer "${ownTag(timer.tag)}" fired, but the computation has no processTimer`);
    return handler.call(
      this.#handlers,
      { tag: ownTag(timer.tag), time: timer.time, clock: timer.clock, key: timer.owner.key },
      ctx as never,
    );
  }

  /**
   * First sight of an `async` handler: the call wrote to the entry itself. It is undone and runs again isolated;
   * what is left of it has a dead context, and may hang like any other call: it takes its turn.
   */
  #turnsOutAsync(
    entry: KeyEntry,
    input: Input,
    item: WaitingInput | undefined,
    ctx: CallContext,
    promise: Promise<unknown>,
  ): boolean {
    CallContext.undo(ctx);
    this.inFlight.remains(promise, this.#takeTurn());
    if ('owner' in input)
      return this.#failed(entry, input, item, ctx, new Error('processTimer must not be async'));
    this.#asyncRecords = true;
    if (item === undefined) this.#waiting.add(entry, input);
    this.#waiting.goOn(entry);
    return false;
  }

  /** The call that was begun last goes on by itself; returns what is to be called when it does no more. */
  #takeTurn(): () => void {
    const turns = this.#ports.asyncTurns;
    if (turns?.isFree !== true) return () => undefined;
    turns.take();
    return () => turns.give();
  }

  /** Finishes `async` calls that have settled. */
  finishSettled(): void {
    for (const { entry, item, shadow, ctx, error } of this.inFlight.takeSettled()) {
      const { input } = item;
      this.#ports.asyncTurns?.give();
      if (entry.isGone) {
        // The input waits with another owner, and is called there.
        CallContext.undo(ctx);
        continue;
      }
      if (error !== undefined || CallContext.missed(ctx)) {
        if (this.#failed(entry, input, item, ctx, error?.thrown)) this.done(entry, item);
      } else {
        const journal = CallContext.end(ctx);
        if (journal?.changed) adopt(entry, shadow);
        this.#succeeded(entry, input, journal);
        this.done(entry, item);
      }
      // What misses content runs again when that is here (`mapLoaded`).
      if (entry.waiting !== undefined && !CallContext.missed(ctx)) this.#waiting.goOn(entry);
    }
  }

  /** An input that waited is finished with; timers behind it may fire. */
  done(entry: KeyEntry, item: WaitingInput): void {
    this.#waiting.remove(entry, item);
    this.#timers.unblock(entry);
  }

  // ---- outcomes --------------------------------------------------------------------------------------

  #succeeded(entry: KeyEntry, input: Input, journal: Journal | undefined): void {
    // HC1: results go out in front of the watermark, so they leave while the holds still stand.
    this.#emit(input, journal);
    if ('owner' in input) {
      this.#counters.timersFired++;
      this.#timers.fired(input);
    }
    if (journal === undefined) return;
    if (journal.changed) this.#keys.markDirty(entry);
    if (journal.stateSaved && journal.holdBefore !== entry.holdUntil) {
      if (journal.holdBefore !== undefined) this.#holds.remove(journal.holdBefore);
      if (entry.holdUntil !== undefined) this.#holds.add(entry.holdUntil);
    }
    this.#timers.apply(entry, journal.timers);
    for (const [name, n] of journal.counts) this.#ports.count(name, n);
  }

  #emit(input: Input, journal: Journal | undefined): void {
    const produced = journal === undefined ? 0 : journal.productions.length;
    const counters = this.#counters;
    if ('owner' in input) counters.producedByTimers += produced;
    else {
      counters.producedByRecords += produced;
      if (journal?.dropsLate) counters.droppedLate++;
      else if (produced > 0) counters.withOutput++;
      else counters.withoutOutput++;
    }
    if (journal !== undefined) for (const production of journal.productions) this.#ports.emit(production);
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
    if ('owner' in input) this.#timers.putBack(input);
    const waiting = item ?? this.#waiting.add(entry, input);
    if (CallContext.missed(ctx)) return false;
    this.#ports.afterFailure(error);
    waiting.attempts++;
    if (waiting.attempts < this.#maxTries) {
      waiting.notBefore = this.#ports.now() + this.#backoffMs * 4 ** (waiting.attempts - 1);
      this.#waiting.goOnAt(entry, waiting.notBefore);
      return false;
    }
    this.setAside(entry, input, error, waiting.attempts);
    if (item === undefined) this.done(entry, waiting);
    return true;
  }

  /** Makes a dead letter of an input (P8). The caller takes it off the waiting list. */
  setAside(entry: KeyEntry, input: Input, error: unknown, attempts: number): void {
    this.#counters.deadLettered++;
    this.#ports.deadLetter({
      input,
      error,
      attempts,
      state: entry.hasState ? copyData(entry.state) : undefined,
    });
    if (!('owner' in input)) return;
    this.#counters.timersDeadLettered++;
    this.#timers.discard(input);
  }

  // ---- what a call needs (CallHost) ------------------------------------------------------------------

  sharedJournal(): Journal {
    this.#journal.reset();
    return this.#journal;
  }

  nextOrder(): number {
    return this.#timers.nextOrder();
  }

  table(input: string): TableKnowledge | undefined {
    return this.#ports.table?.(input);
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
    this.#keys.needMap(entry, map, mapKey);
  }

  log(level: LogLevel, parts: readonly unknown[], key: string): void {
    this.#ports.log(level, parts, key);
  }
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

/**
 * Runs one computation over the keys of one owner: MillWheel's per-key context (VLDB 2013 §4), without any
 * store, network or clock of its own. The engine's worker drives it, and so does the test kit, so what a test
 * sees is what production does.
 *
 * Owns: which input or timer of a key is next, and the output watermark.
 * Does not own: where records come from and go to, durability, when to seal, watermarks of others. Its parts own
 * the keys (`keys-in-memory`), armed timers, waiting inputs, and what becomes of a call (`handler-calls`).
 *
 * Invariants
 *   R1 (P1)  one handler at a time per key; an input never overtakes an older waiting input of its key.
 *   R2 (P8)  a call that throws or is abandoned leaves no trace (`handler-calls`).
 *   R3 (W1)  `holds` contains exactly: one hold per armed timer that has one, one per `holdUntil`, one per
 *            waiting on-time record.
 *   R4 (T2)  a timer fires only when the input watermark has reached it, in time order per key (`armed-timers`).
 *   R5 (W8)  `late` is decided once, when a record is first delivered.
 *   R6       everything that changed since the last `takeDirty` is in the dirty list (`keys-in-memory`).
 */
import type { Clock, Computation } from '../api.ts';
import { ArmedTimers } from './armed-timers.ts';
import { rankOf } from './clock-timers.ts';
import type { DeliveredRecord } from './delivered-record.ts';
import { HandlerCalls } from './handler-calls.ts';
import { HoldSet } from './hold-set.ts';
import type { KeyEntry, StoredTimer, TimerEntry, WaitingInput } from './key-entry.ts';
import { KeysInMemory } from './keys-in-memory.ts';
import type { RuntimePorts } from './ports.ts';
import { RuntimeClock } from './runtime-clock.ts';
import { zeroCounters } from './runtime-counters.ts';
import { WaitingInputs } from './waiting-inputs.ts';

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
  /** Armed timers of one clock beyond which the later ones may be left in the store; without it, none is. */
  readonly timersInMemory?: number | undefined;
  /** Negative control of the crash sweep: timers fire as if none were left in the store. */
  readonly ignoredHorizon?: boolean | undefined;
}

export class ComputationRuntime {
  readonly counters = zeroCounters();
  readonly holds = new HoldSet();
  readonly keys: KeysInMemory;
  readonly clock: RuntimeClock;
  readonly #ports: RuntimePorts;
  readonly #timers: ArmedTimers;
  readonly #waiting: WaitingInputs;
  readonly #calls: HandlerCalls;
  /** What is delivered and what becomes due may be what ended a worker: it is held (P8). */
  isSuspicious = false;
  /** A call of an input that was held is under way. */
  suspectRuns = false;
  /** Whose inputs were let go and run now: timers they make due were tried together with them. */
  #trusted: KeyEntry | undefined;
  /** The next wall timer after the end is not in memory. */
  #wallWanted = false;
  #isFinal = false;
  #trustsAll = false;

  constructor(computation: Computation, ports: RuntimePorts, options: RuntimeOptions) {
    const { counters, holds } = this;
    this.#ports = ports;
    this.keys = new KeysInMemory(options.storeIsEmpty);
    this.clock = new RuntimeClock(() => ports.now());
    this.#timers = new ArmedTimers(this.keys, holds, {
      maxFiringsAfterEnd: options.maxFiringsAfterEnd ?? 10_000,
      inMemory: options.timersInMemory ?? Number.POSITIVE_INFINITY,
      ignoresHorizon: options.ignoredHorizon === true,
    });
    this.#waiting = new WaitingInputs(this.keys, holds, options.unheldParked === true);
    this.#calls = new HandlerCalls({
      computation,
      computationId: options.computationId,
      params: options.params,
      maxTries: options.maxTries ?? 3,
      backoffMs: options.backoffMs ?? 10,
      ports,
      counters,
      clock: this.clock,
      holds,
      keys: this.keys,
      waiting: this.#waiting,
      timers: this.#timers,
    });
  }

  // ---- input -----------------------------------------------------------------------------------------

  /** Processes a record now, or queues it behind older input of its key. */
  deliver(record: DeliveredRecord): void {
    const watermark = this.clock.input;
    this.counters.delivered++;
    if (watermark !== undefined && record.timestamp < watermark) {
      record.late = true;
      this.counters.late++;
    }
    const entry = this.keys.at(record.key);
    if ((this.isSuspicious || record.suspect) && this.#mayHold) {
      this.#waiting.hold(entry, record);
      return;
    }
    if (entry.waiting !== undefined || !entry.loaded || this.#timers.firingsSpent || this.#calls.areAsync) {
      this.#waiting.add(entry, record);
      this.#waiting.goOn(entry);
      return;
    }
    this.#calls.call(entry, record, undefined);
    const next = this.#timers.next('watermark');
    if (next === undefined) return;
    if (this.#timers.next('wall') !== undefined) this.fireDue();
    else if (watermark !== undefined && next.time <= watermark) this.#fireClock('watermark', watermark);
  }

  /** Takes back a parked record that an earlier incarnation stored; counted when it was delivered. */
  restoreWaiting(record: DeliveredRecord, storedAs: number): void {
    const entry = this.keys.at(record.key);
    if (this.isSuspicious && this.#mayHold) {
      this.#waiting.hold(entry, record).storedAs = storedAs;
      return;
    }
    this.#waiting.add(entry, record).storedAs = storedAs;
    this.#waiting.goOn(entry);
  }

  /** Arms a timer that an earlier incarnation stored. */
  restoreTimer(timer: StoredTimer, key: string): void {
    this.#timers.restore(this.keys.at(key), timer);
  }

  /** A timer that was set aside is to fire once more, in its turn and with its hold; `fireDue` lets it. */
  timerAgain(timer: StoredTimer, key: string): void {
    this.#timers.again(this.keys.at(key), timer);
  }

  restoreHold(key: string, holdUntil: number): void {
    const entry = this.keys.at(key);
    if (entry.holdUntil !== undefined) return;
    entry.holdUntil = holdUntil;
    entry.holdStored = true;
    this.holds.add(holdUntil);
  }

  /** The store's content for a key has been put into its entry. */
  loaded(entry: KeyEntry): void {
    entry.loaded = true;
    entry.fetching = false;
    if (entry.waiting !== undefined) this.#waiting.goOn(entry);
    this.#timers.unblock(entry);
  }

  /** The map content a waiting input asked for has arrived. */
  mapLoaded(entry: KeyEntry): void {
    if (entry.waiting !== undefined) this.#waiting.goOn(entry);
  }

  // ---- watermark and timers --------------------------------------------------------------------------

  /** Raises the input watermark (W3: a lower one is ignored) and fires what became due. `Infinity` = ended. */
  advance(watermark: number): void {
    if (!this.clock.raise(watermark)) return;
    if (watermark === Number.POSITIVE_INFINITY) this.#timers.inputEnded();
    this.fireDue();
  }

  /** min(input watermark, oldest hold), before the driver clamps it to be monotone (W1). */
  outputWatermark(): number | undefined {
    const { input } = this.clock;
    if (input === undefined) return undefined;
    const hold = this.holds.min();
    return hold !== undefined && hold < input ? hold : input;
  }

  /** At most this many firings until the next call (T5). */
  allowFirings(limit: number): void {
    this.#timers.allowFirings(limit);
  }

  /** True when no more firings are allowed: what is delivered now waits. */
  get firingsSpent(): boolean {
    return this.#timers.firingsSpent;
  }

  /** True when timers are due that `allowFirings` has kept back. */
  get owesFirings(): boolean {
    if (!this.#timers.firingsSpent) return false;
    return this.#timers.isDue('watermark', this.clock.input) || this.#timers.isDue('wall', this.#ports.now());
  }

  fireDue(): void {
    this.#fireClock('watermark', this.clock.input);
    if (this.isBehind || this.#timers.next('wall') === undefined) return;
    this.#fireClock('wall', this.#ports.now());
  }

  /** Of one that is in the store, no later than its time. */
  get nextWallTimer(): number | undefined {
    const next = this.#timers.next('wall')?.time;
    const horizon = this.#timers.horizon('wall');
    return next === undefined || (horizon !== undefined && horizon < next) ? horizon : next;
  }

  /** After the end of all input: fires the next wall timer with `ctx.now` at its time (W6). */
  fireNextWallTimer(): boolean {
    const timer = this.#timers.next('wall');
    this.#wallWanted = this.#timers.isBehind('wall', timer?.time ?? Number.POSITIVE_INFINITY);
    if (timer === undefined || this.#wallWanted) return false;
    // A firing that is put off would see another time; nothing waits by now.
    this.#isFinal = true;
    this.clock.at(timer.time, () => {
      this.#fireClock('wall', timer.time);
      this.fireDue();
    });
    this.#isFinal = false;
    return true;
  }

  #fireClock(clock: Clock, limit: number | undefined): void {
    if (limit === undefined) return;
    for (;;) {
      const timer = this.#timers.takeDue(clock, limit);
      if (timer === undefined) return;
      if (this.#isHeld(timer.owner)) {
        this.#waiting.hold(timer.owner, timer);
        continue;
      }
      const endless = this.#timers.endlessFiring(timer);
      if (endless === undefined) this.#calls.call(timer.owner, timer, undefined);
      else this.#calls.setAside(timer.owner, timer, endless, 1);
    }
  }

  /** Whether a timer of the key must not fire now. */
  #isHeld(entry: KeyEntry): boolean {
    if (entry.held > 0) return true;
    return this.isSuspicious && entry !== this.#trusted && !this.#isFinal && this.#mayHold;
  }

  // ---- inputs that are held --------------------------------------------------------------------------

  get heldKeys(): ReadonlySet<KeyEntry> {
    return this.#waiting.heldKeys;
  }

  /** What is left of an `async` call would run into another trial. */
  get #mayHold(): boolean {
    return !this.#trustsAll && !this.#calls.areAsync;
  }

  /** Nothing is held any more, neither what is nor what suspects make. */
  trustAll(): void {
    this.isSuspicious = false;
    this.#trustsAll = true;
    for (const entry of [...this.heldKeys]) this.letGo(entry, () => true);
  }

  /** The inputs of a key for which it is true may run; `runWaiting` runs them. */
  letGo(entry: KeyEntry, may: (item: WaitingInput) => boolean): void {
    this.#waiting.letGo(entry, may);
  }

  // ---- timers in the store ---------------------------------------------------------------------------

  /** The watermark has come to timers that are not in memory: nothing goes on before they are. */
  get isBehind(): boolean {
    return this.#timers.isBehind('watermark', this.clock.input);
  }

  /** Some timers may be in the store only. */
  get hasHorizon(): boolean {
    return this.#timers.horizon('watermark') !== undefined || this.#timers.horizon('wall') !== undefined;
  }

  /** Whose timers must be read next, if any; `isIdle`: whether there are any at all decides about the output. */
  clockToRead(isIdle: boolean): Clock | undefined {
    if (this.#timers.firingsSpent) return undefined;
    if (this.isBehind || (isIdle && this.#timers.isUnsure('watermark'))) return 'watermark';
    return this.#wallWanted || this.#timers.isBehind('wall', this.#ports.now()) ? 'wall' : undefined;
  }

  /** Where to go on reading: at the cursor that the last `timersWereReadTo` gave, else at the rank. */
  timersInStore(clock: Clock): { readonly rank: number; readonly cursor: Uint8Array | undefined } {
    const rank = this.#timers.horizon(clock) ?? Number.POSITIVE_INFINITY;
    return { rank, cursor: this.#timers.cursor(clock) };
  }

  /** All timers of a clock are in memory, */
  timersWereRead(clock: Clock): void {
    if (clock === 'wall') this.#wallWanted = false;
    this.#timers.areRead(clock);
  }

  /** or those in front of the one at `cursor`, which is this key's and has this rank. */
  timersWereReadTo(clock: Clock, rank: number, cursor: Uint8Array, key: string): void {
    if (clock === 'wall') this.#wallWanted = false;
    this.#timers.areReadTo(clock, rank, cursor, key);
  }

  /** An earlier incarnation left far timers in the store. */
  timersAreStored(): void {
    this.#timers.areStored();
  }

  /** Arms a far timer that was read in its turn. A key in memory knows better than the store. */
  restoreFar(timer: StoredTimer, key: string): void {
    const entry = this.keys.at(key);
    if (!entry.loaded) this.#timers.restoreFar(entry, timer);
  }

  /** The same for one that came with its key. */
  restoreFarOf(entry: KeyEntry, timer: StoredTimer): void {
    if (this.#timers.restoreFar(entry, timer)) this.#timers.cameWithKey(timer.clock, rankOf(timer));
  }

  isFar(timer: TimerEntry): boolean {
    return this.#timers.isFar(timer);
  }

  /** Between two bundles. */
  adapt(): void {
    this.#timers.adapt();
  }

  /** Forgets a clean key with its timers, if they can be read back. */
  evict(entry: KeyEntry): boolean {
    const limitOf = (clock: Clock) => (clock === 'wall' ? this.#ports.now() : this.clock.input);
    if (!this.#timers.canLeave(entry, limitOf) || !this.keys.evict(entry, true)) return false;
    this.#timers.left(entry);
    return true;
  }

  /**
   * Another owner has a key from here on; all of it is sealed. What it armed, held and waited for counts there, and a
   * call of it that still runs comes to nothing.
   */
  giveUp(entry: KeyEntry): void {
    this.#waiting.giveUp(entry);
    this.#timers.giveUp(entry);
    if (entry.holdUntil !== undefined) this.holds.remove(entry.holdUntil);
    entry.holdUntil = undefined;
    this.keys.giveUp(entry);
  }

  // ---- waiting input ---------------------------------------------------------------------------------

  get waiting(): number {
    return this.#waiting.count;
  }

  /** Records among them (P9). */
  get waitingRecords(): number {
    return this.#waiting.records;
  }

  /** `async` calls in flight. */
  get running(): number {
    return this.#calls.inFlight.running;
  }

  /** Wall time at which a back-off ends, if any input waits for one. */
  get nextRetry(): number | undefined {
    return this.#waiting.nextRetry;
  }

  get hasReady(): boolean {
    return (this.#waiting.hasReady && this.#mayCall) || this.#calls.inFlight.hasSettled;
  }

  get #mayCall(): boolean {
    return !this.#calls.areAsync || this.#ports.asyncTurns?.isFree !== false;
  }

  /** Runs every waiting input that can run now. */
  runWaiting(): void {
    this.#calls.finishSettled();
    if (this.#waiting.hasDelayed) this.#waiting.wakeDelayed(this.#ports.now());
    while (this.#waiting.hasReady && this.#mayCall && !this.#timers.firingsSpent && !this.isBehind) {
      for (const entry of this.#waiting.takeReady())
        if (this.#mayCall) this.#runKey(entry);
        else this.#waiting.goOn(entry);
      this.fireDue();
    }
  }

  #runKey(entry: KeyEntry): void {
    const now = this.#ports.now();
    while (entry.waiting !== undefined && !this.#timers.firingsSpent && !this.isBehind) {
      const item = entry.waiting.first as WaitingInput;
      if (item.held || item.running || !entry.loaded || item.notBefore > now) return;
      this.suspectRuns = item.suspect;
      const isDone = this.#calls.call(entry, item.input, item);
      this.suspectRuns = false;
      if (!isDone) return;
      this.#calls.done(entry, item);
      // T3: timers that the call made due fire before the next input of the key.
      this.#trusted = item.suspect ? entry : undefined;
      this.#fireClock('watermark', this.clock.input);
      this.#trusted = undefined;
    }
    if (entry.waiting !== undefined) this.#waiting.goOn(entry);
  }
}

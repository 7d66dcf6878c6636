/**
 * The armed timers of one computation: which is due next, whether it may fire, and what it holds.
 *
 * Owns: the order of firing, the timers' holds, the budget of firings, timers blocked by input of their key.
 * Does not own: the clocks, running handlers.
 *
 * Invariants
 *   R4 (T2)  a timer fires only when its clock has reached it, in time order per key.
 *   AT1 (R3) an armed timer that has a hold has exactly one, from arming to firing, clearing or replacing.
 *   AT2 (W1) a timer stays behind older on-time records of its key that wait.
 *   AT3      all timers of a key whose content is in memory are in memory: what a call replaces or clears is known.
 */
import type { Clock } from '../api.ts';
import { ClockTimers, rankOf } from './clock-timers.ts';
import { armingId } from './firing.ts';
import type { HoldSet } from './hold-set.ts';
import type { Journal } from './journal.ts';
import { type KeyEntry, type StoredTimer, type TimerEntry, timerId, type WaitingInput } from './key-entry.ts';
import type { KeysInMemory } from './keys-in-memory.ts';
import { redrivenTimer } from './redriven-timer.ts';

export interface ArmedTimersOptions {
  /** Firings of one key after the input ended, beyond which its timers are set aside (W6). */
  readonly maxFiringsAfterEnd: number;
  /** Timers of one clock beyond which the later ones may be left in the store. */
  readonly inMemory: number;
  /** Negative control of the crash sweep: timers fire as if none were left in the store. */
  readonly ignoresHorizon: boolean;
}

export class ArmedTimers {
  readonly #keys: KeysInMemory;
  readonly #holds: HoldSet;
  readonly #options: ArmedTimersOptions;
  readonly #watermark: ClockTimers;
  readonly #wall: ClockTimers;
  #order = 0;
  /** Timers armed from here on were armed after all input had ended. */
  #orderAtEnd = Number.POSITIVE_INFINITY;
  #firingsLeft = Number.POSITIVE_INFINITY;

  constructor(keys: KeysInMemory, holds: HoldSet, options: ArmedTimersOptions) {
    this.#keys = keys;
    this.#holds = holds;
    this.#options = options;
    this.#watermark = new ClockTimers(options.inMemory);
    this.#wall = new ClockTimers(options.inMemory);
  }

  /** At most this many firings until the next call (T5). */
  allowFirings(limit: number): void {
    this.#firingsLeft = limit;
  }

  get firingsSpent(): boolean {
    return this.#firingsLeft <= 0;
  }

  // ---- arming ----------------------------------------------------------------------------------------

  nextOrder(): number {
    return this.#order++;
  }

  /** Arms a timer that an earlier incarnation stored. */
  restore(entry: KeyEntry, timer: StoredTimer): void {
    entry.timers ??= new Map();
    const restored = armedTimer(entry, timer, false, this.nextOrder());
    entry.timers.set(timerId(timer.clock, timer.tag), restored);
    this.#arm(restored);
  }

  /** Arms a timer whose firing failed before, beside whatever is armed under its tag by now. */
  again(entry: KeyEntry, timer: StoredTimer): void {
    const again = redrivenTimer(timer, armingId(timer));
    this.restore(entry, again);
    markTimer(entry, timerId(again.clock, again.tag));
    this.#keys.markDirty(entry);
  }

  /** Arms a far timer that was read with its key or in its turn; true when it was not in memory. */
  restoreFar(entry: KeyEntry, timer: StoredTimer): boolean {
    const id = timerId(timer.clock, timer.tag);
    if (entry.timers?.has(id)) return false;
    entry.timers ??= new Map();
    // It was armed before the input ended, or by an incarnation that cannot tell any more.
    const order = Math.min(this.nextOrder(), this.#orderAtEnd - 1);
    const restored = armedTimer(entry, timer, true, order);
    entry.timers.set(id, restored);
    this.#arm(restored);
    return true;
  }

  /** What a call that ended well has armed and cleared begins to count. */
  apply(entry: KeyEntry, changes: Journal['timers']): void {
    for (const { id, before, after } of changes) {
      if (before !== undefined) this.#gone(before);
      // A timer replaced again within its call never counted.
      if (after !== undefined && entry.timers?.get(id) === after) this.#arm(after);
      markTimer(entry, id);
    }
  }

  #arm(timer: TimerEntry): void {
    timer.live = true;
    const timers = this.#of(timer.clock);
    timers.armed++;
    timers.push(timer);
    if (timer.hold !== undefined) this.#holds.add(timer.hold);
  }

  /** It is no more; where the store has it is left for the seal. */
  #gone(timer: TimerEntry): void {
    this.#disarm(timer);
    if (!timer.far) return;
    timer.owner.farGone ??= [];
    timer.owner.farGone.push([timerId(timer.clock, timer.tag), rankOf(timer)]);
  }

  #disarm(timer: TimerEntry): void {
    if (!timer.live) return;
    timer.live = false;
    this.#of(timer.clock).armed--;
    if (timer.hold !== undefined) this.#holds.remove(timer.hold);
  }

  // ---- firing ----------------------------------------------------------------------------------------

  next(clock: Clock): TimerEntry | undefined {
    return this.#of(clock).next();
  }

  isDue(clock: Clock, limit: number | undefined): boolean {
    const timer = this.next(clock);
    return (
      limit !== undefined && ((timer !== undefined && timer.time <= limit) || this.isBehind(clock, limit))
    );
  }

  /** The next timer that is due and may fire, counted as one firing; those that may not wait for `unblock`. */
  takeDue(clock: Clock, limit: number): TimerEntry | undefined {
    const timers = this.#of(clock);
    while (this.#firingsLeft > 0) {
      const timer = timers.next();
      if (timer === undefined || timer.time > limit) return undefined;
      timers.pop();
      if (this.#mayFire(timer)) {
        this.#firingsLeft--;
        return timer;
      }
      timer.owner.blocked ??= [];
      timer.owner.blocked.push(timer);
    }
    return undefined;
  }

  #mayFire(timer: TimerEntry): boolean {
    const entry = timer.owner;
    if (!entry.loaded) {
      this.#keys.need(entry);
      return false;
    }
    const waiting = entry.waiting;
    if (waiting === undefined) return true;
    const head = waiting.first as WaitingInput;
    if (head.running || 'owner' in head.input) return false;
    if (timer.clock === 'wall') return true;
    const oldest = entry.oldestWaiting();
    return oldest === undefined || oldest >= timer.time;
  }

  /** Something that blocked timers of this key is gone. */
  unblock(entry: KeyEntry): void {
    const blocked = entry.blocked;
    if (blocked === undefined) return;
    entry.blocked = undefined;
    for (const timer of blocked) if (timer.live) this.#of(timer.clock).push(timer);
  }

  /** The firing timer is no longer armed while its handler runs; a failure puts it back. */
  take(timer: TimerEntry): void {
    const id = timerId(timer.clock, timer.tag);
    timer.owner.timers?.delete(id);
    markTimer(timer.owner, id);
  }

  putBack(timer: TimerEntry): void {
    timer.owner.timers?.set(timerId(timer.clock, timer.tag), timer);
  }

  fired(timer: TimerEntry): void {
    this.#gone(timer);
    this.#keys.markDirty(timer.owner);
  }

  /** It will not fire: its handler failed for the last time. */
  discard(timer: TimerEntry): void {
    const { owner } = timer;
    const id = timerId(timer.clock, timer.tag);
    if (owner.timers?.get(id) === timer) owner.timers.delete(id);
    this.#gone(timer);
    markTimer(owner, id);
    this.#keys.markDirty(owner);
  }

  // ---- after the end of all input --------------------------------------------------------------------

  inputEnded(): void {
    this.#orderAtEnd = this.#order;
  }

  /** Counts a firing; the error of a key whose timers have armed themselves again too often (W6). */
  endlessFiring(timer: TimerEntry): Error | undefined {
    if (timer.order < this.#orderAtEnd || ++timer.owner.firedAfterEnd <= this.#options.maxFiringsAfterEnd)
      return undefined;
    return new Error(
      `more than ${this.#options.maxFiringsAfterEnd} timers of this key fired after the input had ended: a timer that arms itself for ever`,
    );
  }

  // ---- timers in the store ---------------------------------------------------------------------------

  /** FT1: no timer that is not in memory ranks before this; undefined: all are in memory. */
  horizon(clock: Clock): number | undefined {
    return this.#options.ignoresHorizon ? undefined : this.#of(clock).horizon;
  }

  /** What lies at the horizon is due, or holds: it has to be read before anything goes on. */
  isBehind(clock: Clock, limit: number | undefined): boolean {
    const horizon = this.horizon(clock);
    return horizon !== undefined && limit !== undefined && limit >= horizon;
  }

  /** Whether there is anything behind the horizon is not known. */
  isUnsure(clock: Clock): boolean {
    return this.horizon(clock) !== undefined && !this.#of(clock).isExact;
  }

  cursor(clock: Clock): Uint8Array | undefined {
    return this.#of(clock).cursor;
  }

  /** Nothing of what an earlier incarnation stored as far is in memory. */
  areStored(): void {
    this.#wereRead('watermark', Number.NEGATIVE_INFINITY, undefined, false);
    this.#wereRead('wall', Number.NEGATIVE_INFINITY, undefined, false);
  }

  /** All were read. */
  areRead(clock: Clock): void {
    this.#wereRead(clock, undefined, undefined, true);
  }

  /** All were read in front of the one at `cursor`. */
  areReadTo(clock: Clock, rank: number, cursor: Uint8Array, key: string): void {
    this.#wereRead(clock, rank, cursor, this.#keys.peek(key)?.loaded !== true);
  }

  #wereRead(clock: Clock, rank: number | undefined, cursor: Uint8Array | undefined, isExact: boolean): void {
    this.#of(clock).read(rank, cursor, isExact);
    this.#holds.beyond = this.horizon('watermark');
  }

  cameWithKey(clock: Clock, rank: number): void {
    this.#of(clock).came(rank);
  }

  /** Whether the store keeps this timer where it can stay when its key leaves memory. */
  isFar(timer: TimerEntry): boolean {
    return this.#of(timer.clock).isFar(timer);
  }

  adapt(): void {
    this.#watermark.adapt();
    this.#wall.adapt();
  }

  /** Whether all timers of a clean key can be read back in time. `limitOf`: where the clocks stand. */
  canLeave(entry: KeyEntry, limitOf: (clock: Clock) => number | undefined): boolean {
    // Whose timers arm themselves for ever is counted in memory (W6).
    if (this.#orderAtEnd !== Number.POSITIVE_INFINITY) return false;
    for (const timer of entry.timers?.values() ?? []) {
      const limit = limitOf(timer.clock);
      if (!timer.far || !this.isFar(timer)) return false;
      // It would be read again at once.
      if (limit !== undefined && rankOf(timer) <= limit) return false;
    }
    return true;
  }

  /** Another owner has the key, and they are armed there. */
  giveUp(entry: KeyEntry): void {
    for (const timer of entry.timers?.values() ?? []) this.#disarm(timer);
    entry.timers = undefined;
    entry.blocked = undefined;
  }

  /** The key has left memory with them. */
  left(entry: KeyEntry): void {
    for (const timer of entry.timers?.values() ?? []) {
      this.#disarm(timer);
      this.#of(timer.clock).left(rankOf(timer));
    }
    entry.timers = undefined;
    this.#holds.beyond = this.horizon('watermark');
  }

  #of(clock: Clock): ClockTimers {
    return clock === 'wall' ? this.#wall : this.#watermark;
  }
}

function armedTimer(owner: KeyEntry, timer: StoredTimer, far: boolean, order: number): TimerEntry {
  const { clock, tag, time, hold, armedBy, armOrdinal } = timer;
  // The fields in the order in which `setTimer` names them: one shape for all.
  return { owner, clock, tag, time, hold, order, armedBy, armOrdinal, live: true, far, behind: undefined };
}

function markTimer(entry: KeyEntry, id: string): void {
  entry.dirtyTimers ??= new Set();
  entry.dirtyTimers.add(id);
}

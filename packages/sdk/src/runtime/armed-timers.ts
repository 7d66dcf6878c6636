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
 */
import type { Clock } from '../api.ts';
import type { HoldSet } from './hold-set.ts';
import type { Journal } from './journal.ts';
import { type KeyEntry, type TimerEntry, timerId, type WaitingInput } from './key-entry.ts';
import type { KeysInMemory } from './keys-in-memory.ts';
import { TimerHeap } from './timer-heap.ts';

export class ArmedTimers {
  readonly #keys: KeysInMemory;
  readonly #holds: HoldSet;
  readonly #maxFiringsAfterEnd: number;
  readonly #watermark = new TimerHeap();
  readonly #wall = new TimerHeap();
  #order = 0;
  /** Timers armed from here on were armed after all input had ended. */
  #orderAtEnd = Number.POSITIVE_INFINITY;
  #firingsLeft = Number.POSITIVE_INFINITY;

  constructor(keys: KeysInMemory, holds: HoldSet, maxFiringsAfterEnd: number) {
    this.#keys = keys;
    this.#holds = holds;
    this.#maxFiringsAfterEnd = maxFiringsAfterEnd;
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
  restore(entry: KeyEntry, timer: Omit<TimerEntry, 'owner' | 'live' | 'order'>): void {
    entry.timers ??= new Map();
    const restored: TimerEntry = { ...timer, owner: entry, live: true, order: this.nextOrder() };
    entry.timers.set(timerId(timer.clock, timer.tag), restored);
    this.#arm(restored);
  }

  /** What a call that ended well has armed and cleared begins to count. */
  apply(entry: KeyEntry, changes: Journal['timers']): void {
    for (const { id, before, after } of changes) {
      if (before !== undefined) this.#disarm(before);
      // A timer replaced again within its call never counted.
      if (after !== undefined && entry.timers?.get(id) === after) this.#arm(after);
      markTimer(entry, id);
    }
  }

  #arm(timer: TimerEntry): void {
    timer.live = true;
    this.#heapOf(timer.clock).push(timer);
    if (timer.hold !== undefined) this.#holds.add(timer.hold);
  }

  #disarm(timer: TimerEntry): void {
    if (!timer.live) return;
    timer.live = false;
    if (timer.hold !== undefined) this.#holds.remove(timer.hold);
  }

  // ---- firing ----------------------------------------------------------------------------------------

  next(clock: Clock): TimerEntry | undefined {
    return this.#heapOf(clock).peek();
  }

  isDue(clock: Clock, limit: number | undefined): boolean {
    const timer = this.next(clock);
    return timer !== undefined && limit !== undefined && timer.time <= limit;
  }

  /** The next timer that is due and may fire, counted as one firing; those that may not wait for `unblock`. */
  takeDue(clock: Clock, limit: number): TimerEntry | undefined {
    const heap = this.#heapOf(clock);
    while (this.#firingsLeft > 0) {
      const timer = heap.peek();
      if (timer === undefined || timer.time > limit) return undefined;
      heap.pop();
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
    const head = waiting[0] as WaitingInput;
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
    for (const timer of blocked) if (timer.live) this.#heapOf(timer.clock).push(timer);
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
    this.#disarm(timer);
    this.#keys.markDirty(timer.owner);
  }

  /** It will not fire: its handler failed for the last time. */
  discard(timer: TimerEntry): void {
    const { owner } = timer;
    const id = timerId(timer.clock, timer.tag);
    if (owner.timers?.get(id) === timer) owner.timers.delete(id);
    this.#disarm(timer);
    markTimer(owner, id);
    this.#keys.markDirty(owner);
  }

  // ---- after the end of all input --------------------------------------------------------------------

  inputEnded(): void {
    this.#orderAtEnd = this.#order;
  }

  /** Counts a firing; the error of a key whose timers have armed themselves again too often (W6). */
  endlessFiring(timer: TimerEntry): Error | undefined {
    if (timer.order < this.#orderAtEnd || ++timer.owner.firedAfterEnd <= this.#maxFiringsAfterEnd)
      return undefined;
    return new Error(
      `more than ${this.#maxFiringsAfterEnd} timers of this key fired after the input had ended: a timer that arms itself for ever`,
    );
  }

  #heapOf(clock: Clock): TimerHeap {
    return clock === 'wall' ? this.#wall : this.#watermark;
  }
}

function markTimer(entry: KeyEntry, id: string): void {
  entry.dirtyTimers ??= new Set();
  entry.dirtyTimers.add(id);
}

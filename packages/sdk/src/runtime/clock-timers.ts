/**
 * The armed timers of one computation on one clock: those in memory, and how far that reaches.
 *
 * Owns: which is next, the horizon, from where on timers may be left in the store.
 * Does not own: holds, keys, reading from the store, whose timers are left there.
 *
 * A timer's **rank** is the time from which on it matters to anybody: its hold or its time, whichever comes first.
 * While nothing of it matters it need not be in memory.
 *
 * Invariants
 *   FT1 (T2)  a timer that is not in memory ranks at or beyond the horizon. Where the clock has come to it, what lies
 *             there is read before another record is delivered.
 *   FT2 (W1)  the horizon holds the watermark for all holds that are not in memory: none of them is earlier.
 */
import type { TimerEntry } from './key-entry.ts';
import { TimerHeap } from './timer-heap.ts';

/** Bundles after which the bound is looked at again, though the number of timers is much the same. */
const LOOK_AGAIN = 64;

export class ClockTimers {
  /** Live ones, popped ones included. */
  armed = 0;
  readonly #heap = new TimerHeap();
  readonly #inMemory: number;
  #horizon: number | undefined;
  /** The timer at the horizon may be in memory with its key, or gone by now: then the horizon is only a bound. */
  #isExact = true;
  #cursor: Uint8Array | undefined;
  #farFrom: number | undefined;
  /** Dead ones in the heap whose keys have left memory. */
  #left = 0;
  #armedThen = 0;
  #bundlesThen = 0;

  /** `inMemory`: so many timers that nothing needs to be left in the store. */
  constructor(inMemory: number) {
    this.#inMemory = inMemory;
  }

  push(timer: TimerEntry): void {
    this.#heap.push(timer);
  }

  pop(): void {
    this.#heap.pop();
  }

  next(): TimerEntry | undefined {
    return this.#heap.peek();
  }

  // ---- the horizon -----------------------------------------------------------------------------------

  /** Undefined: every timer is in memory. */
  get horizon(): number | undefined {
    return this.#horizon;
  }

  get isExact(): boolean {
    return this.#isExact;
  }

  /** Where the first timer lies that is not in memory, as `read` was told; undefined: at the horizon's rank. */
  get cursor(): Uint8Array | undefined {
    return this.#cursor;
  }

  /** Timers have been read up to the one at `cursor`, which has this rank; or up to the last one. */
  read(horizon: number | undefined, cursor: Uint8Array | undefined, isExact: boolean): void {
    this.#horizon = horizon;
    this.#cursor = cursor;
    this.#isExact = isExact;
  }

  /** A timer leaves memory. */
  left(rank: number): void {
    this.#left++;
    if (this.#horizon !== undefined && rank > this.#horizon) return;
    this.#horizon = rank;
    this.#cursor = undefined;
    this.#isExact = true;
  }

  /** A timer came into memory with its key, out of turn. */
  came(rank: number): void {
    if (this.#horizon !== undefined && rank <= this.#horizon) this.#isExact = false;
  }

  // ---- what may be left in the store -----------------------------------------------------------------

  isFar(timer: TimerEntry): boolean {
    return this.#farFrom !== undefined && mayBeFar(timer) && rankOf(timer) >= this.#farFrom;
  }

  /** Between two bundles: how many timers there are decides from where on they count as far. */
  adapt(): void {
    // A dead timer keeps its key in memory; where keys leave to make room, that is most of what they take.
    if (this.#heap.size > 2 * this.armed + 1024 || this.#left > this.armed / 10 + 1024) {
      this.#heap.prune();
      this.#left = 0;
    }
    this.#bundlesThen++;
    if (this.armed <= this.#inMemory) {
      if (this.armed < this.#inMemory / 2) this.#farFrom = undefined;
      return;
    }
    const changed = this.armed > this.#armedThen * 1.25 || this.armed < this.#armedThen * 0.8;
    if (this.#farFrom !== undefined && !changed && this.#bundlesThen < LOOK_AGAIN) return;
    this.#armedThen = this.armed;
    this.#bundlesThen = 0;
    const ranks = this.#heap.sample().map(rankOf);
    ranks.sort((a, b) => a - b);
    this.#farFrom = ranks[Math.floor((ranks.length * this.#inMemory) / 2 / this.armed)];
  }
}

/** A wall timer with a hold stays: its hold belongs to the other clock. */
function mayBeFar(timer: TimerEntry): boolean {
  return timer.clock === 'watermark' || timer.hold === undefined;
}

export function rankOf({ clock, time, hold }: Pick<TimerEntry, 'clock' | 'time' | 'hold'>): number {
  // Plus 0: −0 and 0 are one time.
  return (clock === 'watermark' && hold !== undefined && hold < time ? hold : time) + 0;
}

/**
 * The partial sums of one key, a sum a slice.
 *
 * Owns: `ctx.state`, the newest slice, which takes nearly every record (a value is several times cheaper to
 * rewrite than a map entry), with the running total beside it; and the map `slices` with all older ones, each written
 * when the next one begins.
 *
 * Invariants
 * - Every slice in the map is older than the one in `ctx.state`. It holds because slices are removed oldest first,
 *   and a record for an older slice goes to the map.
 * - SS2 (P8) What a call found in `ctx.state` is changed in place only by `addLast`, and where that says `grown` nothing of
 *   the call may follow: everywhere else a new value takes its place, so that a call that throws leaves what it found.
 * - SS1 A running total is that of all slices of one window that lie before its last slide: whatever is added to one
 *   of them is added to it. None of them is removed before that window has fired.
 * - SS3 What windows with a trigger leave is marked; a record that is added without one takes the mark away (Y2).
 */

import type { Context, DeepReadonly, EventTime, StateMap } from '../../api.ts';
import type { Row, RowAccumulator } from '../aggregates/row.ts';
import type { Firing } from './firing.ts';
import type { AggregateOutputs } from './pane-output.ts';

/**
 * The short form has no running total; the one with `true` was left by a window with a trigger. `ahead`: from the
 * beginning of `slice` to the end of those it covers.
 */
export type SliceState =
  | [slice: EventTime, sum: RowAccumulator]
  | [slice: EventTime, sum: RowAccumulator, triggered: true]
  | [slice: EventTime, sum: RowAccumulator, ahead: number, total: RowAccumulator, slices: number];

/** The slice had records before; else which slice was the newest, if there was one. */
export type Added = 'grown' | EventTime | undefined;

/** What a window has of slices before `until`, where its last slide begins. */
export interface Running {
  readonly until: EventTime;
  readonly total: RowAccumulator;
  /** How many it has. */
  readonly slices: number;
}

export interface SlidingExtras {
  maps: { slices: RowAccumulator; panes: number; firings: Firing };
}

export type SlidingContext<T> = Context<AggregateOutputs<T, unknown>, SliceState, SlidingExtras>;

export class SliceSums<T> {
  readonly #row: Row<T>;
  readonly #spanMs: number;

  /** `spanMs`: how much of event time a running total covers. */
  constructor(row: Row<T>, spanMs: number) {
    this.#row = row;
    this.#spanMs = spanMs;
  }

  /**
   * `add` as the last thing that a call does. Nearly every record comes this way, and the newest slice lives for many of
   * them: made anew for each it would be most of what a garbage collection has to keep.
   */
  addLast(slice: EventTime, value: DeepReadonly<T>, ctx: SlidingContext<T>): Added {
    const state = ctx.state.get();
    if (state === undefined || state[0] !== slice || state.length === 3) return this.add(slice, value, ctx);
    const sum = this.#row.add(state[1], value);
    // Both are made before either is written: making them runs code of the user's.
    if (state.length === 5 && state[2] > 0) state[3] = this.#row.add(state[3], value);
    state[1] = sum;
    ctx.state.set(state);
    return 'grown';
  }

  add(slice: EventTime, value: DeepReadonly<T>, ctx: SlidingContext<T>): Added {
    const state = ctx.state.get();
    if (state !== undefined && state[0] === slice) {
      ctx.state.set(this.#grown(state, this.#row.add(state[1], value), value));
      return 'grown';
    }
    if (state === undefined || state[0] < slice) {
      if (state !== undefined) ctx.map('slices').set(state[0], state[1]);
      ctx.state.set(this.#followed(state, slice, value));
      return state?.[0];
    }
    return this.#addToOlder(slice, value, ctx, state);
  }

  /** The newest slice with a further record. */
  #grown(state: SliceState, sum: RowAccumulator, value: DeepReadonly<T>): SliceState {
    // By index: taking an array apart costs more, and this is done for nearly every record.
    if (state.length !== 5) return [state[0], sum];
    const total = state[2] > 0 ? this.#row.add(state[3], value) : state[3];
    return [state[0], sum, state[2], total, state[4]];
  }

  /** A record begins a slice that is newer than all. It may be a late one's, of a window that has fired. */
  #followed(state: SliceState | undefined, slice: EventTime, value: DeepReadonly<T>): SliceState {
    const sum = this.#row.first(value);
    const running = state && runningOf(state);
    if (running === undefined) return [slice, sum];
    const ahead = running.until - slice;
    return ahead > 0
      ? [slice, sum, ahead, this.#row.add(running.total, value), running.slices + 1]
      : [slice, sum, ahead, running.total, running.slices];
  }

  #addToOlder(slice: EventTime, value: DeepReadonly<T>, ctx: SlidingContext<T>, state: SliceState): Added {
    const older = ctx.map('slices');
    const sum = older.get(slice);
    older.set(slice, sum === undefined ? this.#row.first(value) : this.#row.add(sum, value));
    // Whoever has a trigger must be able to tell that something came meanwhile (SS3).
    if (state.length === 3) ctx.state.set([state[0], state[1]]);
    const running = runningOf(state);
    if (running !== undefined && slice < running.until && slice >= running.until - this.#spanMs) {
      const slices = running.slices + (sum === undefined ? 1 : 0);
      this.keepRunning({ ...running, total: this.#row.add(running.total, value), slices }, ctx);
    }
    return sum === undefined ? state[0] : 'grown';
  }

  /** Puts another sum in place of a slice's. There is no running total. */
  replace(slice: EventTime, sum: RowAccumulator, ctx: SlidingContext<T>): void {
    const newest = ctx.state.get()?.[0];
    if (newest === undefined || newest <= slice) {
      if (newest !== undefined && newest < slice) ctx.map('slices').set(newest, ctx.state.get()?.[1]);
      ctx.state.set([slice, sum]);
    } else {
      ctx.map('slices').set(slice, sum);
    }
  }

  /** Undefined: there is none from now on. */
  keepRunning(running: Running | undefined, ctx: SlidingContext<T>): void {
    const state = ctx.state.get();
    if (state === undefined) return;
    const [slice, sum] = state;
    if (running !== undefined)
      ctx.state.set([slice, sum, running.until - slice, running.total, running.slices]);
    else if (state.length > 2) ctx.state.set([slice, sum]);
  }

  /** True when nothing was added by others since `mark`, or there is nothing (SS3). */
  isMarked(ctx: SlidingContext<T>): boolean {
    const state = ctx.state.get();
    return state === undefined || state.length === 3;
  }

  /** Also takes the running total away. */
  mark(ctx: SlidingContext<T>): void {
    const state = ctx.state.get();
    if (state !== undefined && state.length !== 3) ctx.state.set([state[0], state[1], true]);
  }

  /** Reads of one call. With `many`, a stored map is fetched as a whole, not by one miss a slice. */
  view(ctx: SlidingContext<T>, many: boolean): SliceView {
    const older = ctx.map('slices');
    return new SliceView(ctx.state.get(), many && older.size === 0 ? undefined : older);
  }

  remove(slice: EventTime, ctx: SlidingContext<T>): void {
    if (ctx.state.get()?.[0] === slice) ctx.state.clear();
    else ctx.map('slices').delete(slice);
  }
}

export class SliceView {
  readonly #state: SliceState | undefined;
  readonly #older: StateMap<RowAccumulator> | undefined;

  constructor(state: SliceState | undefined, older: StateMap<RowAccumulator> | undefined) {
    this.#state = state;
    this.#older = older;
  }

  get(slice: EventTime): RowAccumulator | undefined {
    if (this.#state === undefined || slice > this.#state[0]) return undefined;
    return slice === this.#state[0] ? this.#state[1] : this.#older?.get(slice);
  }

  get running(): Running | undefined {
    return this.#state && runningOf(this.#state);
  }

  /** Slices in `[from, to)` in order, with their sums. */
  between(from: EventTime, to: EventTime): readonly (readonly [EventTime, RowAccumulator])[] {
    const found: (readonly [EventTime, RowAccumulator])[] = [];
    for (const [slice, sum] of this.#older?.entries({ from, to }) ?? []) found.push([Number(slice), sum]);
    const newest = this.#state;
    if (newest !== undefined && newest[0] >= from && newest[0] < to) found.push([newest[0], newest[1]]);
    return found;
  }
}

function runningOf(state: SliceState): Running | undefined {
  if (state.length !== 5) return undefined;
  const [slice, , ahead, total, slices] = state;
  return { until: slice + ahead, total, slices };
}

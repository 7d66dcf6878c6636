/**
 * The partial sums of one key, a sum a slice.
 *
 * Owns: `ctx.state`, the newest slice, which takes nearly every record (a value is several times cheaper to
 * rewrite than a map entry); and the map `slices` with all older ones, each written when the next one begins.
 *
 * Invariant: every slice in the map is older than the one in `ctx.state`. It holds because slices are removed
 * oldest first, and a record for an older slice goes to the map.
 */

import type { Context, DeepReadonly, EventTime, StateMap } from '../../api.ts';
import type { Row, RowAccumulator } from '../aggregates/row.ts';
import type { AggregateOutputs } from './pane-output.ts';

export type NewestSlice = readonly [slice: EventTime, sum: RowAccumulator];

export interface SlidingExtras {
  maps: { slices: RowAccumulator; panes: number };
}

export type SlidingContext<T> = Context<AggregateOutputs<T, unknown>, NewestSlice, SlidingExtras>;

export class SliceSums<T> {
  readonly #row: Row<T>;

  constructor(row: Row<T>) {
    this.#row = row;
  }

  /** True when the record is the first of its slice. */
  add(slice: EventTime, value: DeepReadonly<T>, ctx: SlidingContext<T>): boolean {
    const newest = ctx.state.get();
    if (newest !== undefined && newest[0] === slice) {
      ctx.state.set([slice, this.#row.add(newest[1], value)]);
      return false;
    }
    if (newest === undefined || newest[0] < slice) {
      if (newest !== undefined) ctx.map('slices').set(newest[0], newest[1]);
      ctx.state.set([slice, this.#row.first(value)]);
      return true;
    }
    const older = ctx.map('slices');
    const sum = older.get(slice);
    older.set(slice, sum === undefined ? this.#row.first(value) : this.#row.add(sum, value));
    return sum === undefined;
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
  readonly #newest: NewestSlice | undefined;
  readonly #older: StateMap<RowAccumulator> | undefined;

  constructor(newest: NewestSlice | undefined, older: StateMap<RowAccumulator> | undefined) {
    this.#newest = newest;
    this.#older = older;
  }

  get(slice: EventTime): RowAccumulator | undefined {
    if (this.#newest === undefined || slice > this.#newest[0]) return undefined;
    return slice === this.#newest[0] ? this.#newest[1] : this.#older?.get(slice);
  }

  /** Slices in `[from, to)` in order, with their sums. */
  between(from: EventTime, to: EventTime): readonly (readonly [EventTime, RowAccumulator])[] {
    const found: (readonly [EventTime, RowAccumulator])[] = [];
    for (const [slice, sum] of this.#older?.entries({ from, to }) ?? []) found.push([Number(slice), sum]);
    if (this.#newest !== undefined && this.#newest[0] >= from && this.#newest[0] < to)
      found.push(this.#newest);
    return found;
  }
}

/**
 * Windows of one key that lie alike for all keys: tumbling, hopping, calendar, global.
 *
 * Owns: the sums of its slices (`slice-sums.ts`); map `panes` (window end → panes so far, only with allowed
 * lateness); one timer a window, tagged with its end; with lateness one timer `c<end>` that clears up.
 *
 * Invariants, for every window that is not past `end + lateness`:
 * - S1 If it has content and no entry in `panes`, its on-time pane is to come: its timer is set, or that of an earlier
 *   such window from which to it no window is without content: whichever fires sets the timer of the next, if that has
 *   content of older slices.
 * - S2 If it has an entry in `panes`, every record added since has had a late pane of its own.
 * - S3 A slice is gone once its last window is past `end + lateness`, and so are `panes` and timers (N4).
 *
 * Nothing but state and maps is read to decide: handlers may run again, elsewhere, with another lateness (Y2).
 */

import type { EventTime, Pane, StreamRecord, Timer } from '../../api.ts';
import type { RowAccumulator } from '../aggregates/row.ts';
import { GridWindows } from './grid-windows.ts';
import { dropLate, holdOf, isExpired, producePane, refuseRetraction } from './pane-output.ts';
import type { SliceView, SlidingContext } from './slice-sums.ts';
import type { GridWindow } from './window.ts';
import { readTag, tagOf } from './window-tags.ts';
import type { WindowedAggregate } from './windowed-aggregate.ts';

/** From here on it is worth its bytes to keep a running total; each bundle that changes the key writes it. */
const MANY_SLICES = 16;
/** Up to here looking up every slice of a window is cheaper than listing those there are. */
const FEW_SLICES = 128;

const NOTHING: Content = { total: undefined, slices: 0 };

interface Content {
  /** Undefined where the window has no record, or where it could not be told. */
  readonly total: RowAccumulator | undefined;
  /** How many of its slices have a record. */
  readonly slices: number;
}

export class SlidingWindows<T> extends GridWindows<T> {
  /** A running total is kept (SS1). */
  readonly #runs: boolean;

  constructor(operator: WindowedAggregate<T, GridWindow>) {
    super(operator, { keepsShared: true });
    this.#runs = this.row.subtract !== undefined && this.slices.perWindow >= MANY_SLICES;
  }

  processRecord(record: StreamRecord<T>, ctx: SlidingContext<T>): void {
    const slice = this.slices.sliceOf(record.timestamp);
    if (slice === undefined) return;
    if (record.pane?.retracts === true) refuseRetraction();
    if (record.late) {
      this.#processLate(slice, record, ctx);
      return;
    }
    const end = this.slices.firstEnd(slice);
    // Also where the record is not the first: the slice may be a late record's, made when the watermark had passed this
    // window while this record waited (W1).
    const isPassed = ctx.watermark !== undefined && ctx.watermark >= end;
    if (isPassed) this.#arm(end, ctx);
    const newest = this.sums.addLast(slice, record.value, ctx);
    if (newest === 'grown' || isPassed) return;
    // By S1 an older slice that is in the window brings it.
    const isToCome = newest !== undefined && newest < slice && end <= this.slices.lastEnd(newest);
    if (!isToCome) this.#arm(end, ctx);
  }

  processTimer(timer: Timer, ctx: SlidingContext<T>): void {
    const { kind, end } = readTag(timer.tag);
    if (kind === 'end') this.#fire(end, ctx);
    else if (kind === 'clear') this.#clearUp(end, timer, ctx);
    else this.#forgetTrigger(end, timer, kind === 'expire', ctx);
  }

  /** Its timers were set by `TriggeredWindows`, before a deploy that took the trigger away (Y2). */
  #forgetTrigger(end: EventTime, timer: Timer, expires: boolean, ctx: SlidingContext<T>): void {
    ctx.map('firings').delete(end);
    // Right at its end it is the on-time pane that removes a window.
    if (expires && timer.time > end) this.#clearUp(end, timer, ctx);
  }

  #processLate(slice: EventTime, record: StreamRecord<T>, ctx: SlidingContext<T>): void {
    const last = this.slices.lastEnd(slice);
    if (isExpired(last, this.latenessMs, ctx.watermark)) {
      dropLate(ctx, record);
      return;
    }
    const firedEnds = this.#admitLate(slice, ctx);
    this.sums.add(slice, record.value, ctx);
    const alone = this.row.first(record.value);
    for (const end of firedEnds) {
      this.#produce(end, this.discarding ? alone : this.#contentOf(end, this.#view(ctx)).total, 'late', ctx);
    }
  }

  /** Sets the timers that S1 asks for and gives the ends that S2 speaks of, before the record is added. */
  #admitLate(slice: EventTime, ctx: SlidingContext<T>): readonly EventTime[] {
    const last = this.slices.lastEnd(slice);
    const firedEnds: EventTime[] = [];
    for (let end = this.slices.firstEnd(slice); end <= last; end = this.slices.nextEnd(end)) {
      if (isExpired(end, this.latenessMs, ctx.watermark)) continue;
      const passed = ctx.watermark !== undefined && ctx.watermark >= end;
      if (
        passed &&
        (ctx.map('panes').has(end) || this.#contentOf(end, this.#view(ctx)).total === undefined)
      ) {
        firedEnds.push(end);
      } else {
        this.#arm(end, ctx);
        if (!passed) break;
      }
    }
    return firedEnds;
  }

  #fire(end: EventTime, ctx: SlidingContext<T>): void {
    const view = this.#view(ctx);
    const content = this.#contentOf(end, view);
    const { total, slices } = this.#restOf(end, content, view);
    if (slices > 0) this.#arm(this.slices.nextEnd(end), ctx);
    if (this.#runs)
      this.sums.keepRunning(total === undefined ? undefined : { until: end, total, slices }, ctx);
    const fired = this.latenessMs > 0 && ctx.map('panes').has(end);
    if (content.total !== undefined && !fired) this.#produce(end, content.total, 'on-time', ctx);
  }

  #produce(end: EventTime, content: RowAccumulator, timing: Pane['timing'], ctx: SlidingContext<T>): void {
    const last = isExpired(end, this.latenessMs, ctx.watermark);
    const index = this.latenessMs > 0 ? (ctx.map('panes').get(end) ?? 0) : 0;
    const start = this.slices.startOf(end);
    producePane(ctx, this.row.result(content), { start, end, index, timing, last });
    if (last) {
      this.#remove(end, ctx);
    } else {
      ctx.map('panes').set(end, index + 1);
      if (index === 0) this.#armClearUp(end, ctx);
    }
  }

  #clearUp(end: EventTime, timer: Timer, ctx: SlidingContext<T>): void {
    // The lateness may have grown since the timer was set.
    if (isExpired(end, this.latenessMs, timer.time)) {
      this.#remove(end, ctx);
      ctx.map('panes').delete(end);
    } else {
      this.#armClearUp(end, ctx);
    }
  }

  /** Removes the slices whose last window this is. */
  #remove(end: EventTime, ctx: SlidingContext<T>): void {
    for (const slice of this.slices.leaving(end)) this.sums.remove(slice, ctx);
    if (this.latenessMs > 0) ctx.map('panes').delete(end);
  }

  #view(ctx: SlidingContext<T>): SliceView {
    return this.sums.view(ctx, this.slices.perWindow > 1);
  }

  #contentOf(end: EventTime, view: SliceView): Content {
    const running = this.#runs ? view.running : undefined;
    return running !== undefined && this.slices.nextEnd(running.until) === end
      ? this.#withSlices(running.until, end, view, running)
      : this.#withSlices(this.slices.startOf(end), end, view, NOTHING);
  }

  /** What is begun, and the slices in `[from, to)`. */
  #withSlices(from: EventTime, to: EventTime, view: SliceView, begun: Content): Content {
    let { total, slices } = begun;
    const take = (sum: RowAccumulator | undefined): void => {
      if (sum === undefined) return;
      total = total === undefined ? sum : this.row.merge(total, sum);
      slices++;
    };
    if (this.slices.perWindow > FEW_SLICES && begun === NOTHING) {
      for (const [, sum] of view.between(from, to)) take(sum);
    } else {
      for (const slice of this.slices.between(from, to)) take(view.get(slice));
    }
    return { total, slices };
  }

  /** What the following window has of it. The total only where it can be kept (SS1). */
  #restOf(end: EventTime, content: Content, view: SliceView): Content {
    const { subtract } = this.row;
    let total = this.#runs ? content.total : undefined;
    let { slices } = content;
    for (const slice of this.slices.leaving(end)) {
      const sum = view.get(slice);
      if (sum === undefined) continue;
      if (total !== undefined) total = subtract?.(total, sum);
      slices--;
    }
    return { total: slices > 0 ? total : undefined, slices };
  }

  #arm(end: EventTime, ctx: SlidingContext<T>): void {
    ctx.setTimer(tagOf('end', end), end, holdOf(end));
  }

  #armClearUp(end: EventTime, ctx: SlidingContext<T>): void {
    ctx.setTimer(tagOf('clear', end), Math.min(end + this.latenessMs, Number.MAX_SAFE_INTEGER));
  }
}

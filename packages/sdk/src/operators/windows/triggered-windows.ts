/**
 * Windows that lie alike for all keys, with a trigger: panes before the end, late ones not for every record, panes
 * that take back the one before. `SlidingWindows` is the same without; it is what nearly every window needs, and
 * costs less.
 *
 * Owns: what `SlidingWindows` owns, in the same form, so that either goes on where the other stopped (Y2); map
 * `firings` (window end → `Firing`). It never keeps a running total.
 *
 * Invariants, for every window that is not past `end + lateness`:
 * - TW1 A window with an entry in `firings` has a timer `expire`. With new content that time makes due it has a timer
 *   `wake` on the wall clock.
 * - TW2 It has an entry in `panes` from its on-time pane on, or from a late record that found it empty. Before that
 *   it has, with content, a timer at its end.
 * - TW3 All of that is gone at `end + lateness` (N4).
 */

import type { EventTime, StreamRecord, Timer } from '../../api.ts';
import type { RowAccumulator } from '../aggregates/row.ts';
import { type Firing, FiringRules, type Phase } from './firing.ts';
import { GridWindows } from './grid-windows.ts';
import { dropLate, holdOf, isExpired, refuseRetraction } from './pane-output.ts';
import type { SlidingContext } from './slice-sums.ts';
import type { GridWindow } from './window.ts';
import { readTag, tagOf } from './window-tags.ts';
import type { TriggeredAggregate } from './windowed-aggregate.ts';

export class TriggeredWindows<T> extends GridWindows<T> {
  readonly #rules: FiringRules<T>;

  constructor(operator: TriggeredAggregate<T, GridWindow>) {
    super(operator, { keepsShared: false });
    this.#rules = new FiringRules(operator);
  }

  processRecord(record: StreamRecord<T>, ctx: SlidingContext<T>): void {
    const slice = this.slices.sliceOf(record.timestamp);
    if (slice === undefined) return;
    if (record.pane?.retracts === true && this.row.retractions === undefined) refuseRetraction();
    const last = this.slices.lastEnd(slice);
    if (record.late && isExpired(last, this.latenessMs, ctx.watermark)) {
      dropLate(ctx, record);
      return;
    }
    this.#resume(ctx);
    const windows = this.#openWindows(slice, last, record.late, ctx);
    this.#addToSlice(slice, record, ctx);
    for (const [end, phase] of windows) this.#take(end, phase, record, ctx);
  }

  processTimer(timer: Timer, ctx: SlidingContext<T>): void {
    this.#resume(ctx);
    const { kind, end } = readTag(timer.tag);
    if (kind === 'wake') this.#wake(end, ctx);
    else if (kind === 'end') this.#fire(end, ctx);
    // Right at its end it is the on-time pane that removes a window.
    else if (timer.time > end) this.#clearUp(end, timer, ctx);
  }

  /** The windows that take the record, decided before it is added. */
  #openWindows(
    slice: EventTime,
    last: EventTime,
    late: boolean,
    ctx: SlidingContext<T>,
  ): readonly (readonly [end: EventTime, phase: Phase])[] {
    const found: [EventTime, Phase][] = [];
    for (let end = this.slices.firstEnd(slice); end <= last; end = this.slices.nextEnd(end)) {
      if (late && isExpired(end, this.latenessMs, ctx.watermark)) continue;
      const isOver =
        isExpired(end, 0, ctx.watermark) &&
        (this.#hasFired(end, ctx) || (late && this.#contentOf(end, ctx) === undefined));
      found.push([end, isOver ? 'late' : 'early']);
    }
    return found;
  }

  #addToSlice(slice: EventTime, record: StreamRecord<T>, ctx: SlidingContext<T>): void {
    const { retractions } = this.row;
    if (retractions !== undefined && record.pane?.retracts === true) {
      const sum = this.sums.view(ctx, false).get(slice) ?? retractions.create();
      this.sums.replace(slice, retractions.remove(sum, record.value), ctx);
    } else {
      this.sums.add(slice, record.value, ctx);
    }
    this.sums.mark(ctx);
  }

  /** For a time there was no trigger: what came then, no firing knows of. */
  #resume(ctx: SlidingContext<T>): void {
    if (this.sums.isMarked(ctx)) return;
    for (const [key, firing] of ctx.map('firings').entries()) {
      const end = Number(key);
      ctx.clearTimer(tagOf('wake', end), 'wall');
      if (this.#hasFired(end, ctx)) {
        ctx.map('firings').delete(end);
        continue;
      }
      const unshown = this.discarding ? { unshown: this.#contentOf(end, ctx) } : {};
      this.#keep(end, { ...this.#rules.restarted(firing, ctx.now), ...unshown }, undefined, 'early', ctx);
    }
    this.sums.mark(ctx);
  }

  #take(end: EventTime, phase: Phase, record: StreamRecord<T>, ctx: SlidingContext<T>): void {
    const before = ctx.map('firings').get(end);
    let firing = this.#rules.taken(before, phase, ctx.now);
    if (this.discarding) firing = { ...firing, unshown: this.#unshown(end, before, phase, record, ctx) };
    if (before === undefined) this.#begin(end, phase, ctx);
    // Its on-time pane comes right after this call: what it shows need not be shown twice.
    const isAtEnd = phase === 'early' && isExpired(end, 0, ctx.watermark);
    if (!isAtEnd && this.#rules.isDue(firing, phase, ctx.now))
      firing = this.#show(end, firing, phase, phase, ctx);
    this.#keep(end, firing, before, phase, ctx);
  }

  #unshown(
    end: EventTime,
    before: Firing | undefined,
    phase: Phase,
    record: StreamRecord<T>,
    ctx: SlidingContext<T>,
  ): RowAccumulator | undefined {
    // Of a window that had no trigger until now, nothing has been shown.
    if (before === undefined && phase === 'early') return this.#contentOf(end, ctx);
    const unshown = before?.unshown;
    return unshown === undefined ? this.row.first(record.value) : this.row.add(unshown, record.value);
  }

  #begin(end: EventTime, phase: Phase, ctx: SlidingContext<T>): void {
    if (phase === 'early') ctx.setTimer(tagOf('end', end), end, holdOf(end));
    else if (!this.#hasFired(end, ctx)) ctx.map('panes').set(end, 0);
    this.#armExpiry(end, ctx);
  }

  #fire(end: EventTime, ctx: SlidingContext<T>): void {
    this.#armFollowing(end, ctx);
    if (this.#hasFired(end, ctx)) return;
    const content = this.#contentOf(end, ctx);
    const before = ctx.map('firings').get(end);
    let firing =
      before === undefined
        ? { ...this.#rules.blank('early'), unshown: content, fresh: content !== undefined }
        : this.#rules.current(before, 'early', ctx.now);
    const always = this.#rules.onTimeAlways && !this.#rules.isEmpty(content);
    if (firing.fresh || always) firing = this.#show(end, firing, 'early', 'on-time', ctx);
    if (before !== undefined) ctx.clearTimer(tagOf('wake', end), 'wall');
    if (content === undefined || isExpired(end, this.latenessMs, ctx.watermark)) {
      this.#remove(end, ctx);
      return;
    }
    ctx.map('panes').set(end, firing.panes);
    this.#armExpiry(end, ctx);
    this.#keep(end, this.#rules.blank('late', firing), before, 'late', ctx);
  }

  #show(
    end: EventTime,
    firing: Firing,
    phase: Phase,
    timing: 'early' | 'on-time' | 'late',
    ctx: SlidingContext<T>,
  ): Firing {
    const content = this.discarding ? firing.unshown : this.#contentOf(end, ctx);
    const index = this.latenessMs > 0 ? (ctx.map('panes').get(end) ?? firing.panes) : firing.panes;
    const last = timing !== 'early' && isExpired(end, this.latenessMs, ctx.watermark);
    const pane = { start: this.slices.startOf(end), end, index, timing, last };
    const after = this.#rules.show(firing, phase, content, pane, ctx);
    if (phase === 'late') ctx.map('panes').set(end, after.panes);
    return after;
  }

  #wake(end: EventTime, ctx: SlidingContext<T>): void {
    const before = ctx.map('firings').get(end);
    if (before === undefined) return;
    const phase = this.#hasFired(end, ctx) ? 'late' : 'early';
    const isAtEnd = isExpired(end, phase === 'late' ? this.latenessMs : 0, ctx.watermark);
    let firing = this.#rules.current(before, phase, ctx.now);
    const isDue = !isAtEnd && this.#rules.isDue(firing, phase, ctx.now);
    if (isDue) firing = this.#show(end, firing, phase, phase, ctx);
    this.#keep(end, firing, undefined, phase, ctx);
  }

  /** Stores the firing and has the wall clock wake it; `before`: what is stored, with its timer. */
  #keep(
    end: EventTime,
    firing: Firing,
    before: Firing | undefined,
    phase: Phase,
    ctx: SlidingContext<T>,
  ): void {
    if (firing === before) return;
    if (phase === 'late' && !firing.fresh && firing.shown === undefined) ctx.map('firings').delete(end);
    else ctx.map('firings').set(end, firing);
    const at = this.#rules.wakeAt(firing, phase);
    const known =
      before !== undefined && before.by === firing.by ? this.#rules.wakeAt(before, phase) : undefined;
    if (at === known) return;
    const tag = tagOf('wake', end);
    // Behind the end its pane is a late one, which only a hold lets through.
    if (at === undefined) ctx.clearTimer(tag, 'wall');
    else ctx.setTimer(tag, at, { clock: 'wall', ...(phase === 'late' && holdOf(end)) });
  }

  /** Of the time before there was a trigger: the timer of the next window is set when this one's fires. */
  #armFollowing(end: EventTime, ctx: SlidingContext<T>): void {
    if (this.slices.perWindow === 1) return;
    const next = this.slices.nextEnd(end);
    const rest = this.sums.view(ctx, true).between(this.slices.startOf(next), end);
    if (rest.length > 0 && !ctx.map('firings').has(next))
      ctx.setTimer(tagOf('end', next), next, holdOf(next));
  }

  #clearUp(end: EventTime, timer: Timer, ctx: SlidingContext<T>): void {
    // The lateness may have grown since the timer was set.
    if (isExpired(end, this.latenessMs, timer.time)) this.#remove(end, ctx);
    else this.#armExpiry(end, ctx);
  }

  #remove(end: EventTime, ctx: SlidingContext<T>): void {
    for (const slice of this.slices.leaving(end)) this.sums.remove(slice, ctx);
    ctx.map('panes').delete(end);
    ctx.map('firings').delete(end);
    ctx.clearTimer(tagOf('expire', end));
    ctx.clearTimer(tagOf('wake', end), 'wall');
  }

  #hasFired(end: EventTime, ctx: SlidingContext<T>): boolean {
    return ctx.map('panes').has(end);
  }

  #contentOf(end: EventTime, ctx: SlidingContext<T>): RowAccumulator | undefined {
    const isOne = this.slices.perWindow === 1;
    const view = this.sums.view(ctx, !isOne);
    if (isOne) return view.get(this.slices.startOf(end));
    let total: RowAccumulator | undefined;
    for (const [, sum] of view.between(this.slices.startOf(end), end)) {
      total = total === undefined ? sum : this.row.merge(total, sum);
    }
    return total;
  }

  #armExpiry(end: EventTime, ctx: SlidingContext<T>): void {
    ctx.setTimer(tagOf('expire', end), Math.min(end + this.latenessMs, Number.MAX_SAFE_INTEGER));
  }
}

/**
 * `windowJoin`: every left with every right record of one key that lie in the same window (N6).
 *
 * A window gives its pairs when the watermark has passed its end, at `end - 1`. With allowed lateness a late row
 * then gives its pairs at once, and rows without a partner wait until the window takes none any more; until then
 * they hold the output watermark, so that they are not late downstream.
 *
 * Owns: maps `left` and `right` (time → rows, as they came), map `fired` (end → panes so far, only with allowed
 * lateness), one timer a window, tagged with its end, and with lateness one `c<end>` that closes it.
 *
 * Invariants
 *   WJ1  every pair of rows in a window comes out once for that window, whatever order they came in.
 *   WJ2  a row without a partner in a window comes out once, when the window has closed, if the kind asks for it.
 *   WJ3  a row is gone when its last window has closed.
 */
import {
  type Computation,
  type Context,
  computation,
  type DeepReadonly,
  type Duration,
  type EventTime,
  type Pane,
  type StateMap,
  type StreamRecord,
} from '../api.ts';
import { nonNegativeMs } from './duration.ts';
import type { Input } from './input.ts';
import { type JoinKind, type LeftOf, type RightOf, type Unmatched, unmatchedOf } from './join-kind.ts';
import { refuseRetracted } from './refuse-retracted.ts';
import { refuseUnknownOptions } from './refuse-unknown-options.ts';
import { requireFunction } from './require-function.ts';
import { SessionJoin } from './session-join.ts';
import { dropLate, holdOf, isExpired } from './windows/pane-output.ts';
import type { Slices } from './windows/slices.ts';
import { slicesOf } from './windows/slices-of.ts';
import { type GridWindow, requireFewWindows, requireWindow, type Window } from './windows/window.ts';

export interface WindowJoinOptions<L, R, K extends JoinKind, O> {
  /** `tumbling(…)`, `hopping(…)`, `sessions(…)`, of the records of both sides, `calendar(…)` or `globalWindow()`. */
  readonly window: Window;
  /** Which rows come out although nothing matched them, with null in place of a partner; default `inner`. */
  readonly kind?: K | undefined;
  /** What a pair becomes; default `{ left, right }`. */
  readonly join?: ((left: DeepReadonly<LeftOf<L, K>>, right: DeepReadonly<RightOf<R, K>>) => O) | undefined;
  /** How long after its end a window still takes late rows; default 0. */
  readonly allowedLateness?: Duration | undefined;
}

const OPTIONS = ['window', 'kind', 'join', 'allowedLateness'];

export type Side = 'left' | 'right';
interface Extras {
  maps: { readonly left: readonly unknown[]; readonly right: readonly unknown[]; readonly fired: number };
  timers: string;
}
type JoinContext = Context<{ out: unknown; late: unknown }, unknown, Extras>;

export function windowJoin<
  L,
  R,
  K extends JoinKind = 'inner',
  O = { readonly left: LeftOf<L, K>; readonly right: RightOf<R, K> },
>(
  _left: Input<L>,
  _right: Input<R>,
  options: WindowJoinOptions<L, R, K, O>,
): Computation<{ left: L; right: R }, { out: O; late: L | R }> {
  refuseUnknownOptions(options, OPTIONS, 'windowJoin');
  const { window, kind = 'inner', join = (left: unknown, right: unknown) => ({ left, right }) } = options;
  requireWindow(window, 'windowJoin');
  requireFewWindows(window, 'windowJoin');
  requireFunction(join, 'The function join of windowJoin');
  const settings: JoinSettings = {
    unmatched: unmatchedOf(kind, 'windowJoin'),
    join: join as JoinSettings['join'],
    latenessMs: nonNegativeMs(options.allowedLateness ?? 0, 'allowedLateness'),
  };
  const joining =
    window.type === 'session' ? new SessionJoin(settings, window.gapMs) : new WindowJoin(settings, window);
  return {
    ...computation<{ left: L; right: R }, { out: O; late: L | R }>({
      processRecord: (record, ctx) => joining.processRecord(record as never, ctx as never),
      processTimer: ({ tag, time }, ctx) => joining.processTimer(tag, time, ctx as never),
    }),
    stateShape: JSON.stringify({ operator: 'windowJoin', window }),
  };
}

export interface JoinSettings {
  readonly unmatched: Unmatched;
  readonly join: (left: unknown, right: unknown) => unknown;
  readonly latenessMs: number;
}

class WindowJoin {
  readonly #settings: JoinSettings;
  readonly #slices: Slices;

  constructor(settings: JoinSettings, window: GridWindow) {
    this.#settings = settings;
    this.#slices = slicesOf(window);
  }

  processRecord(record: StreamRecord<unknown, Side>, ctx: JoinContext): void {
    refuseRetracted(record, 'windowJoin');
    const slice = this.#slices.sliceOf(record.timestamp);
    if (slice === undefined) return;
    const { latenessMs } = this.#settings;
    const last = this.#slices.lastEnd(slice);
    if (record.late && isExpired(last, latenessMs, ctx.watermark)) {
      dropLate(ctx, record);
      return;
    }
    // A chain, each window arming the next, would end where a window's firing fails.
    for (let end = this.#slices.firstEnd(slice); end <= last; end = this.#slices.nextEnd(end)) {
      if (record.late && isExpired(end, latenessMs, ctx.watermark)) continue;
      if (record.late && ctx.map('fired').has(end)) this.#pairLate(record, end, ctx);
      else ctx.setTimer(String(end), end, holdOf(end));
    }
    const rows = ctx.map(record.stream);
    rows.set(record.timestamp, [...(rows.get(record.timestamp) ?? []), record.value]);
  }

  processTimer(tag: string, time: EventTime, ctx: JoinContext): void {
    if (!tag.startsWith('c')) {
      this.#fire(Number(tag), ctx);
      return;
    }
    const end = Number(tag.slice(1));
    // The lateness may have grown since the timer was set.
    if (!isExpired(end, this.#settings.latenessMs, time)) this.#armClosing(end, ctx);
    else this.#close(end, this.#paneOf(end, 'late', true, ctx), ctx);
  }

  #fire(end: EventTime, ctx: JoinContext): void {
    const fired = ctx.map('fired');
    if (fired.has(end)) return;
    const isLast = this.#settings.latenessMs === 0;
    const pane = this.#paneOf(end, 'on-time', isLast, ctx);
    const rights = this.#rowsOf(end, ctx.map('right'));
    for (const left of this.#rowsOf(end, ctx.map('left')))
      for (const right of rights) this.#produce(left, right, pane, ctx);
    if (isLast) {
      this.#close(end, pane, ctx);
      return;
    }
    fired.set(end, 1);
    this.#armClosing(end, ctx);
  }

  #pairLate({ stream, value }: StreamRecord<unknown, Side>, end: EventTime, ctx: JoinContext): void {
    const isLeft = stream === 'left';
    const partners = this.#rowsOf(end, ctx.map(isLeft ? 'right' : 'left'));
    if (partners.length === 0) return;
    const pane = this.#paneOf(end, 'late', false, ctx);
    ctx.map('fired').set(end, pane.index + 1);
    for (const row of partners) this.#produce(isLeft ? value : row, isLeft ? row : value, pane, ctx);
  }

  #close(end: EventTime, pane: Pane, ctx: JoinContext): void {
    const { unmatched } = this.#settings;
    const [left, right] = [ctx.map('left'), ctx.map('right')];
    const [lefts, rights] = [this.#rowsOf(end, left), this.#rowsOf(end, right)];
    if (unmatched.left && rights.length === 0) for (const row of lefts) this.#produce(row, null, pane, ctx);
    if (unmatched.right && lefts.length === 0) for (const row of rights) this.#produce(null, row, pane, ctx);
    // WJ3: what lies in front of the next window.
    const next = this.#slices.nextEnd(end);
    const to = Number.isFinite(next) ? Math.min(end, this.#slices.startOf(next)) : end;
    for (const rows of [left, right]) rows.deleteRange(this.#slices.startOf(end), to);
    ctx.map('fired').delete(end);
  }

  #rowsOf(end: EventTime, map: StateMap<readonly unknown[]>): unknown[] {
    const rows: unknown[] = [];
    for (const [, each] of map.entries({ from: this.#slices.startOf(end), to: end })) rows.push(...each);
    return rows;
  }

  #paneOf(end: EventTime, timing: Pane['timing'], last: boolean, ctx: JoinContext): Pane {
    const index = ctx.map('fired').get(end) ?? 0;
    return { start: this.#slices.startOf(end), end, index, timing, last };
  }

  #produce(left: unknown, right: unknown, pane: Pane, ctx: JoinContext): void {
    ctx.produce('out', this.#settings.join(left, right), { timestamp: pane.end - 1, pane });
  }

  #armClosing(end: EventTime, ctx: JoinContext): void {
    const { latenessMs, unmatched } = this.#settings;
    const at = Math.min(end + latenessMs, Number.MAX_SAFE_INTEGER);
    ctx.setTimer(`c${end}`, at, unmatched.left || unmatched.right ? holdOf(end) : undefined);
  }
}

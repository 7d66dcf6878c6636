/**
 * `windowJoin` over sessions: records of both sides make one session of their key, and every left one in it is paired
 * with every right one, once the watermark has passed its end.
 *
 * Owns: maps `left` and `right` (time → rows, as they came), map `sessions` (start → session), for each session the
 * timer `<start>` at its end while it has pairs to show, and with lateness `c<start>`, which closes it.
 *
 * Invariants beside those of `WindowJoin`
 *   SJ1  sessions of a key do not overlap; the rows of one are those whose time lies in it.
 *   SJ2  rows of one `shown` have had their pairs. Sessions that a late row joins show the pairs across, once.
 *   SJ3  as in an aggregate (S3), a late row is dropped when the whole session it would be in is past its lateness.
 */
import type { Context, EventTime, Pane, StreamRecord } from '../api.ts';
import { refuseRetracted } from './refuse-retracted.ts';
import type { JoinSettings, Side } from './window-join.ts';
import { dropLate, holdOf, isExpired } from './windows/pane-output.ts';

interface Row {
  readonly value: unknown;
  /** With which others it has been paired: the start of their session then. */
  readonly shown?: EventTime;
}
interface Session {
  readonly end: EventTime;
  readonly pending: boolean;
  readonly panes: number;
}
type Placed = Session & { readonly start: EventTime };
type SessionContext = Context<
  { out: unknown; late: unknown },
  unknown,
  { maps: { left: readonly Row[]; right: readonly Row[]; sessions: Session }; timers: string }
>;

export class SessionJoin {
  readonly #settings: JoinSettings;
  readonly #gapMs: number;

  constructor(settings: JoinSettings, gapMs: number) {
    this.#settings = settings;
    this.#gapMs = gapMs;
  }

  processRecord(record: StreamRecord<unknown, Side>, ctx: SessionContext): void {
    refuseRetracted(record, 'windowJoin');
    const { timestamp: time, value, stream, late } = record;
    const alone = time + this.#gapMs;
    const joined = overlapping(time, alone, ctx);
    const end = Math.max(alone, joined[0]?.end ?? alone);
    if (late && isExpired(end, this.#settings.latenessMs, ctx.watermark)) {
      dropLate(ctx, record);
      return;
    }
    const session: Placed = {
      start: Math.min(time, joined.at(-1)?.start ?? time),
      end,
      pending: true,
      panes: Math.max(0, ...joined.map(({ panes }) => panes)),
    };
    const rows = ctx.map(stream);
    rows.set(time, [...(rows.get(time) ?? []), { value }]);
    for (const { start } of joined) {
      ctx.map('sessions').delete(start);
      ctx.clearTimer(String(start));
      ctx.clearTimer(`c${start}`);
    }
    const isPast = late && isExpired(end, 0, ctx.watermark) && joined.every(({ pending }) => !pending);
    if (isPast) this.#show(session, 'late', ctx);
    else {
      put(session, ctx);
      ctx.setTimer(String(session.start), end, holdOf(end));
    }
  }

  processTimer(tag: string, time: EventTime, ctx: SessionContext): void {
    const start = Number(tag.replace('c', ''));
    const session = ctx.map('sessions').get(start);
    if (session === undefined) return;
    const placed = { ...session, start };
    if (session.pending) this.#show(placed, 'on-time', ctx);
    // The lateness may have grown since the timer was set.
    else if (isExpired(session.end, this.#settings.latenessMs, time)) this.#close(placed, 'late', ctx);
    else this.#armClosing(placed, ctx);
  }

  #show(session: Placed, timing: Pane['timing'], ctx: SessionContext): void {
    const last = isExpired(session.end, this.#settings.latenessMs, ctx.watermark);
    const rights = rowsOf(session, 'right', ctx);
    let shown = 0;
    for (const left of rowsOf(session, 'left', ctx))
      for (const right of rights) {
        if (left.shown !== undefined && left.shown === right.shown) continue;
        this.#produce(left.value, right.value, paneOf(session, timing, last), ctx);
        shown++;
      }
    const next = {
      ...session,
      pending: false,
      panes: session.panes + (shown > 0 || timing === 'on-time' ? 1 : 0),
    };
    if (last) {
      this.#close(timing === 'on-time' ? session : next, timing, ctx);
      return;
    }
    markShown(session, ctx);
    put(next, ctx);
    this.#armClosing(next, ctx);
  }

  /** Only now is it known which rows have no partner. */
  #close(session: Placed, timing: Pane['timing'], ctx: SessionContext): void {
    const { unmatched } = this.#settings;
    const [lefts, rights] = [rowsOf(session, 'left', ctx), rowsOf(session, 'right', ctx)];
    const pane = paneOf(session, timing, true);
    if (unmatched.left && rights.length === 0)
      for (const { value } of lefts) this.#produce(value, null, pane, ctx);
    if (unmatched.right && lefts.length === 0)
      for (const { value } of rights) this.#produce(null, value, pane, ctx);
    for (const side of SIDES) ctx.map(side).deleteRange(session.start, session.end);
    ctx.map('sessions').delete(session.start);
  }

  #produce(left: unknown, right: unknown, pane: Pane, ctx: SessionContext): void {
    ctx.produce('out', this.#settings.join(left, right), { timestamp: pane.end - 1, pane });
  }

  #armClosing({ start, end }: Placed, ctx: SessionContext): void {
    const { latenessMs, unmatched } = this.#settings;
    const at = Math.min(end + latenessMs, Number.MAX_SAFE_INTEGER);
    ctx.setTimer(`c${start}`, at, unmatched.left || unmatched.right ? holdOf(end) : undefined);
  }
}

const SIDES = ['left', 'right'] as const;

function paneOf({ start, end, panes }: Placed, timing: Pane['timing'], last: boolean): Pane {
  return { start, end, index: panes, timing, last };
}

function put({ start, ...session }: Placed, ctx: SessionContext): void {
  ctx.map('sessions').set(start, session);
}

/** Latest first; an interval of one gap overlaps at most two. */
function overlapping(from: EventTime, to: EventTime, ctx: SessionContext): readonly Placed[] {
  const found: Placed[] = [];
  for (const [start, session] of ctx.map('sessions').entries({ to, reverse: true, limit: 2 })) {
    if (session.end <= from) break;
    found.push({ ...session, start: Number(start) });
  }
  return found;
}

function rowsOf({ start, end }: Placed, side: Side, ctx: SessionContext): readonly Row[] {
  const rows: Row[] = [];
  for (const [, each] of ctx.map(side).entries({ from: start, to: end })) rows.push(...each);
  return rows;
}

function markShown({ start, end }: Placed, ctx: SessionContext): void {
  for (const side of SIDES) {
    const rows = ctx.map(side);
    for (const [time, each] of [...rows.entries({ from: start, to: end })])
      if (each.some(({ shown }) => shown !== start))
        rows.set(
          time,
          each.map(({ value }) => ({ value, shown: start })),
        );
  }
}

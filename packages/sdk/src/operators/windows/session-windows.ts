/**
 * Session windows of one key (N2).
 *
 * Owns: map `sessions` (start → session) and one timer a session, tagged with its start: at its end while it
 * has something to fire, then at `end + lateness`, where it is removed.
 *
 * Invariants:
 * - S1 Sessions of a key do not overlap; they may touch. Every one is at least a gap long.
 * - S2 A session with `pending` has content that no pane has shown and a timer at its end; one without has
 *   had a pane for every record and a timer at `end + lateness`.
 * - S3 A late record counts with the session that it would be in: it is dropped when that whole session would
 *   be past its lateness, and then joins nothing (two dropped records never make a session).
 */

import type { Context, EventTime, Pane, StreamRecord, Timer } from '../../api.ts';
import type { Row, RowAccumulator } from '../aggregates/row.ts';
import { type AggregateOutputs, dropLate, holdOf, isExpired, producePane } from './pane-output.ts';
import type { SessionWindow } from './window.ts';
import type { WindowedAggregate } from './windowed-aggregate.ts';

interface Session {
  readonly end: EventTime;
  readonly pending: boolean;
  readonly panes: number;
  /** Absent where everything has been discarded. */
  readonly content?: RowAccumulator;
}

type SessionContext<T> = Context<AggregateOutputs<T, unknown>, unknown, { maps: { sessions: Session } }>;

export class SessionWindows<T> {
  readonly #gapMs: number;
  readonly #row: Row<T>;
  readonly #latenessMs: number;
  readonly #discarding: boolean;

  constructor(operator: WindowedAggregate<T, SessionWindow>) {
    this.#gapMs = operator.window.gapMs;
    this.#row = operator.row;
    this.#latenessMs = operator.latenessMs;
    this.#discarding = operator.discarding;
  }

  processRecord(record: StreamRecord<T>, ctx: SessionContext<T>): void {
    const joined = this.#overlapping(record.timestamp, ctx);
    const start = Math.min(record.timestamp, joined.at(-1)?.[0] ?? record.timestamp);
    const end = Math.max(record.timestamp + this.#gapMs, joined[0]?.[1].end ?? Number.NEGATIVE_INFINITY);
    if (record.late && isExpired(end, this.#latenessMs, ctx.watermark)) {
      dropLate(ctx, record);
      return;
    }
    const session = this.#merge(end, joined, record);
    for (const [old] of joined) if (old !== start) this.#remove(old, ctx);
    if (record.late && isExpired(end, 0, ctx.watermark) && !joined.some(([, each]) => each.pending)) {
      this.#produce(start, session, 'late', ctx);
      return;
    }
    ctx.map('sessions').set(start, session);
    const armed = joined.some(([old, each]) => old === start && each.pending && each.end === end);
    if (!armed) ctx.setTimer(String(start), end, holdOf(end));
  }

  processTimer(timer: Timer, ctx: SessionContext<T>): void {
    const start = Number(timer.tag);
    const session = ctx.map('sessions').get(start);
    if (session === undefined) return;
    if (session.pending) this.#produce(start, session, 'on-time', ctx);
    else if (isExpired(session.end, this.#latenessMs, timer.time)) ctx.map('sessions').delete(start);
    else this.#armRemoval(start, session.end, ctx);
  }

  /** Latest first. By S1 at most two sessions overlap an interval of one gap. */
  #overlapping(time: EventTime, ctx: SessionContext<T>): readonly [EventTime, Session][] {
    const found: [EventTime, Session][] = [];
    const before = { to: time + this.#gapMs, reverse: true, limit: 2 };
    for (const [start, session] of ctx.map('sessions').entries(before)) {
      if (session.end <= time) break;
      found.push([Number(start), session]);
    }
    return found;
  }

  #merge(end: EventTime, joined: readonly [EventTime, Session][], record: StreamRecord<T>): Session {
    let content = this.#row.first(record.value);
    let panes = 0;
    for (const [, session] of joined) {
      if (session.content !== undefined) content = this.#row.merge(session.content, content);
      panes = Math.max(panes, session.panes);
    }
    return { end, pending: true, panes, content };
  }

  #produce(start: EventTime, session: Session, timing: Pane['timing'], ctx: SessionContext<T>): void {
    const { end, panes, content } = session;
    const last = isExpired(end, this.#latenessMs, ctx.watermark);
    producePane(ctx, this.#row.result(content), { start, end, index: panes, timing, last });
    if (last) {
      ctx.map('sessions').delete(start);
      return;
    }
    const shown = { end, pending: false, panes: panes + 1 };
    ctx.map('sessions').set(start, this.#discarding ? shown : { ...shown, content });
    this.#armRemoval(start, end, ctx);
  }

  #remove(start: EventTime, ctx: SessionContext<T>): void {
    ctx.map('sessions').delete(start);
    ctx.clearTimer(String(start));
  }

  #armRemoval(start: EventTime, end: EventTime, ctx: SessionContext<T>): void {
    ctx.setTimer(String(start), Math.min(end + this.#latenessMs, Number.MAX_SAFE_INTEGER));
  }
}

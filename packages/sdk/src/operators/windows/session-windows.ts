/**
 * Session windows of one key (N2).
 *
 * Owns: its sessions (`session-store.ts`) and one timer a session, tagged with its start: at its end while it
 * has something to fire, then at `end + lateness`, where it is removed.
 *
 * Invariants:
 * - S1 Sessions of a key do not overlap; they may touch. Every one is at least a gap long.
 * - S2 A session with `pending` has content that no pane has shown and a timer at its end; one without has
 *   had a pane for every record and a timer at `end + lateness`.
 * - S3 A late record counts with the session that it would be in: it is dropped when that whole session would
 *   be past its lateness, and then joins nothing (two dropped records never make a session).
 */

import type { EventTime, Pane, StreamRecord, Timer } from '../../api.ts';
import type { Row } from '../aggregates/row.ts';
import { dropLate, holdOf, isExpired, producePane, refuseRetraction } from './pane-output.ts';
import {
  deleteSession,
  joinedContent,
  overlappingSessions,
  readSession,
  type Session,
  type SessionContext,
  writeSession,
} from './session-store.ts';
import type { SessionWindow } from './window.ts';
import type { WindowedAggregate } from './windowed-aggregate.ts';

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
    if (record.pane?.retracts === true) refuseRetraction();
    const alone = record.timestamp + this.#gapMs;
    const joined = overlappingSessions(record.timestamp, alone, ctx);
    const end = Math.max(alone, joined[0]?.end ?? alone);
    if (record.late && isExpired(end, this.#latenessMs, ctx.watermark)) {
      dropLate(ctx, record);
      return;
    }
    const session = this.#join(record, end, joined);
    // Of two, also the one whose start stays: it may be the newest from now on, and is stored elsewhere then.
    if (joined.length > 1 || joined[0]?.start !== session.start) this.#leave(joined, session, ctx);
    const pending = joined.find((each) => each.pending);
    if (record.late && isExpired(end, 0, ctx.watermark) && pending === undefined) {
      this.#produce(session, 'late', ctx);
      return;
    }
    writeSession(session, ctx);
    if (pending?.start !== session.start || pending.end !== end) {
      ctx.setTimer(String(session.start), end, holdOf(end));
    }
  }

  processTimer(timer: Timer, ctx: SessionContext<T>): void {
    // Set by `TriggeredSessions`, before a deploy that took the trigger away (Y2).
    if (timer.clock === 'wall') return;
    const session = readSession(Number(timer.tag), ctx);
    if (session === undefined) return;
    if (session.pending && session.content !== undefined) this.#produce(session, 'on-time', ctx);
    else if (isExpired(session.end, this.#latenessMs, timer.time)) deleteSession(session.start, ctx);
    else this.#armRemoval(session, ctx);
  }

  #join(record: StreamRecord<T>, end: EventTime, joined: readonly Session[]): Session {
    const start = Math.min(record.timestamp, joined.at(-1)?.start ?? record.timestamp);
    const panes = Math.max(0, ...joined.map((each) => each.panes));
    const content = joinedContent(joined, this.#row);
    const total =
      content === undefined ? this.#row.first(record.value) : this.#row.add(content, record.value);
    return { start, end, pending: true, panes, content: total };
  }

  #produce(session: Session, timing: Pane['timing'], ctx: SessionContext<T>): void {
    const { start, end, panes, content } = session;
    const last = isExpired(end, this.#latenessMs, ctx.watermark);
    producePane(ctx, this.#row.result(content), { start, end, index: panes, timing, last });
    if (last) {
      deleteSession(start, ctx);
      return;
    }
    const shown = { start, end, pending: false, panes: panes + 1 };
    writeSession(this.#discarding ? shown : { ...shown, content }, ctx);
    this.#armRemoval(session, ctx);
  }

  #leave(joined: readonly Session[], session: Session, ctx: SessionContext<T>): void {
    for (const { start } of joined) {
      deleteSession(start, ctx);
      if (start !== session.start) ctx.clearTimer(String(start));
    }
  }

  #armRemoval({ start, end }: Session, ctx: SessionContext<T>): void {
    ctx.setTimer(String(start), Math.min(end + this.#latenessMs, Number.MAX_SAFE_INTEGER));
  }
}

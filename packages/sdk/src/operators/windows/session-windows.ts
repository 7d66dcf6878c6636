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

import type { Pane, StreamRecord, Timer } from '../../api.ts';
import { holdOf, isExpired, producePane } from './pane-output.ts';
import {
  deleteSession,
  readSession,
  type Session,
  type SessionContext,
  writeSession,
} from './session-store.ts';
import { SessionsOfKey } from './sessions-of-key.ts';

export class SessionWindows<T> extends SessionsOfKey<T> {
  processRecord(record: StreamRecord<T>, ctx: SessionContext<T>): void {
    const gathered = this.gather(record, ctx);
    if (gathered === undefined) return;
    const { joined, end } = gathered;
    const session = { ...this.grown(record, gathered), pending: true };
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
    else if (isExpired(session.end, this.latenessMs, timer.time)) deleteSession(session.start, ctx);
    else this.armRemoval(session, ctx);
  }

  #produce(session: Session, timing: Pane['timing'], ctx: SessionContext<T>): void {
    const { start, end, panes, content } = session;
    const last = isExpired(end, this.latenessMs, ctx.watermark);
    producePane(ctx, this.row.result(content), { start, end, index: panes, timing, last });
    if (last) {
      deleteSession(start, ctx);
      return;
    }
    const shown = { start, end, pending: false, panes: panes + 1 };
    writeSession(this.discarding ? shown : { ...shown, content }, ctx);
    this.armRemoval(session, ctx);
  }

  #leave(joined: readonly Session[], session: Session, ctx: SessionContext<T>): void {
    for (const { start } of joined) {
      deleteSession(start, ctx);
      if (start !== session.start) ctx.clearTimer(String(start));
    }
  }
}

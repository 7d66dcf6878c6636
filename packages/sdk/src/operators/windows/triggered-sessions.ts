/**
 * Session windows with a trigger; `SessionWindows` is the same without.
 *
 * Owns: what `SessionWindows` owns, in the same form, so that either goes on where the other stopped (Y2); with each
 * session its `Firing`, and a timer on the wall clock, tagged with its start, where time will make a pane due.
 *
 * Invariants beside those of `SessionWindows`:
 * - TS1 `pending`: the session's on-time pane is to come, and a timer is at its end, whatever early panes have shown.
 * - TS2 A session that grows has its pane taken back in the same call: behind its end that pane could not be any more.
 */

import type { StreamRecord, Timer } from '../../api.ts';
import { type Firing, FiringRules, type Phase } from './firing.ts';
import { holdOf, isExpired } from './pane-output.ts';
import {
  deleteSession,
  readSession,
  type Session,
  type SessionContext,
  writeSession,
} from './session-store.ts';
import { type Gathered, SessionsOfKey } from './sessions-of-key.ts';
import type { SessionWindow } from './window.ts';
import type { TriggeredAggregate } from './windowed-aggregate.ts';

type WithFiring = Session & { readonly firing: Firing };

export class TriggeredSessions<T> extends SessionsOfKey<T> {
  readonly #rules: FiringRules<T>;
  readonly #retracting: boolean;

  constructor(operator: TriggeredAggregate<T, SessionWindow>) {
    super(operator);
    this.#rules = new FiringRules(operator);
    this.#retracting = operator.retracting;
  }

  processRecord(record: StreamRecord<T>, ctx: SessionContext<T>): void {
    const gathered = this.gather(record, ctx);
    if (gathered === undefined) return;
    const { joined, end } = gathered;
    const isPending = joined.some(({ pending }) => pending);
    const isPast = isExpired(end, 0, ctx.watermark);
    const phase: Phase = isPending || !(record.late && isPast) ? 'early' : 'late';
    let session = this.#join(record, gathered, phase, ctx);
    this.#leave(joined, session, ctx);
    if (!(phase === 'early' && isPast) && this.#rules.isDue(session.firing, phase, ctx.now)) {
      session = this.#show(session, phase, phase, ctx);
    }
    writeSession(session, ctx);
    this.#wakeLater(session, phase, ctx);
    if (phase === 'late') this.armRemoval(session, ctx);
    else ctx.setTimer(String(session.start), end, holdOf(end));
  }

  processTimer(timer: Timer, ctx: SessionContext<T>): void {
    const session = readSession(Number(timer.tag), ctx);
    if (session === undefined) return;
    if (timer.clock === 'wall') this.#wake(session, ctx);
    else if (session.pending) this.#fire(session, ctx);
    else if (isExpired(session.end, this.latenessMs, timer.time)) this.#remove(session, ctx);
    else this.armRemoval(session, ctx);
  }

  #join(record: StreamRecord<T>, gathered: Gathered, phase: Phase, ctx: SessionContext<T>): WithFiring {
    const { now } = ctx;
    const { joined, end } = gathered;
    const grown = this.grown(record, gathered);
    const firings = joined.map((each) => this.#firingOf(each, phase, now));
    const [only] = joined;
    const stays = joined.length === 1 && only?.start === grown.start && only.end === end;
    if (!stays && this.#retracting) for (const each of firings) this.#rules.takeBack(each, ctx);
    const firing = stays ? firings[0] : this.#rules.merged(firings, phase);
    return { ...grown, pending: phase === 'early', firing: this.#rules.taken(firing, phase, now) };
  }

  /** A session from before there was a trigger has shown nothing as long as it is pending. */
  #firingOf({ firing, pending, content }: Session, phase: Phase, now: number): Firing {
    const known = firing ?? { ...this.#rules.blank(phase), fresh: pending && content !== undefined };
    return this.#rules.current(firing === undefined ? { ...known, by: '' } : known, phase, now);
  }

  #fire(session: Session, ctx: SessionContext<T>): void {
    const firing = this.#firingOf(session, 'early', ctx.now);
    let next: WithFiring = { ...session, firing };
    if (firing.fresh || (this.#rules.onTimeAlways && session.content !== undefined)) {
      next = this.#show(next, 'early', 'on-time', ctx);
    }
    if (isExpired(session.end, this.latenessMs, ctx.watermark)) {
      this.#remove(session, ctx);
      return;
    }
    writeSession({ ...next, pending: false, firing: this.#rules.blank('late', next.firing) }, ctx);
    ctx.clearTimer(String(session.start), 'wall');
    this.armRemoval(session, ctx);
  }

  #show(
    session: WithFiring,
    phase: Phase,
    timing: 'early' | 'on-time' | 'late',
    ctx: SessionContext<T>,
  ): WithFiring {
    const { start, end, panes, content, pending } = session;
    const last = timing !== 'early' && isExpired(end, this.latenessMs, ctx.watermark);
    const pane = { start, end, index: panes, timing, last };
    const firing = this.#rules.show(session.firing, phase, content, pane, ctx);
    const shown = { start, end, pending, panes: firing.panes, firing };
    return this.discarding ? shown : { ...shown, content };
  }

  #wake(before: Session, ctx: SessionContext<T>): void {
    const phase = before.pending ? 'early' : 'late';
    if (isExpired(before.end, before.pending ? 0 : this.latenessMs, ctx.watermark)) return;
    let session: WithFiring = { ...before, firing: this.#firingOf(before, phase, ctx.now) };
    if (this.#rules.isDue(session.firing, phase, ctx.now)) session = this.#show(session, phase, phase, ctx);
    writeSession(session, ctx);
    this.#wakeLater(session, phase, ctx);
  }

  #wakeLater({ start, end, firing }: WithFiring, phase: Phase, ctx: SessionContext<T>): void {
    const at = this.#rules.wakeAt(firing, phase);
    // Behind the end its pane is a late one, which only a hold lets through.
    if (at === undefined) ctx.clearTimer(String(start), 'wall');
    else ctx.setTimer(String(start), at, { clock: 'wall', ...(phase === 'late' && holdOf(end)) });
  }

  /** Of two sessions also the one whose start stays: it may be the newest from now on, and is stored elsewhere then. */
  #leave(joined: readonly Session[], session: Session, ctx: SessionContext<T>): void {
    if (joined.length <= 1 && joined[0]?.start === session.start) return;
    for (const { start } of joined) {
      deleteSession(start, ctx);
      ctx.clearTimer(String(start));
      ctx.clearTimer(String(start), 'wall');
    }
  }

  #remove({ start }: Session, ctx: SessionContext<T>): void {
    deleteSession(start, ctx);
    ctx.clearTimer(String(start), 'wall');
  }
}

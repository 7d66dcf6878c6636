/**
 * The sessions of one key.
 *
 * Owns: `ctx.state`, the newest session, which nearly every record belongs to (see `slice-sums.ts`); and the
 * map `sessions` (start → session) with all older ones.
 *
 * Invariant: every session in the map is older than the one in `ctx.state`. It holds because sessions do not
 * overlap and are removed oldest first.
 */

import type { Context, EventTime } from '../../api.ts';
import type { Row, RowAccumulator } from '../aggregates/row.ts';
import type { Firing } from './firing.ts';
import type { AggregateOutputs } from './pane-output.ts';

export interface Session {
  readonly start: EventTime;
  readonly end: EventTime;
  readonly pending: boolean;
  readonly panes: number;
  /** Absent where everything has been discarded. */
  readonly content?: RowAccumulator;
  /** Of sessions with a trigger. */
  readonly firing?: Firing;
}

export type SessionContext<T> = Context<
  AggregateOutputs<T, unknown>,
  Session,
  { maps: { sessions: Session } }
>;

export function readSession<T>(start: EventTime, ctx: SessionContext<T>): Session | undefined {
  const newest = ctx.state.get();
  return newest?.start === start ? newest : ctx.map('sessions').get(start);
}

/** Of a session that overlaps no other. */
export function writeSession<T>(session: Session, ctx: SessionContext<T>): void {
  const newest = ctx.state.get();
  if (newest !== undefined && session.start < newest.start) {
    ctx.map('sessions').set(session.start, session);
    return;
  }
  if (newest !== undefined && newest.start !== session.start) ctx.map('sessions').set(newest.start, newest);
  ctx.state.set(session);
}

export function deleteSession<T>(start: EventTime, ctx: SessionContext<T>): void {
  if (ctx.state.get()?.start === start) ctx.state.clear();
  else ctx.map('sessions').delete(start);
}

/** Sessions that overlap `[from, to)`, latest first; an interval of one gap overlaps at most two. */
export function overlappingSessions<T>(
  from: EventTime,
  to: EventTime,
  ctx: SessionContext<T>,
): readonly Session[] {
  const newest = ctx.state.get();
  if (newest === undefined) return [];
  if (newest.start <= from) return newest.end > from ? [newest] : [];
  const found = newest.start < to ? [newest] : [];
  for (const [, session] of ctx.map('sessions').entries({ to, reverse: true, limit: 2 })) {
    if (session.end <= from) break;
    found.push(session);
  }
  return found;
}

/** What a record makes of the sessions it lies in, without it. */
export function joinedContent(joined: readonly Session[], row: Row<never>): RowAccumulator | undefined {
  let content: RowAccumulator | undefined;
  for (const each of joined) {
    if (each.content === undefined) continue;
    content = content === undefined ? each.content : row.merge(content, each.content);
  }
  return content;
}

/**
 * Sessions: an opaque token in a cookie, of which only the hash is kept. One ends by log-out, by idling, or at
 * its absolute end.
 */
import type { Sql } from '../sql/database.ts';
import type { MemberRole } from './members.ts';

export const SESSION_IDLE_MS = 7 * 24 * 3_600_000;
export const SESSION_LONGEST_MS = 30 * 24 * 3_600_000;

const ALIVE = `s.expires_at > now() and s.last_used_at > now() - interval '1 millisecond' * ${SESSION_IDLE_MS}`;
/** $1 id, $2 token hash, $3 account, $4 workspace, $5 user agent. */
const INSERT = `
insert into millrace.sessions (id, token_hash, account, workspace, user_agent, expires_at)
values ($1, $2, $3, $4, $5, now() + interval '1 millisecond' * ${SESSION_LONGEST_MS})`;
/** $1 token hash. */
const FIND = `
select s.id, s.account, s.workspace, a.email, a.name, m.role, s.last_used_at < now() - interval '1 minute' as stale
  from millrace.sessions s
  join millrace.accounts a on a.id = s.account
  join millrace.memberships m on m.account = s.account and m.workspace = s.workspace
 where s.token_hash = $1 and ${ALIVE}`;
/** $1 id. */
const TOUCH = 'update millrace.sessions set last_used_at = now() where id = $1';
/** $1 account. */
const LIST = `
select s.id, s.user_agent as "userAgent", s.created_at as "createdAt", s.last_used_at as "lastUsedAt"
  from millrace.sessions s where s.account = $1 and ${ALIVE} order by s.last_used_at desc, s.id`;
/** $1 account, $2 id. */
const END = 'delete from millrace.sessions where account = $1 and id = $2';
/** $1 account, $2 id of the one that stays, or null. */
const END_ALL = `
delete from millrace.sessions where account = $1 and id is distinct from $2`;
const SWEEP = `
delete from millrace.sessions s where not (${ALIVE})`;

export interface SessionActor {
  readonly id: string;
  readonly account: string;
  readonly workspace: string;
  readonly email: string;
  readonly name: string;
  readonly role: MemberRole;
  /** Its last use is older than a minute: it is worth writing down that it is used. */
  readonly stale: boolean;
}

export interface SessionListing {
  readonly id: string;
  readonly userAgent: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date;
}

export interface NewSession {
  readonly id: string;
  readonly tokenHash: Uint8Array;
  readonly account: string;
  readonly workspace: string;
  readonly userAgent: string;
}

export async function insertSession(sql: Sql, session: NewSession): Promise<void> {
  const { id, tokenHash, account, workspace, userAgent } = session;
  await sql.change(INSERT, [id, tokenHash, account, workspace, userAgent]);
}

export async function findSession(sql: Sql, tokenHash: Uint8Array): Promise<SessionActor | undefined> {
  return (await sql.rows<SessionActor>(FIND, [tokenHash]))[0];
}

export async function touchSession(sql: Sql, id: string): Promise<void> {
  await sql.change(TOUCH, [id]);
}

export function listSessions(sql: Sql, account: string): Promise<SessionListing[]> {
  return sql.rows<SessionListing>(LIST, [account]);
}

export async function endSessionOf(sql: Sql, account: string, id: string): Promise<'ended' | 'not-found'> {
  return (await sql.change(END, [account, id])) === 1 ? 'ended' : 'not-found';
}

export async function endSessionsOf(sql: Sql, account: string, exceptId?: string): Promise<void> {
  await sql.change(END_ALL, [account, exceptId ?? null]);
}

export async function sweepSessions(sql: Sql): Promise<void> {
  await sql.change(SWEEP);
}

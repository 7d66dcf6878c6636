/** Who belongs to a workspace, as what. A workspace that had an owner always has one. */
import type { Sql } from '../sql/database.ts';

export type MemberRole = 'viewer' | 'editor' | 'owner';

export interface Member {
  readonly account: string;
  readonly email: string;
  readonly name: string;
  readonly role: MemberRole;
  readonly joinedAt: Date;
}

const COLUMNS = `m.account, a.email, a.name, m.role, m.joined_at as "joinedAt"`;
/** $1 workspace. */
const LIST = `
select ${COLUMNS} from millrace.memberships m join millrace.accounts a on a.id = m.account
 where m.workspace = $1 order by m.joined_at, m.account`;
/** $1 workspace, $2 account. */
const FIND = `
select ${COLUMNS} from millrace.memberships m join millrace.accounts a on a.id = m.account
 where m.workspace = $1 and m.account = $2`;
/** $1 workspace, $2 account, $3 role. */
const ADD = `
insert into millrace.memberships (workspace, account, role) values ($1, $2, $3) on conflict do nothing`;
/** $1 workspace. Two owners leaving at once wait for each other here. */
const LOCK_OWNERS = `
select account from millrace.memberships where workspace = $1 and role = 'owner' order by account for update`;
const HAS_OWNER = `select exists (select from millrace.memberships where role = 'owner') as "hasOwner"`;
/** $1 workspace, $2 account, $3 role. */
const SET_ROLE = 'update millrace.memberships set role = $3 where workspace = $1 and account = $2';
/** $1 workspace, $2 account. */
const REMOVE = 'delete from millrace.memberships where workspace = $1 and account = $2';
/** $1 workspace, $2 account. Whoever is invited again later finds no old door open. */
const END_SESSIONS = 'delete from millrace.sessions where workspace = $1 and account = $2';
/** $1 workspace, $2 account. */
const REVOKE_TOKENS = 'delete from millrace.api_tokens where workspace = $1 and account = $2';

export function listMembers(sql: Sql, workspace: string): Promise<Member[]> {
  return sql.rows<Member>(LIST, [workspace]);
}

export async function findMember(sql: Sql, workspace: string, account: string): Promise<Member | undefined> {
  return (await sql.rows<Member>(FIND, [workspace, account]))[0];
}

export async function addMember(
  sql: Sql,
  workspace: string,
  account: string,
  role: MemberRole,
): Promise<void> {
  await sql.change(ADD, [workspace, account, role]);
}

export async function hasOwner(sql: Sql): Promise<boolean> {
  return (await sql.rows<{ hasOwner: boolean }>(HAS_OWNER))[0]!.hasOwner;
}

export type MemberChange = 'changed' | 'not-member' | 'last-owner';

/** Inside a transaction. `role` undefined: the member leaves. */
export async function changeMember(
  sql: Sql,
  workspace: string,
  account: string,
  role: MemberRole | undefined,
): Promise<MemberChange> {
  const owners = await sql.rows<{ account: string }>(LOCK_OWNERS, [workspace]);
  const isLastOwner = owners.length === 1 && owners[0]!.account === account;
  if (isLastOwner && role !== 'owner') return 'last-owner';
  if (role === undefined) return removeMember(sql, workspace, account);
  return (await sql.change(SET_ROLE, [workspace, account, role])) === 1 ? 'changed' : 'not-member';
}

async function removeMember(sql: Sql, workspace: string, account: string): Promise<MemberChange> {
  if ((await sql.change(REMOVE, [workspace, account])) === 0) return 'not-member';
  await sql.change(END_SESSIONS, [workspace, account]);
  await sql.change(REVOKE_TOKENS, [workspace, account]);
  return 'changed';
}

/** Invitations: single-use links into a workspace, with a role. */
import type { Sql } from '../sql/database.ts';
import type { MemberRole } from './members.ts';

export const INVITATION_VALID_MS = 7 * 24 * 3_600_000;

/** $1 id, $2 workspace, $3 secret hash, $4 role, $5 e-mail or null, $6 invited by. */
const INSERT = `
insert into millrace.invitations (id, workspace, secret_hash, role, email, invited_by, expires_at)
values ($1, $2, $3, $4, $5, $6, now() + interval '1 millisecond' * ${INVITATION_VALID_MS})
returning expires_at as "expiresAt"`;
/** $1 workspace. */
const LIST = `
select i.id, i.role, i.email, a.name as "invitedBy", i.created_at as "createdAt", i.expires_at as "expiresAt"
  from millrace.invitations i left join millrace.accounts a on a.id = i.invited_by
 where i.workspace = $1 and i.used_at is null and i.expires_at > now() order by i.created_at desc, i.id`;
/** $1 workspace, $2 id. */
const REVOKE = 'delete from millrace.invitations where workspace = $1 and id = $2 and used_at is null';
/** $1 secret hash. */
const FIND = `
select i.id, i.workspace, w.name as "workspaceName", i.role, i.email
  from millrace.invitations i join millrace.workspaces w on w.id = i.workspace
 where i.secret_hash = $1 and i.used_at is null and i.expires_at > now()`;
/** $1 id. */
const USE = `
update millrace.invitations set used_at = now() where id = $1 and used_at is null and expires_at > now()`;

export interface NewInvitation {
  readonly id: string;
  readonly workspace: string;
  readonly secretHash: Uint8Array;
  readonly role: MemberRole;
  readonly email: string | undefined;
  readonly invitedBy: string;
}

export interface InvitationListing {
  readonly id: string;
  readonly role: MemberRole;
  readonly email: string | null;
  readonly invitedBy: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

export interface OpenInvitation {
  readonly id: string;
  readonly workspace: string;
  readonly workspaceName: string;
  readonly role: MemberRole;
  readonly email: string | null;
}

export async function insertInvitation(sql: Sql, invitation: NewInvitation): Promise<Date> {
  const { id, workspace, secretHash, role, email, invitedBy } = invitation;
  const values = [id, workspace, secretHash, role, email ?? null, invitedBy];
  return (await sql.rows<{ expiresAt: Date }>(INSERT, values))[0]!.expiresAt;
}

export function listInvitations(sql: Sql, workspace: string): Promise<InvitationListing[]> {
  return sql.rows<InvitationListing>(LIST, [workspace]);
}

export async function revokeInvitation(
  sql: Sql,
  workspace: string,
  id: string,
): Promise<'revoked' | 'not-found'> {
  return (await sql.change(REVOKE, [workspace, id])) === 1 ? 'revoked' : 'not-found';
}

export async function findInvitation(sql: Sql, secretHash: Uint8Array): Promise<OpenInvitation | undefined> {
  return (await sql.rows<OpenInvitation>(FIND, [secretHash]))[0];
}

/** Of two that use a link at once, one is told `spent`. */
export async function useInvitation(sql: Sql, id: string): Promise<'used' | 'spent'> {
  return (await sql.change(USE, [id])) === 1 ? 'used' : 'spent';
}

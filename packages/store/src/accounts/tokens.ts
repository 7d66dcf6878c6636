/** API tokens: named, scoped, optionally good for one pipeline only. They act for the account that made them. */
import type { Sql } from '../sql/database.ts';
import type { MemberRole } from './members.ts';

/** $1 id, $2 workspace, $3 account, $4 name, $5 token hash, $6 scopes, $7 pipeline or null, $8 lifetime in ms or null. */
const INSERT = `
insert into millrace.api_tokens (id, workspace, account, name, token_hash, scopes, pipeline, expires_at)
values ($1, $2, $3, $4, $5, $6, $7, now() + interval '1 millisecond' * $8::float8)`;
/** $1 token hash. */
const FIND = `
select t.id, t.name, t.account, t.workspace, t.scopes, t.pipeline, m.role,
       coalesce(t.last_used_at < now() - interval '1 minute', true) as stale
  from millrace.api_tokens t
  join millrace.memberships m on m.account = t.account and m.workspace = t.workspace
 where t.token_hash = $1 and (t.expires_at is null or t.expires_at > now())`;
/** $1 id. */
const TOUCH = 'update millrace.api_tokens set last_used_at = now() where id = $1';
/** $1 workspace, $2 account or null for all. */
const LIST = `
select t.id, t.name, t.account, a.name as "accountName", t.scopes, t.pipeline, t.created_at as "createdAt",
       t.last_used_at as "lastUsedAt", t.expires_at as "expiresAt"
  from millrace.api_tokens t join millrace.accounts a on a.id = t.account
 where t.workspace = $1 and ($2::text is null or t.account = $2) order by t.created_at desc, t.id`;
/** $1 workspace, $2 id, $3 account or null for anybody's. */
const REVOKE = `
delete from millrace.api_tokens
 where workspace = $1 and id = $2 and ($3::text is null or account = $3) returning name`;

export interface NewToken {
  readonly id: string;
  readonly workspace: string;
  readonly account: string;
  readonly name: string;
  readonly tokenHash: Uint8Array;
  readonly scopes: readonly string[];
  readonly pipeline: string | undefined;
  /** Undefined: until it is revoked. */
  readonly validMs: number | undefined;
}

export interface FoundToken {
  readonly id: string;
  readonly name: string;
  readonly account: string;
  readonly workspace: string;
  readonly scopes: readonly string[];
  readonly pipeline: string | null;
  /** Of the account it acts for, now. */
  readonly role: MemberRole;
  readonly stale: boolean;
}

export interface TokenListing {
  readonly id: string;
  readonly name: string;
  readonly account: string;
  readonly accountName: string;
  readonly scopes: readonly string[];
  readonly pipeline: string | null;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
  readonly expiresAt: Date | null;
}

export async function insertToken(sql: Sql, token: NewToken): Promise<void> {
  const { id, workspace, account, name, tokenHash, scopes, pipeline, validMs } = token;
  const values = [id, workspace, account, name, tokenHash, [...scopes], pipeline ?? null, validMs ?? null];
  await sql.change(INSERT, values);
}

export async function findToken(sql: Sql, tokenHash: Uint8Array): Promise<FoundToken | undefined> {
  return (await sql.rows<FoundToken>(FIND, [tokenHash]))[0];
}

export async function touchToken(sql: Sql, id: string): Promise<void> {
  await sql.change(TOUCH, [id]);
}

/** Without `account`: everybody's. */
export function listTokens(sql: Sql, workspace: string, account?: string): Promise<TokenListing[]> {
  return sql.rows<TokenListing>(LIST, [workspace, account ?? null]);
}

/** The token's name; undefined when there is none (of that account). */
export async function revokeToken(
  sql: Sql,
  workspace: string,
  id: string,
  account?: string,
): Promise<string | undefined> {
  return (await sql.rows<{ name: string }>(REVOKE, [workspace, id, account ?? null]))[0]?.name;
}

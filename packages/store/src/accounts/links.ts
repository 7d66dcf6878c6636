/** The operator's single-use links: one makes an owner, one sets a new password. */
import type { Sql } from '../sql/database.ts';

export const LINK_VALID_MS = 24 * 3_600_000;

/** $1 secret hash, $2 kind, $3 account or null. */
const INSERT = `
insert into millrace.account_links (secret_hash, kind, account, expires_at)
values ($1, $2, $3, now() + interval '1 millisecond' * ${LINK_VALID_MS})`;
/** $1 secret hash, $2 kind. */
const FIND = `
select account from millrace.account_links
 where secret_hash = $1 and kind = $2 and used_at is null and expires_at > now()`;
/** $1 secret hash, $2 kind. */
const USE = `
update millrace.account_links set used_at = now()
 where secret_hash = $1 and kind = $2 and used_at is null and expires_at > now()
returning account`;
/** An owner exists: links that lie about in old terminals make no second one. */
const VOID_SETUP = "delete from millrace.account_links where kind = 'setup' and used_at is null";
/** $1 account. */
const VOID_PASSWORD = 'delete from millrace.account_links where account = $1 and used_at is null';

export type LinkKind = 'setup' | 'password';
export interface Link {
  /** Of kind `password`. */
  readonly account: string | null;
}

export async function insertLink(
  sql: Sql,
  secretHash: Uint8Array,
  kind: LinkKind,
  account?: string,
): Promise<void> {
  await sql.change(INSERT, [secretHash, kind, account ?? null]);
}

export async function findLink(sql: Sql, secretHash: Uint8Array, kind: LinkKind): Promise<Link | undefined> {
  return (await sql.rows<Link>(FIND, [secretHash, kind]))[0];
}

/** Undefined: used, expired or never made. */
export async function useLink(sql: Sql, secretHash: Uint8Array, kind: LinkKind): Promise<Link | undefined> {
  return (await sql.rows<Link>(USE, [secretHash, kind]))[0];
}

export async function voidSetupLinks(sql: Sql): Promise<void> {
  await sql.change(VOID_SETUP);
}

export async function voidPasswordLinks(sql: Sql, account: string): Promise<void> {
  await sql.change(VOID_PASSWORD, [account]);
}

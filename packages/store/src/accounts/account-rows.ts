/** Accounts. E-mail addresses come here in lower case. */
import type { Sql } from '../sql/database.ts';

/** $1 id, $2 e-mail, $3 name, $4 password hash. */
const INSERT = `
insert into millrace.accounts (id, email, name, password_hash) values ($1, $2, $3, $4) on conflict (email) do nothing`;
/** $1 e-mail. */
const BY_EMAIL = `
select id, email, name, password_hash as "passwordHash" from millrace.accounts where email = $1`;
/** $1 id. */
const BY_ID = `
select id, email, name, password_hash as "passwordHash" from millrace.accounts where id = $1`;
/** $1 id, $2 password hash. */
const SET_PASSWORD = 'update millrace.accounts set password_hash = $2 where id = $1';
/** $1 id, $2 name. */
const SET_NAME = 'update millrace.accounts set name = $2 where id = $1';

export interface Account {
  readonly id: string;
  readonly email: string;
  readonly name: string;
}

export type AccountWithPassword = Account & { readonly passwordHash: string };

export async function insertAccount(sql: Sql, account: AccountWithPassword): Promise<'made' | 'email-taken'> {
  const { id, email, name, passwordHash } = account;
  return (await sql.change(INSERT, [id, email, name, passwordHash])) === 1 ? 'made' : 'email-taken';
}

export async function accountByEmail(sql: Sql, email: string): Promise<AccountWithPassword | undefined> {
  return (await sql.rows<AccountWithPassword>(BY_EMAIL, [email]))[0];
}

export async function accountById(sql: Sql, id: string): Promise<AccountWithPassword | undefined> {
  return (await sql.rows<AccountWithPassword>(BY_ID, [id]))[0];
}

export async function setPassword(sql: Sql, id: string, passwordHash: string): Promise<void> {
  await sql.change(SET_PASSWORD, [id, passwordHash]);
}

export async function setAccountName(sql: Sql, id: string, name: string): Promise<void> {
  await sql.change(SET_NAME, [id, name]);
}

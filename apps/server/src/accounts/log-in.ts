/** Logging in, and joining with a link: everything that ends in a new session. */

import { scopesOf } from '@millrace/protocol/api';
import type { Database, Sql } from '@millrace/store';
import { accountByEmail, findMember, type Member } from '@millrace/store/accounts';
import type { Request } from 'express';
import { type AccountActor, DEFAULT_WORKSPACE } from '../http/actor.ts';
import { Problem } from '../http/problem.ts';
import { type AccountServices, audit, startSession, userAgentOf } from './account-services.ts';
import { countLogin, loginSucceeded } from './login-limits.ts';

export interface NewSession {
  /** For the cookie. */
  readonly secret: string;
  readonly actor: AccountActor;
}

/** The account of this e-mail and password, or why not. Limited, and alike for accounts that do not exist. */
export async function checkPassword(
  { database, passwords }: AccountServices,
  request: Request,
  given: { readonly email: string; readonly password: string },
): Promise<string | Problem> {
  const email = given.email.trim().toLowerCase();
  const address = request.ip ?? 'unknown';
  const refused = await countLogin(database, email, address);
  if (refused) return refused;
  const account = await accountByEmail(database, email);
  if (!(await passwords.matches(account?.passwordHash, given.password)) || !account) return wrong();
  await loginSucceeded(database, email, address);
  return account.id;
}

export async function logIn(
  services: AccountServices,
  request: Request,
  given: { readonly email: string; readonly password: string },
): Promise<NewSession | Problem> {
  const account = await checkPassword(services, request, given);
  if (account instanceof Problem) return account;
  const member = await findMember(services.database, DEFAULT_WORKSPACE, account);
  if (!member) return wrong();
  return services.database.transact(async (sql) => {
    const session = await newSession(sql, member, request);
    await audit(sql, session.actor, { action: 'session.started', target: account });
    return session;
  });
}

/** Inside a transaction. */
export async function newSession(sql: Sql, member: Member, request: Request): Promise<NewSession> {
  const workspace = DEFAULT_WORKSPACE;
  const { account, email, name, role } = member;
  const { id, secret } = await startSession(sql, { account, workspace, userAgent: userAgentOf(request) });
  const scopes = new Set(scopesOf(role));
  return { secret, actor: { kind: 'account', session: id, account, email, name, workspace, role, scopes } };
}

export async function memberOf(sql: Sql | Database, account: string): Promise<Member> {
  const member = await findMember(sql, DEFAULT_WORKSPACE, account);
  if (!member) throw new Error('whoever has just joined is a member');
  return member;
}

const wrong = (): Problem =>
  new Problem(
    401,
    'wrong-credentials',
    'E-mail or password is wrong, or the account has no access any more.',
  );

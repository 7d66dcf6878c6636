/** Making an account with a link: the first owner's, or an invitation's. */
import type { Sql } from '@millrace/store';
import {
  accountByEmail,
  addMember,
  findInvitation,
  findLink,
  insertAccount,
  type MemberRole,
  type OpenInvitation,
  useInvitation,
  useLink,
  voidSetupLinks,
} from '@millrace/store/accounts';
import type { Request } from 'express';
import { DEFAULT_WORKSPACE } from '../http/actor.ts';
import { Problem } from '../http/problem.ts';
import { type AccountServices, audit } from './account-services.ts';
import { checkPassword, memberOf, type NewSession, newSession } from './log-in.ts';
import { hashSecret, newId } from './secrets.ts';

export interface Joining {
  readonly secret: string;
  /** In lower case. */
  readonly email: string;
  readonly name?: string | undefined;
  readonly password: string;
}

/** Thrown inside a transaction to undo it. */
const spent = (): Problem =>
  new Problem(
    410,
    'link-not-valid',
    'The link was used already, was taken back, or is too old. Ask for a new one.',
  );
const emailTaken = (): Problem =>
  new Problem(
    409,
    'email-taken',
    'There is an account with this e-mail address. Log in, or use its password here.',
  );

/** The owner's link. */
export async function setUp(
  services: AccountServices,
  request: Request,
  joining: Joining,
): Promise<NewSession | Problem> {
  const { database, passwords } = services;
  const secretHash = hashSecret(joining.secret);
  if (!(await findLink(database, secretHash, 'setup'))) return spent();
  const passwordHash = await passwords.hash(joining.password);
  return database.transact(async (sql) => {
    if (!(await useLink(sql, secretHash, 'setup'))) throw spent();
    const account = await makeAccount(sql, joining, passwordHash, 'owner');
    await voidSetupLinks(sql);
    return joined(sql, account, request, 'owner.made');
  });
}

/** An invitation. Whoever has an account already joins with its password. */
export async function accept(
  services: AccountServices,
  request: Request,
  joining: Joining,
): Promise<NewSession | Problem> {
  const { database, passwords } = services;
  const invitation = await findInvitation(database, hashSecret(joining.secret));
  if (!invitation) return spent();
  if (invitation.email !== null && invitation.email !== joining.email)
    return new Problem(422, 'other-email', 'This invitation is for another e-mail address.');
  if (await accountByEmail(database, joining.email))
    return acceptAsKnown(services, request, joining, invitation);
  const passwordHash = await passwords.hash(joining.password);
  return database.transact(async (sql) => {
    if ((await useInvitation(sql, invitation.id)) === 'spent') throw spent();
    const account = await makeAccount(sql, joining, passwordHash, invitation.role);
    return joined(sql, account, request, 'member.joined', invitation);
  });
}

async function acceptAsKnown(
  services: AccountServices,
  request: Request,
  joining: Joining,
  invitation: OpenInvitation,
): Promise<NewSession | Problem> {
  const account = await checkPassword(services, request, joining);
  if (account instanceof Problem) return account.status === 401 ? emailTaken() : account;
  return services.database.transact(async (sql) => {
    if ((await useInvitation(sql, invitation.id)) === 'spent') throw spent();
    await addMember(sql, invitation.workspace, account, invitation.role);
    return joined(sql, account, request, 'member.joined', invitation);
  });
}

async function makeAccount(
  sql: Sql,
  joining: Joining,
  passwordHash: string,
  role: MemberRole,
): Promise<string> {
  const id = newId('a');
  const { email } = joining;
  const name = joining.name ?? email.slice(0, email.indexOf('@')).slice(0, 100);
  if ((await insertAccount(sql, { id, email, name, passwordHash })) === 'email-taken') throw emailTaken();
  await addMember(sql, DEFAULT_WORKSPACE, id, role);
  return id;
}

async function joined(
  sql: Sql,
  account: string,
  request: Request,
  action: string,
  invitation?: OpenInvitation,
): Promise<NewSession> {
  const session = await newSession(sql, await memberOf(sql, account), request);
  const detail = { role: session.actor.role, ...(invitation && { invitation: invitation.id }) };
  await audit(sql, session.actor, { action, target: account, detail });
  return session;
}

/** One's own account: log-in, sessions, password. */
import {
  accountById,
  changeMember,
  endSessionOf,
  endSessionsOf,
  findLink,
  listSessions,
  setAccountName,
  setPassword,
  useLink,
  voidPasswordLinks,
} from '@millrace/store/accounts';
import type { Bind, Feature } from '../http/handler.ts';
import { notFound, Problem } from '../http/problem.ts';
import { type AccountServices, audit, loggedIn, me, person } from './account-services.ts';
import { accept, setUp } from './join.ts';
import { logIn } from './log-in.ts';
import { lastOwner } from './member-problems.ts';
import { hashSecret } from './secrets.ts';

export function accountFeature(services: AccountServices): Feature {
  return (bind) => {
    bindEntrances(bind, services);
    bindSelf(bind, services);
    bindPasswords(bind, services);
    bindSessions(bind, services);
  };
}

function bindEntrances(bind: Bind, services: AccountServices): void {
  bind('account.setup', async ({ body, request, response }) => {
    const made = await setUp(services, request, body);
    return made instanceof Problem ? made : loggedIn(services, response, made);
  });
  bind('account.login', async ({ body, request, response }) => {
    const made = await logIn(services, request, body);
    return made instanceof Problem ? made : loggedIn(services, response, made);
  });
  bind('invitations.accept', async ({ body, request, response }) => {
    const made = await accept(services, request, body);
    if (made instanceof Problem) return made;
    services.access.tell({ kind: 'account', account: made.actor.account });
    return loggedIn(services, response, made);
  });
}

function bindSelf(bind: Bind, { database, access, cookie }: AccountServices): void {
  bind('account.me', async ({ actor }) => {
    if (actor.kind === 'nobody') throw new Error('this route is for those who are logged in');
    return me(database, actor);
  });
  bind('account.rename', async ({ actor, body }) => {
    await database.transact(async (sql) => {
      await setAccountName(sql, person(actor).account, body.name);
      await audit(sql, actor, {
        action: 'account.renamed',
        target: person(actor).account,
        detail: { ...body },
      });
    });
    access.tell({ kind: 'account', account: person(actor).account });
  });
  bind('account.leave', async ({ actor, response }) => {
    const { account, workspace } = person(actor);
    const outcome = await database.transact(async (sql) => {
      const changed = await changeMember(sql, workspace, account, undefined);
      if (changed === 'changed') await audit(sql, actor, { action: 'member.left', target: account });
      return changed;
    });
    if (outcome === 'last-owner') return lastOwner();
    access.tell({ kind: 'account', account });
    cookie.clear(response);
  });
}

function bindPasswords(bind: Bind, { database, passwords, access }: AccountServices): void {
  bind('account.change-password', async ({ actor, body }) => {
    const { account, session } = person(actor);
    const stored = await accountById(database, account);
    if (!(await passwords.matches(stored?.passwordHash, body.current)))
      return new Problem(422, 'wrong-password', 'The current password is not this one.');
    const passwordHash = await passwords.hash(body.next);
    await database.transact(async (sql) => {
      await setPassword(sql, account, passwordHash);
      await endSessionsOf(sql, account, session);
      await voidPasswordLinks(sql, account);
      await audit(sql, actor, { action: 'account.password-changed', target: account });
    });
    access.tell({ kind: 'account', account });
  });
  bind('account.reset-password', async ({ actor, body }) => {
    const secretHash = hashSecret(body.secret);
    // Nobody without a link makes us compute.
    if (!(await findLink(database, secretHash, 'password'))) return spentLink();
    const passwordHash = await passwords.hash(body.password);
    const account = await database.transact(async (sql) => {
      const link = await useLink(sql, secretHash, 'password');
      if (!link?.account) return undefined;
      await setPassword(sql, link.account, passwordHash);
      await endSessionsOf(sql, link.account);
      await voidPasswordLinks(sql, link.account);
      await audit(sql, actor, { action: 'account.password-reset', target: link.account });
      return link.account;
    });
    if (account === undefined) return spentLink();
    access.tell({ kind: 'account', account });
  });
}

const spentLink = (): Problem =>
  new Problem(410, 'link-not-valid', 'The link was used already or is too old.');

function bindSessions(bind: Bind, { database, access, cookie }: AccountServices): void {
  bind('account.logout', async ({ actor, response }) => {
    const { account, session } = person(actor);
    await endSessionOf(database, account, session);
    access.tell({ kind: 'session', session });
    cookie.clear(response);
  });
  bind('sessions.list', async ({ actor }) => {
    const { account, session } = person(actor);
    const items = await listSessions(database, account);
    return {
      items: items.map(({ id, userAgent, createdAt, lastUsedAt }) => ({
        id,
        userAgent,
        current: id === session,
        createdAt: createdAt.getTime(),
        lastUsedAt: lastUsedAt.getTime(),
      })),
    };
  });
  bind('sessions.end', async ({ actor, params }) => {
    const ended = await endSessionOf(database, person(actor).account, params.session);
    if (ended === 'not-found') return notFound('session');
    access.tell({ kind: 'session', session: params.session });
  });
  bind('sessions.end-all', async ({ actor, response }) => {
    const { account } = person(actor);
    await endSessionsOf(database, account);
    access.tell({ kind: 'account', account });
    cookie.clear(response);
  });
}

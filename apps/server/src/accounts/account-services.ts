/** What the handlers of accounts, members and tokens share. */
import type { Database, Sql } from '@millrace/store';
import {
  type AuditActor,
  type AuditEntry,
  findWorkspace,
  insertSession,
  recordAudit,
} from '@millrace/store/accounts';
import type { Request, Response } from 'express';
import type { AccountActor, Actor } from '../http/actor.ts';
import type { Site } from '../http/site.ts';
import type { AccessChanges } from './access-changes.ts';
import type { Passwords } from './passwords.ts';
import { hashSecret, newId, newSecret } from './secrets.ts';
import type { SessionCookie } from './session-cookie.ts';

export interface AccountServices {
  readonly database: Database;
  readonly site: Site;
  readonly cookie: SessionCookie;
  readonly passwords: Passwords;
  readonly access: AccessChanges;
}

export interface NewLogin {
  readonly account: string;
  readonly workspace: string;
  readonly userAgent: string;
}

const LONGEST_USER_AGENT = 200;

export const userAgentOf = (request: Request): string =>
  (request.headers['user-agent'] ?? '').slice(0, LONGEST_USER_AGENT);

/** `secret` is for the cookie. The session is there when the transaction is. */
export async function startSession(sql: Sql, login: NewLogin): Promise<{ id: string; secret: string }> {
  const id = newId('k');
  const secret = newSecret();
  await insertSession(sql, { id, tokenHash: hashSecret(secret), ...login });
  return { id, secret };
}

export function auditActor(actor: Actor): AuditActor {
  if (actor.kind === 'nobody') return { kind: 'system' };
  const id = actor.kind === 'account' ? actor.account : actor.token;
  return { kind: actor.kind, id, name: actor.name };
}

/** Records what an actor did; call it with the transaction of the change. */
export function audit(sql: Sql, actor: Actor, entry: Omit<AuditEntry, 'workspace' | 'actor'>): Promise<void> {
  return recordAudit(sql, { workspace: actor.workspace, actor: auditActor(actor), ...entry });
}

/** The table lets only people to these routes. */
export function person(actor: Actor): AccountActor {
  if (actor.kind !== 'account') throw new Error('this route is for people');
  return actor;
}

/** The address under which whoever asks reaches this server. */
export function ownAddress({ site }: Pick<AccountServices, 'site'>, request: Request): string {
  return site.publicOrigin ?? `http://${request.headers.host}`;
}

export async function me(database: Database, actor: Exclude<Actor, { kind: 'nobody' }>) {
  const workspace = await findWorkspace(database, actor.workspace);
  const isAccount = actor.kind === 'account';
  return {
    kind: actor.kind,
    account: { id: actor.account, email: isAccount ? actor.email : null, name: actor.name },
    workspace: { id: actor.workspace, name: workspace?.name ?? '' },
    role: isAccount ? actor.role : null,
    scopes: [...actor.scopes],
    pipeline: isAccount ? null : (actor.pipeline ?? null),
  };
}

/** Sets the cookie of a session just made and answers who one is now. */
export async function loggedIn(
  { cookie, database }: AccountServices,
  response: Response,
  { secret, actor }: { readonly secret: string; readonly actor: AccountActor },
) {
  cookie.write(response, secret);
  return me(database, actor);
}

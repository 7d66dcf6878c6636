/** The team: members, invitations, the workspace, the audit log. */
import {
  changeMember,
  findInvitation,
  findMember,
  INVITATION_VALID_MS,
  insertInvitation,
  LINK_VALID_MS,
  listAudit,
  listInvitations,
  listMembers,
  type MemberRole,
  renameWorkspace,
  revokeInvitation,
} from '@millrace/store/accounts';
import { decodeCursor, pageFrom } from '../http/cursor.ts';
import type { Bind, Call, Feature } from '../http/handler.ts';
import { notFound, Problem } from '../http/problem.ts';
import { type AccountServices, audit, ownAddress } from './account-services.ts';
import { linkUrl, makePasswordLink } from './links.ts';
import { lastOwner } from './member-problems.ts';
import { hashSecret, newId, newSecret } from './secrets.ts';

export function memberFeature(services: AccountServices): Feature {
  return (bind) => {
    bindMembers(bind, services);
    bindInvitations(bind, services);
    bindWorkspace(bind, services);
  };
}

function bindMembers(bind: Bind, services: AccountServices): void {
  const { database } = services;
  bind('members.list', async ({ workspace }) => {
    const members = await listMembers(database, workspace);
    return { items: members.map(({ joinedAt, ...member }) => ({ ...member, joinedAt: joinedAt.getTime() })) };
  });
  bind('members.change-role', (call) => change(services, call, call.params.account, call.body.role));
  bind('members.remove', (call) => change(services, call, call.params.account, undefined));
  bind('members.password-link', async ({ actor, params, request, workspace }) => {
    if (!(await findMember(database, workspace, params.account))) return notFound('member');
    const secret = await database.transact(async (sql) => {
      await audit(sql, actor, { action: 'member.password-link-made', target: params.account });
      return makePasswordLink(sql, params.account);
    });
    const url = linkUrl(ownAddress(services, request), 'password', secret);
    return { url, expiresAt: Date.now() + LINK_VALID_MS };
  });
}

async function change(
  { database, access }: AccountServices,
  { actor, workspace }: Pick<Call<'members.remove'>, 'actor' | 'workspace'>,
  account: string,
  role: MemberRole | undefined,
): Promise<undefined | Problem> {
  const outcome = await database.transact(async (sql) => {
    const changed = await changeMember(sql, workspace, account, role);
    if (changed === 'changed') {
      const action = role ? 'member.role-changed' : 'member.removed';
      await audit(sql, actor, { action, target: account, detail: role ? { role } : {} });
    }
    return changed;
  });
  if (outcome === 'not-member') return notFound('member');
  if (outcome === 'last-owner') return lastOwner();
  access.tell({ kind: 'account', account });
  return undefined;
}

function bindInvitations(bind: Bind, services: AccountServices): void {
  const { database } = services;
  bind('invitations.list', async ({ workspace }) => {
    const items = await listInvitations(database, workspace);
    return {
      items: items.map(({ createdAt, expiresAt, ...invitation }) => ({
        ...invitation,
        createdAt: createdAt.getTime(),
        expiresAt: expiresAt.getTime(),
      })),
    };
  });
  bind('invitations.create', async ({ actor, body, request, workspace }) => {
    const id = newId('i');
    const secret = newSecret();
    await database.transact(async (sql) => {
      const invitedBy = actor.kind === 'nobody' ? '' : actor.account;
      await insertInvitation(sql, {
        id,
        workspace,
        secretHash: hashSecret(secret),
        invitedBy,
        role: body.role,
        email: body.email,
      });
      await audit(sql, actor, { action: 'invitation.made', target: id, detail: { ...body } });
    });
    const url = linkUrl(ownAddress(services, request), 'invite', secret);
    return { id, url, expiresAt: Date.now() + INVITATION_VALID_MS };
  });
  bind('invitations.revoke', ({ actor, params, workspace }) =>
    database.transact(async (sql) => {
      if ((await revokeInvitation(sql, workspace, params.invitation)) === 'not-found')
        return notFound('invitation');
      await audit(sql, actor, { action: 'invitation.revoked', target: params.invitation });
      return undefined;
    }),
  );
  bind('invitations.look', async ({ body }) => {
    const found = await findInvitation(database, hashSecret(body.secret));
    if (!found)
      return new Problem(410, 'link-not-valid', 'The invitation was used, taken back, or is too old.');
    return { workspace: found.workspaceName, role: found.role, email: found.email };
  });
}

function bindWorkspace(bind: Bind, { database }: AccountServices): void {
  bind('workspace.rename', ({ actor, body, workspace }) =>
    database.transact(async (sql) => {
      await renameWorkspace(sql, workspace, body.name);
      await audit(sql, actor, { action: 'workspace.renamed', target: workspace, detail: { ...body } });
      return undefined;
    }),
  );
  bind('audit.list', async ({ query, workspace }) => {
    const { cursor, limit, target, action } = query;
    const before = decodeCursor(cursor, ['number'])?.[0];
    const events = await listAudit(database, workspace, { before, limit: limit + 1, target, action });
    const { items, next } = pageFrom(events, limit, ({ number }) => [number]);
    return { items: items.map((event) => ({ ...event, at: event.at.getTime() })), next };
  });
}

/** API tokens: made by people for programs. */
import { insertToken, listTokens, revokeToken } from '@millrace/store/accounts';
import { may } from '../http/actor.ts';
import type { Feature } from '../http/handler.ts';
import { notFound, Problem } from '../http/problem.ts';
import { type AccountServices, audit, person } from './account-services.ts';
import { hashSecret, newId, newSecret, TOKEN_PREFIX } from './secrets.ts';

const DAY_MS = 24 * 3_600_000;

export function tokenFeature({ database, access }: AccountServices): Feature {
  return (bind) => {
    bind('tokens.list', async ({ actor, query, workspace }) => {
      if (query.of === 'all' && !may(actor, 'members.manage'))
        return new Problem(403, 'not-allowed', 'Everybody’s tokens are for who manages members.');
      const account = query.of === 'all' ? undefined : person(actor).account;
      const items = await listTokens(database, workspace, account);
      return {
        items: items.map(({ createdAt, lastUsedAt, expiresAt, scopes, ...token }) => ({
          ...token,
          scopes: [...scopes],
          createdAt: createdAt.getTime(),
          lastUsedAt: lastUsedAt?.getTime() ?? null,
          expiresAt: expiresAt?.getTime() ?? null,
        })),
      };
    });
    bind('tokens.create', async ({ actor, body, workspace }) => {
      const lacking = body.scopes.filter((scope) => !may(actor, scope));
      if (lacking.length > 0)
        return new Problem(
          403,
          'not-allowed',
          `You cannot give what you do not have: ${lacking.join(', ')}.`,
        );
      const id = newId('t');
      const token = `${TOKEN_PREFIX}${newSecret()}`;
      const { name, scopes, pipeline, validDays } = body;
      const { account } = person(actor);
      const validMs = validDays === undefined ? undefined : validDays * DAY_MS;
      const tokenHash = hashSecret(token);
      await database.transact(async (sql) => {
        await insertToken(sql, { id, workspace, account, name, tokenHash, scopes, pipeline, validMs });
        await audit(sql, actor, { action: 'token.made', target: id, detail: { ...body } });
      });
      return { id, token };
    });
    bind('tokens.revoke', async ({ actor, params, workspace }) => {
      const owner = may(actor, 'members.manage') ? undefined : person(actor).account;
      const name = await database.transact(async (sql) => {
        const revoked = await revokeToken(sql, workspace, params.token, owner);
        if (revoked !== undefined)
          await audit(sql, actor, {
            action: 'token.revoked',
            target: params.token,
            detail: { name: revoked },
          });
        return revoked;
      });
      if (name === undefined) return notFound('token');
      access.tell({ kind: 'token', token: params.token });
      return undefined;
    });
  };
}

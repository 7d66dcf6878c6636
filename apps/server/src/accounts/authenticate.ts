/** Who is it? A token in `Authorization`, else a session's cookie, else nobody. Asked anew for every request. */
import { scopesOf } from '@millrace/protocol/api';
import type { Database } from '@millrace/store';
import { type FoundToken, findSession, findToken, touchSession, touchToken } from '@millrace/store/accounts';
import type { Logger } from 'pino';
import { type AccountActor, NOBODY, type TokenActor } from '../http/actor.ts';
import type { Authenticate } from '../http/create-app.ts';
import { Problem } from '../http/problem.ts';
import { hashSecret, TOKEN_PREFIX } from './secrets.ts';
import type { SessionCookie } from './session-cookie.ts';

export function authenticate(database: Database, cookie: SessionCookie, log: Logger): Authenticate {
  const note = (touched: Promise<void>) => {
    touched.catch((error) => log.warn({ err: error }, 'a last use was not written down'));
  };
  return async ({ headers }) => {
    if (headers.authorization !== undefined) {
      const secret = bearer(headers.authorization);
      const found = secret === undefined ? undefined : await findToken(database, hashSecret(secret));
      if (!found) throw badToken();
      if (found.stale) note(touchToken(database, found.id));
      return tokenActor(found);
    }
    const secret = cookie.read(headers.cookie);
    const found = secret === undefined ? undefined : await findSession(database, hashSecret(secret));
    if (!found) return NOBODY;
    if (found.stale) note(touchSession(database, found.id));
    const { id: session, stale: _stale, ...who } = found;
    return { kind: 'account', session, ...who, scopes: new Set(scopesOf(found.role)) } satisfies AccountActor;
  };
}

/** What the token was given, as far as its account may it still. */
function tokenActor(found: FoundToken): TokenActor {
  const { id: token, name, account, workspace, role, pipeline } = found;
  const scopes = new Set(scopesOf(role).filter((scope) => found.scopes.includes(scope)));
  return { kind: 'token', token, name, account, workspace, scopes, pipeline: pipeline ?? undefined };
}

function bearer(header: string): string | undefined {
  const secret = /^Bearer +([\w-]{1,200})$/i.exec(header)?.[1];
  return secret?.startsWith(TOKEN_PREFIX) ? secret : undefined;
}

const badToken = (): Problem =>
  new Problem(401, 'bad-token', 'The token is unknown, revoked or expired.', {
    headers: { 'www-authenticate': 'Bearer' },
  });

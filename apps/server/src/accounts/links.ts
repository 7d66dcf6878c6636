/** Links the operator gives out. The secret is in the fragment, which no server, proxy or log ever sees. */
import type { Sql } from '@millrace/store';
import { insertLink } from '@millrace/store/accounts';
import { hashSecret, newSecret } from './secrets.ts';

export type LinkPage = 'setup' | 'invite' | 'password';

export const linkUrl = (address: string, page: LinkPage, secret: string): string =>
  `${address}/${page}#${secret}`;

/** Gives the secret. Earlier links stay good until one of them is used. */
export async function makeSetupLink(sql: Sql): Promise<string> {
  const secret = newSecret();
  await insertLink(sql, hashSecret(secret), 'setup');
  return secret;
}

export async function makePasswordLink(sql: Sql, account: string): Promise<string> {
  const secret = newSecret();
  await insertLink(sql, hashSecret(secret), 'password', account);
  return secret;
}

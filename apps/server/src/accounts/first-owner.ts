/** The first owner: by a link that is printed, or by the environment where nobody has a browser. */
import type { Database } from '@millrace/store';
import { addMember, hasOwner, insertAccount, recordAudit, voidSetupLinks } from '@millrace/store/accounts';
import { DEFAULT_WORKSPACE } from '../http/actor.ts';
import { makeSetupLink } from './links.ts';
import type { Passwords } from './passwords.ts';
import { newId } from './secrets.ts';

export interface GivenOwner {
  /** In lower case. */
  readonly email: string;
  readonly password: string;
}

export type FirstOwner =
  | { readonly kind: 'there' }
  /** Made from what the environment says. */
  | { readonly kind: 'made'; readonly email: string }
  /** Nobody yet; this secret makes one. */
  | { readonly kind: 'wanted'; readonly secret: string };

export async function firstOwner(
  database: Database,
  passwords: Passwords,
  given: GivenOwner | undefined,
): Promise<FirstOwner> {
  if (await hasOwner(database)) return { kind: 'there' };
  if (!given) return { kind: 'wanted', secret: await makeSetupLink(database) };
  const passwordHash = await passwords.hash(given.password);
  const id = newId('a');
  const name = given.email.slice(0, given.email.indexOf('@'));
  await database.transact(async (sql) => {
    await insertAccount(sql, { id, email: given.email, name, passwordHash });
    await addMember(sql, DEFAULT_WORKSPACE, id, 'owner');
    await voidSetupLinks(sql);
    await recordAudit(sql, {
      workspace: DEFAULT_WORKSPACE,
      actor: { kind: 'system' },
      action: 'owner.made',
      target: id,
    });
  });
  return { kind: 'made', email: given.email };
}

/** `millrace owner-link` and `millrace reset-password`: for whoever has the data folder. */
import { linkUrl, makePasswordLink, makeSetupLink } from '@millrace/server';
import { accountByEmail, recordAudit } from '@millrace/store/accounts';
import type { LinkCommand } from '../command-line.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import type { Terminal } from '../terminal.ts';
import { openProductStore, type ProductStore } from './open-product-store.ts';

export async function printLink(command: LinkCommand, terminal: Terminal): Promise<ExitCode> {
  const product = await openProductStore(command.data);
  try {
    const link = await (command.kind === 'owner-link'
      ? ownerLink(product)
      : passwordLink(product, command.email));
    if (link === undefined) {
      terminal.stderr('millrace: there is no account with this e-mail address.\n');
      return exitCodes.failed;
    }
    terminal.stdout(`${link}\n`);
    const hint = product.isRunning
      ? ''
      : ' Start the server first; if it takes another port, change the link.';
    terminal.stderr(`Good once, for 24 hours.${hint}\n`);
    return exitCodes.done;
  } finally {
    await product.store.close();
  }
}

const byOperator = { workspace: 'w_default', actor: { kind: 'system' } } as const;

function ownerLink({ store, address }: ProductStore): Promise<string> {
  return store.database.transact(async (sql) => {
    await recordAudit(sql, { ...byOperator, action: 'owner.link-made' });
    return linkUrl(address, 'setup', await makeSetupLink(sql));
  });
}

function passwordLink({ store, address }: ProductStore, email: string): Promise<string | undefined> {
  return store.database.transact(async (sql) => {
    const account = await accountByEmail(sql, email.trim().toLowerCase());
    if (!account) return undefined;
    await recordAudit(sql, { ...byOperator, action: 'member.password-link-made', target: account.id });
    return linkUrl(address, 'password', await makePasswordLink(sql, account.id));
  });
}

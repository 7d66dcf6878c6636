/** The user account the server runs under: Postgres refuses to run as root. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { StoreError } from '../errors.ts';

export interface Account {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** `undefined` when this process is an ordinary user and the server simply runs as the same one. */
export function serverAccount(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const found = findAccount('postgres') ?? createAccount() ?? findAccount('nobody');
  if (found) return found;
  throw new StoreError(
    'no-account',
    'The embedded Postgres cannot run as root, and there is neither a user "postgres" nor "nobody" to run it as. ' +
      'Create one (useradd --system postgres), run as an ordinary user, or set DATABASE_URL.',
  );
}

function findAccount(name: string): Account | undefined {
  let text: string;
  try {
    text = readFileSync('/etc/passwd', 'utf8');
  } catch {
    return undefined;
  }
  for (const line of text.split('\n')) {
    const fields = line.split(':');
    const uid = Number(fields[2]);
    const gid = Number(fields[3]);
    if (fields[0] === name && uid > 0 && gid >= 0) return { name, uid, gid };
  }
  return undefined;
}

function createAccount(): Account | undefined {
  spawnSync('useradd', ['--system', '--no-create-home', '--shell', '/usr/sbin/nologin', 'postgres'], {
    stdio: 'ignore',
  });
  return findAccount('postgres');
}

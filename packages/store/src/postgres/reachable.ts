/** Whether another account may enter a folder, read from mode bits along its real path. */
import { mkdirSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Account } from './account.ts';

const SEARCH = 1;
const READ = 4;

/** True when every folder on the way, and the folder itself, can be entered by the account. */
export function mayEnter(folder: string, account: Account | undefined): boolean {
  if (!account) return true;
  let at = realpathSync(folder);
  for (;;) {
    if (!allows(at, account, SEARCH)) return false;
    const parent = path.dirname(at);
    if (parent === at) return true;
    at = parent;
  }
}

export function mayRead(file: string, account: Account | undefined): boolean {
  if (!account) return true;
  const real = realpathSync(file);
  return allows(real, account, READ) && mayEnter(path.dirname(real), account);
}

/** Makes missing folders so that others may pass through them (a umask of 077 would shut them). */
export function makePassable(folder: string): void {
  const before = process.umask(0o022);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o755 });
  } finally {
    process.umask(before);
  }
}

function allows(at: string, account: Account, bit: number): boolean {
  const stat = statSync(at);
  if (stat.uid === account.uid) return (stat.mode & (bit << 6)) !== 0;
  if (stat.gid === account.gid) return (stat.mode & (bit << 3)) !== 0;
  return (stat.mode & bit) !== 0;
}

/**
 * As root, workers run under uids of their own, which may not be able to read the installation (a clone under
 * /root). Such a file is copied once, under a name that stands for its content, to a cache that root alone can
 * write.
 */
import {
  chmodSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import path from 'node:path';
import { SandboxError } from '../sandbox-error.ts';

const CACHES = ['/var/cache/millrace', '/var/lib/millrace/cache'];
const READ = 4;
const SEARCH = 1;

/** `name` must differ whenever the content does. */
export function readableByAll(file: string, name: string, caches: readonly string[] = CACHES): string {
  if (process.getuid?.() !== 0 || othersMayRead(file)) return file;
  const problems: string[] = [];
  for (const cache of caches) {
    try {
      return copyInto(cache, file, name);
    } catch (error) {
      problems.push(`${cache}: ${(error as Error).message}`);
    }
  }
  throw new SandboxError(
    'no-copy',
    `Workers run as users of their own, who cannot read ${file}, and no copy could be made: ${problems.join('; ')}. ` +
      'Move the installation to a folder others may enter, or run as an ordinary user.',
  );
}

export function othersMayRead(file: string): boolean {
  let at = realpathSync(file);
  if ((statSync(at).mode & READ) === 0) return false;
  while (path.dirname(at) !== at) {
    at = path.dirname(at);
    if ((statSync(at).mode & SEARCH) === 0) return false;
  }
  return true;
}

function copyInto(cache: string, file: string, name: string): string {
  const before = process.umask(0o022);
  try {
    mkdirSync(cache, { recursive: true, mode: 0o755 });
  } finally {
    process.umask(before);
  }
  const stat = lstatSync(cache);
  if (!stat.isDirectory() || stat.uid !== 0 || (stat.mode & 0o022) !== 0)
    throw new Error('not a folder that only root can write');
  const target = path.join(cache, name);
  if (!existsSync(target)) {
    const part = `${target}.part-${process.pid}`;
    try {
      copyFileSync(file, part);
      chmodSync(part, 0o755);
      renameSync(part, target);
    } finally {
      rmSync(part, { force: true });
    }
  }
  if (!othersMayRead(target)) throw new Error('the copy is not readable either');
  return target;
}

/** The folder of the server's Unix socket: the cluster itself, or a short private one where its path is too long. */
import { createHash } from 'node:crypto';
import { chownSync, lstatSync, mkdirSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { StoreError } from '../errors.ts';
import type { ClusterPlace } from './cluster-place.ts';
import { PORT } from './settings.ts';

/** `sun_path` holds 108 bytes on Linux and 104 on macOS, the final NUL included. */
const LONGEST = process.platform === 'linux' ? 107 : 103;

export function socketFile(folder: string): string {
  return path.join(folder, `.s.PGSQL.${PORT}`);
}

export function chooseSocketFolder(place: ClusterPlace): string {
  if (Buffer.byteLength(socketFile(place.cluster)) <= LONGEST) return place.cluster;
  const name = createHash('sha256').update(place.cluster).digest('hex').slice(0, 16);
  for (const base of new Set([os.tmpdir(), '/tmp'])) {
    const folder = path.join(base, `millrace-${name}`);
    if (Buffer.byteLength(socketFile(folder)) <= LONGEST && makePrivate(folder, place)) return folder;
  }
  throw new StoreError(
    'unreachable-folder',
    `No folder for the Postgres socket: the path of ${place.cluster} is too long, and no private folder could be made in ${os.tmpdir()}. Give a data folder with a shorter path.`,
  );
}

function makePrivate(folder: string, place: ClusterPlace): boolean {
  const uid = place.account?.uid ?? process.getuid?.();
  try {
    mkdirSync(folder, { mode: 0o700 });
    if (place.account) chownSync(folder, place.account.uid, place.account.gid);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return false;
  }
  // Anybody may have made that name in a shared folder before us.
  const stat = lstatSync(folder);
  return stat.isDirectory() && stat.uid === uid && (stat.mode & 0o077) === 0;
}

/**
 * Where the cluster of a data folder lies.
 *
 * Normally `<data>/postgres`. As root the server runs under another account. If only the data folder itself is
 * shut to it, that folder is opened for passing through (mode o+x): it is ours. If a folder above it is shut
 * (say, /root), no permission is changed: the cluster is made under /var/lib/millrace/clusters/<random id>, and
 * `<data>/postgres.location` names it. Removing the data folder then leaves that cluster behind; the message at
 * its creation says so.
 */
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { StoreError } from '../errors.ts';
import { type Account, serverAccount } from './account.ts';
import { makePassable, mayEnter } from './reachable.ts';

export interface ClusterPlace {
  readonly cluster: string;
  readonly logFile: string;
  readonly account: Account | undefined;
}

const LAYOUT = 1;
const OUTSIDE = '/var/lib/millrace/clusters';

export function placeCluster(dataDir: string, log: (message: string) => void): ClusterPlace {
  openDataFolder(dataDir);
  const inside = path.join(dataDir, 'postgres');
  const cluster = readLocation(dataDir) ?? inside;
  if (existsSync(path.join(cluster, 'PG_VERSION'))) {
    const account = ownerOf(cluster);
    if (!mayEnter(path.dirname(cluster), account)) throw shutOut(cluster, account);
    return place(dataDir, cluster, account);
  }
  const account = serverAccount();
  if (account && mayEnter(path.dirname(dataDir), account)) chmodSync(dataDir, statSync(dataDir).mode | 0o011);
  if (cluster !== inside || mayEnter(dataDir, account)) return place(dataDir, cluster, account);
  return place(dataDir, placeOutside(dataDir, account, log), account);
}

function place(dataDir: string, cluster: string, account: Account | undefined): ClusterPlace {
  return { cluster, account, logFile: path.join(dataDir, 'postgres.log') };
}

function openDataFolder(dataDir: string): void {
  try {
    makePassable(dataDir);
    const layoutFile = path.join(dataDir, 'layout');
    if (!existsSync(layoutFile)) writeFileSync(layoutFile, `${LAYOUT}\n`);
    const layout = Number(readFileSync(layoutFile, 'utf8'));
    if (layout > LAYOUT)
      throw new StoreError(
        'newer-layout',
        `The data folder ${dataDir} has layout ${layout}; this version knows up to ${LAYOUT}. Use the newer version of Millrace that made it.`,
        { domain: 'user' },
      );
  } catch (cause) {
    if (cause instanceof StoreError) throw cause;
    throw new StoreError(
      'unreachable-folder',
      `The data folder ${dataDir} cannot be used: ${(cause as Error).message}. Give a folder that this user can write.`,
      { domain: 'user', cause },
    );
  }
}

function readLocation(dataDir: string): string | undefined {
  const file = path.join(dataDir, 'postgres.location');
  if (!existsSync(file)) return undefined;
  const location = readFileSync(file, 'utf8').trim();
  return path.isAbsolute(location) ? location : undefined;
}

function ownerOf(cluster: string): Account | undefined {
  const stat = lstatSync(cluster);
  const self = process.getuid?.();
  if (self === undefined || stat.uid === self) return undefined;
  if (self === 0) return { name: `uid ${stat.uid}`, uid: stat.uid, gid: stat.gid };
  throw new StoreError(
    'unreachable-folder',
    `The database in ${cluster} belongs to uid ${stat.uid}, and this process runs as uid ${self}. Run as the same user as before, or give another data folder.`,
    { domain: 'user' },
  );
}

function placeOutside(dataDir: string, account: Account | undefined, log: (message: string) => void): string {
  const cluster = path.join(OUTSIDE, randomBytes(8).toString('hex'));
  try {
    makePassable(OUTSIDE);
    if (!mayEnter(OUTSIDE, account)) throw new Error(`user ${account?.name} may not enter it`);
    mkdirSync(cluster, { mode: 0o700 });
  } catch (cause) {
    throw new StoreError(
      'unreachable-folder',
      `User ${account?.name}, under which Postgres runs, may not enter ${dataDir}, and ${OUTSIDE} cannot be used either: ` +
        `${(cause as Error).message}. Give a data folder outside private folders, run as an ordinary user, or set DATABASE_URL.`,
      { cause },
    );
  }
  const temporary = path.join(dataDir, `postgres.location.${process.pid}`);
  writeFileSync(temporary, `${cluster}\n`);
  renameSync(temporary, path.join(dataDir, 'postgres.location'));
  log(
    `User ${account?.name}, under which Postgres runs, may not enter ${dataDir}; its files lie in ${cluster} (named in ${dataDir}/postgres.location). Remove both together.`,
  );
  return cluster;
}

function shutOut(cluster: string, account: Account | undefined): StoreError {
  return new StoreError(
    'unreachable-folder',
    `The database in ${cluster} runs as ${account?.name}, who may no longer enter a folder on the way to it. Allow that (chmod o+x on the folder), or move the data folder.`,
    { domain: 'user' },
  );
}

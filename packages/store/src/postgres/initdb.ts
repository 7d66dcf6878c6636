/** Makes a cluster: into a folder beside the final place, then renamed, so that half a cluster is never found. */
import { spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
} from 'node:fs';
import path from 'node:path';
import { StoreError } from '../errors.ts';
import type { ClusterPlace } from './cluster-place.ts';
import type { NativeTree } from './native-tree.ts';
import { makePassable } from './reachable.ts';

const MAJOR = '18';

export async function ensureCluster(place: ClusterPlace, tree: NativeTree): Promise<void> {
  const versionFile = path.join(place.cluster, 'PG_VERSION');
  if (existsSync(versionFile)) return checkMajor(place.cluster, readFileSync(versionFile, 'utf8').trim());
  makePassable(path.dirname(place.cluster));
  const fresh = mkdtempSync(`${place.cluster}.part-`);
  try {
    chmodSync(fresh, 0o700);
    if (place.account) chownSync(fresh, place.account.uid, place.account.gid);
    await runInitdb(tree.initdb, fresh, place);
    moveIntoPlace(fresh, place.cluster);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

function checkMajor(cluster: string, found: string): void {
  if (found === MAJOR) return;
  throw new StoreError(
    'newer-layout',
    `The database in ${cluster} was made by Postgres ${found}; this version brings Postgres ${MAJOR}. ` +
      'Use the Millrace version that made it, or move the data with "millrace move".',
    { domain: 'user' },
  );
}

function moveIntoPlace(fresh: string, cluster: string): void {
  try {
    if (existsSync(cluster)) rmdirSync(cluster);
    renameSync(fresh, cluster);
  } catch (error) {
    // Another host made it in between; whole clusters only ever appear by rename.
    if (!existsSync(path.join(cluster, 'PG_VERSION'))) throw error;
  }
}

function runInitdb(initdb: string, target: string, place: ClusterPlace): Promise<void> {
  const flags = ['-U', 'millrace', '-A', 'trust', '--encoding=UTF8', '--wal-segsize=64'];
  const locale = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  return new Promise((resolve, reject) => {
    const child = spawn(initdb, ['-D', target, ...flags, ...locale], {
      cwd: '/',
      env: { LC_ALL: 'C', PATH: '/usr/bin:/bin' },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(place.account && { uid: place.account.uid, gid: place.account.gid }),
    });
    let output = '';
    const keep = (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-4000);
    };
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
    child.on('error', (cause) => reject(failed(place, cause.message, cause)));
    child.on('close', (code, signal) => {
      if (code === 0) resolve();
      else reject(failed(place, `exit ${code ?? signal}: ${output.trim()}`));
    });
  });
}

function failed(place: ClusterPlace, why: string, cause?: unknown): StoreError {
  return new StoreError(
    'start-failed',
    `A Postgres cluster could not be made in ${place.cluster} (initdb): ${why}. Check free space and rights of that folder, or set DATABASE_URL.`,
    { cause },
  );
}

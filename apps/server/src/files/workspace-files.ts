/**
 * The files of one workspace: a folder of plain files in which file connectors read and write by relative paths.
 *
 * Invariants
 *   - Nothing outside the folder is read, made or removed: names are checked by the route (no dots in front, no
 *     slashes), links on the way that lead out are refused by real path, and a link as last part is not followed.
 *   - A file appears whole or not at all: an upload goes to a name of its own beside it and is moved over.
 *   - A file that a running sink holds (its lock lies beside it) is not touched.
 * Not handled: an admin who swaps folders for links while a file is opened; the server offers no way to.
 */
import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, readdir, realpath, rename, unlink } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import type { Readable } from 'node:stream';

export interface FileEntry {
  /** Relative, with slashes. */
  readonly path: string;
  readonly size: number;
  readonly modifiedAt: Date;
}

export type Refusal = 'absent' | 'not-a-file' | 'outside' | 'in-use' | 'too-large' | 'disk-full' | 'cut-off';

export class FileRefused extends Error {
  readonly code: Refusal;

  constructor(code: Refusal) {
    super(`the file was refused: ${code}`);
    this.name = 'FileRefused';
    this.code = code;
  }
}

export const filesFolder = (dataDir: string, workspace: string): string => {
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(workspace)) throw new Error('a workspace’s id names a folder');
  return join(dataDir, 'files', workspace);
};

/** In the order of their paths. What is not a plain file, and what begins with a dot, is left out. */
export async function listFiles(folder: string): Promise<readonly FileEntry[]> {
  const root = await realRoot(folder);
  const found = await readdir(root, { recursive: true, withFileTypes: true });
  const paths = found
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((path) => !path.split('/').some((part) => part.startsWith('.')))
    .sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const entries = await Promise.all(paths.map((path) => entryOf(root, path)));
  return entries.filter((entry) => entry !== undefined);
}

export async function openForReading(
  folder: string,
  parts: readonly string[],
): Promise<{ handle: FileHandle; size: number }> {
  const file = await locate(folder, parts);
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    (error: unknown) => {
      throw refusalOf(error);
    },
  );
  const stats = await handle.stat();
  if (stats.isFile()) return { handle, size: stats.size };
  await handle.close();
  throw new FileRefused('not-a-file');
}

export async function writeFile(
  folder: string,
  parts: readonly string[],
  body: Readable,
  limit: number,
): Promise<FileEntry> {
  const root = await realRoot(folder);
  const parent = join(root, ...parts.slice(0, -1));
  await refuseOutside(root, parent);
  await mkdir(parent, { recursive: true }).catch((error: unknown) => {
    throw refusalOf(error);
  });
  const file = await locate(folder, parts);
  await refuseInUse(file);
  const stats = await lstat(file).catch(() => undefined);
  if (stats !== undefined && !stats.isFile()) throw new FileRefused('not-a-file');
  const draft = join(dirname(file), `.${randomUUID()}.part`);
  try {
    await fill(draft, body, limit);
    await refuseInUse(file);
    await rename(draft, file);
  } catch (error) {
    throw refusalOf(error);
  } finally {
    await unlink(draft).catch(() => undefined);
  }
  const entry = await entryOf(root, parts.join('/'));
  if (entry === undefined) throw new FileRefused('absent');
  return entry;
}

export async function deleteFile(folder: string, parts: readonly string[]): Promise<void> {
  const file = await locate(folder, parts);
  await refuseInUse(file);
  const stats = await lstat(file).catch(() => undefined);
  if (stats?.isDirectory()) throw new FileRefused('not-a-file');
  await unlink(file).catch((error: unknown) => {
    throw refusalOf(error);
  });
}

async function fill(draft: string, body: Readable, limit: number): Promise<void> {
  const handle = await open(draft, 'wx', 0o640);
  try {
    let size = 0;
    // A refusal is answered on the same connection: it must not be torn down with the body.
    for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>) {
      size += chunk.length;
      if (size > limit) throw new FileRefused('too-large');
      for (let written = 0; written < chunk.length; ) {
        written += (await handle.write(chunk, written)).bytesWritten;
      }
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function realRoot(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  return realpath(folder);
}

/** The path with links on the way resolved; the last part is left as it is. */
async function locate(folder: string, parts: readonly string[]): Promise<string> {
  const root = await realRoot(folder);
  const name = parts.at(-1);
  if (name === undefined) throw new FileRefused('absent');
  const parent = await realpath(join(root, ...parts.slice(0, -1))).catch((error: unknown) => {
    throw refusalOf(error);
  });
  if (parent !== root && !parent.startsWith(root + sep)) throw new FileRefused('outside');
  return join(parent, name);
}

/** Before folders are made: the part of the way that is there must not lead out. */
async function refuseOutside(root: string, folder: string): Promise<void> {
  for (let there = folder; ; there = dirname(there)) {
    const real = await realpath(there).catch(() => undefined);
    if (real === undefined && there !== root) continue;
    if (real !== undefined && (real === root || real.startsWith(root + sep))) return;
    throw new FileRefused('outside');
  }
}

async function refuseInUse(file: string): Promise<void> {
  const lock = join(dirname(file), `.${file.slice(dirname(file).length + 1)}.lock`);
  if (await lstat(lock).catch(() => undefined)) throw new FileRefused('in-use');
}

async function entryOf(root: string, path: string): Promise<FileEntry | undefined> {
  const stats = await lstat(join(root, path)).catch(() => undefined);
  return stats?.isFile() ? { path, size: stats.size, modifiedAt: stats.mtime } : undefined;
}

const CODES: Readonly<Record<string, Refusal>> = {
  ENOENT: 'absent',
  ENOTDIR: 'not-a-file',
  EISDIR: 'not-a-file',
  EEXIST: 'not-a-file',
  ENXIO: 'not-a-file',
  ELOOP: 'outside',
  ENOSPC: 'disk-full',
  EDQUOT: 'disk-full',
  ECONNRESET: 'cut-off',
  ERR_STREAM_PREMATURE_CLOSE: 'cut-off',
};

function refusalOf(error: unknown): unknown {
  if (error instanceof FileRefused) return error;
  const code = CODES[(error as NodeJS.ErrnoException).code ?? ''];
  return code === undefined ? error : new FileRefused(code);
}

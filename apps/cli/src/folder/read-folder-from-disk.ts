/**
 * Reads a pipeline folder into memory, as text by path. Takes what belongs to a pipeline and nothing else:
 * `pipeline.json`, `layout.json`, `nodes/**.ts`, `lib/**.ts`, `tests/*.json`.
 *
 * Whoever made the folder need not be who runs it: a link that leads out of the folder, a file that is no
 * regular file, and sizes beyond the limits are issues, never read.
 */
import { constants, type Dirent } from 'node:fs';
import { open, readdir, realpath } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { Issue } from '@millrace/graph';

export const folderLimits = { fileBytes: 4 << 20, totalBytes: 32 << 20, files: 5_000, depth: 8 } as const;

export interface FolderOnDisk {
  /** Real path of the folder. */
  readonly root: string;
  readonly files: ReadonlyMap<string, string>;
  readonly issues: readonly Issue[];
}

interface Reading {
  readonly root: string;
  readonly files: Map<string, string>;
  readonly issues: Issue[];
  bytes: number;
}

/** Throws when the folder itself cannot be read: then there is no pipeline to have issues. */
export async function readFolderFromDisk(folder: string): Promise<FolderOnDisk> {
  const root = await realpath(folder);
  const reading: Reading = { root, files: new Map(), issues: [], bytes: 0 };
  const names = new Map((await readdir(root, { withFileTypes: true })).map((entry) => [entry.name, entry]));
  for (const name of ['pipeline.json', 'layout.json']) {
    if (names.has(name)) await readText(reading, name);
  }
  for (const [name, ending] of [
    ['nodes', '.ts'],
    ['lib', '.ts'],
    ['tests', '.json'],
  ] as const) {
    if (names.has(name)) await readTree(reading, name, ending, 1);
  }
  return reading;
}

async function readTree(reading: Reading, folder: string, ending: string, depth: number): Promise<void> {
  if (depth > folderLimits.depth) {
    report(reading, folder, `folders are nested deeper than ${folderLimits.depth}: move the files up.`);
    return;
  }
  if (!(await staysInside(reading, folder))) return;
  for (const entry of await listing(reading, folder)) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) await readTree(reading, path, ending, depth + 1);
    else if (entry.name.endsWith(ending)) await readText(reading, path);
  }
}

async function listing(reading: Reading, folder: string): Promise<Dirent[]> {
  try {
    const entries = await readdir(join(reading.root, folder), { withFileTypes: true });
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    report(reading, folder, `cannot be listed: ${reasonOf(error)}.`);
    return [];
  }
}

async function readText(reading: Reading, path: string): Promise<void> {
  if (reading.files.size >= folderLimits.files) {
    if (reading.files.size === folderLimits.files) {
      report(reading, path, `the folder has more than ${folderLimits.files} files: split the pipeline.`);
    }
    return;
  }
  if (!(await staysInside(reading, path))) return;
  try {
    const bytes = await readBounded(join(reading.root, path), folderLimits.totalBytes - reading.bytes);
    if (typeof bytes === 'string') return report(reading, path, bytes);
    reading.bytes += bytes.length;
    reading.files.set(path, new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    const text = error instanceof TypeError ? 'is not UTF-8 text: save it as UTF-8.' : undefined;
    report(reading, path, text ?? `cannot be read: ${reasonOf(error)}.`);
  }
}

/** The bytes, or why they are not taken. Opened without waiting: a FIFO would wait for a writer for ever. */
async function readBounded(path: string, left: number): Promise<Uint8Array | string> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const { size } = await file.stat().then((found) => (found.isFile() ? found : { size: -1 }));
    if (size < 0) return 'is not a regular file: put a file there.';
    if (size > folderLimits.fileBytes) {
      return `has ${size} bytes; at most ${folderLimits.fileBytes} are read: data belongs in a file that an injector names.`;
    }
    if (size > left) return `the folder's files exceed ${folderLimits.totalBytes} bytes: split the pipeline.`;
    const bytes = Buffer.alloc(size);
    const { bytesRead } = await file.read(bytes, 0, size, 0);
    return bytes.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

async function staysInside(reading: Reading, path: string): Promise<boolean> {
  try {
    const real = relative(reading.root, await realpath(join(reading.root, path)));
    if (real !== '..' && !real.startsWith(`..${sep}`) && !real.startsWith(sep)) return true;
    report(reading, path, 'is a link that leads out of the pipeline folder: put the file itself there.');
  } catch (error) {
    report(reading, path, `cannot be read: ${reasonOf(error)}.`);
  }
  return false;
}

function report(reading: Reading, file: string, message: string): void {
  reading.issues.push({
    code: 'unreadable-file',
    severity: 'error',
    message: `${file} ${message}`,
    file,
    line: 1,
    column: 1,
  });
}

export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? error.code : undefined;
  const known = typeof code === 'string' ? reasons.get(code) : undefined;
  return known ?? error.message.replace(/\.$/, '');
}

const reasons = new Map([
  ['ENOENT', 'there is no such file or folder'],
  ['ENOTDIR', 'it is not a folder'],
  ['EACCES', 'no permission'],
  ['EPERM', 'no permission'],
  ['ELOOP', 'its links go round in a circle'],
  ['EISDIR', 'it is a folder'],
]);

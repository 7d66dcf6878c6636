/**
 * Makes a folder on disk equal to what a server sent: files of a pipeline are written and removed, nothing else is
 * touched. The server may be somebody else's: only paths of a pipeline are taken, and none through a link that
 * leads out.
 */
import { mkdir, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { fileRole } from '@millrace/graph';

export interface FolderWrite {
  /** Real path. */
  readonly root: string;
  /** What is there now. */
  readonly present: readonly string[];
  readonly files: ReadonlyMap<string, string>;
}

/** The paths that were written or removed. */
export async function writeFolderToDisk({ root, present, files }: FolderWrite): Promise<readonly string[]> {
  for (const path of files.keys())
    if (fileRole(path) === undefined)
      throw new Error(`The server sent ${JSON.stringify(path)}, which is not part of a pipeline.`);
  const gone = present.filter((path) => !files.has(path));
  for (const [path, text] of files) await writeWhole(root, path, text);
  for (const path of gone) await rm(await placeOf(root, path), { force: true });
  return [...files.keys(), ...gone].sort();
}

async function writeWhole(root: string, path: string, text: string): Promise<void> {
  const place = await placeOf(root, path);
  const draft = `${place}.${process.pid}.part`;
  try {
    await writeFile(draft, text, { flag: 'wx' });
    // Replaces a link instead of writing through it.
    await rename(draft, place);
  } finally {
    await rm(draft, { force: true });
  }
}

async function placeOf(root: string, path: string): Promise<string> {
  const place = join(root, path);
  await mkdir(dirname(place), { recursive: true });
  const inside = relative(root, await realpath(dirname(place)));
  if (inside === '..' || inside.startsWith(`..${sep}`) || inside.startsWith(sep))
    throw new Error(`${dirname(place)} is a link that leads out of the pipeline folder; remove it.`);
  return place;
}

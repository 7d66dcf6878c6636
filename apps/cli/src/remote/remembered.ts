/**
 * What a folder remembers of the server it was last equal to, under its `.millrace/`: so that a push does not
 * overwrite what others did meanwhile, and a pull does not overwrite what was not pushed.
 */
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { ownFolder } from '../folder/own-folder.ts';

const schema = z.object({
  server: z.string(),
  pipeline: z.string(),
  /** Of the draft. */
  revision: z.int(),
  /** Of the files, in canonical form. */
  hash: z.string(),
});

export type Remembered = z.infer<typeof schema>;

const FILE = 'server.json';

/** Undefined where there is nothing, nothing readable, or it is of another server or pipeline. */
export async function remembered(
  root: string,
  server: string,
  pipeline: string,
): Promise<Remembered | undefined> {
  try {
    const found = schema.parse(JSON.parse(await readFile(join(root, '.millrace', FILE), 'utf8')));
    return found.server === server && found.pipeline === pipeline ? found : undefined;
  } catch {
    return undefined;
  }
}

export async function remember(root: string, what: Remembered): Promise<void> {
  const place = join(await ownFolder(root), FILE);
  const draft = `${place}.${process.pid}`;
  await writeFile(draft, `${JSON.stringify(what, null, 2)}\n`);
  await rename(draft, place);
}

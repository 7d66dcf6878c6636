/**
 * `.millrace` inside a pipeline folder, where we keep what we make: data and types. A pipeline may come from
 * somebody else, so a link in its place is refused: we would write wherever it leads.
 */
import { lstat, mkdir } from 'node:fs/promises';
import { join } from 'node:path';

export async function ownFolder(root: string, ...below: readonly string[]): Promise<string> {
  let folder = root;
  for (const part of ['.millrace', ...below]) {
    folder = join(folder, part);
    await mkdir(folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return;
      throw new Error(`${folder} cannot be made: ${error.message}. Give another place with --data.`);
    });
    if (!(await lstat(folder)).isDirectory()) {
      throw new Error(
        `${folder} is not a folder of its own: Millrace writes there. Remove it, or give --data.`,
      );
    }
  }
  return folder;
}

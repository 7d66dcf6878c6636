import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Names a build of the page: its document holds the hashed names of all it loads. The page carries it, and hears at
 * each connect which one the server has now; undefined where nothing was built.
 */
export function pageBuild(folder: string): string | undefined {
  const index = join(folder, 'index.html');
  if (!existsSync(index)) return undefined;
  return createHash('sha256').update(readFileSync(index)).digest('hex').slice(0, 16);
}

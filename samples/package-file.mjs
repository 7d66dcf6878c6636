import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';

/** A package's own `exports` need not list its data, so the folder is looked for where packages lie. */
export function packageFile(name, path) {
  const folders = createRequire(import.meta.url).resolve.paths(name) ?? [];
  const found = folders.map((folder) => `${folder}/${name}/${path}`).find((file) => existsSync(file));
  if (found === undefined) throw new Error(`${name} is not installed: run npm ci in the repository first.`);
  return found;
}

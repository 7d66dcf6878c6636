// Puts the input of the samples in place. Does nothing where it is there already.
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { prepare as prepareWebLog } from './web-log/make-log.mjs';

const flights = fileURLToPath(new URL('flight-delays/flights-2k.json', import.meta.url));
const source = packageFile('vega-datasets', 'data/flights-2k.json');
if (!existsSync(flights) || !readFileSync(flights).equals(readFileSync(source)))
  copyFileSync(source, flights);
prepareWebLog();

/** A package's own `exports` need not list its data, so the folder is looked for where packages lie. */
function packageFile(name, path) {
  const folders = createRequire(import.meta.url).resolve.paths(name) ?? [];
  const found = folders.map((folder) => `${folder}/${name}/${path}`).find((file) => existsSync(file));
  if (found === undefined) throw new Error(`${name} is not installed: run npm ci in the repository first.`);
  return found;
}

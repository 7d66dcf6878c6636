// Puts the input of the samples in place. Does nothing where it is there already.
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { packageFile } from './package-file.mjs';
import { prepare as prepareWebLog } from './web-log/make-log.mjs';

const flights = fileURLToPath(new URL('flight-delays/flights-2k.json', import.meta.url));
const source = packageFile('vega-datasets', 'data/flights-2k.json');
if (!existsSync(flights) || !readFileSync(flights).equals(readFileSync(source)))
  copyFileSync(source, flights);
prepareWebLog();

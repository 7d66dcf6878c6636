// `npm start`: from a fresh clone to the running product. Installs what is missing, builds what is stale, puts the
// samples' input in place and becomes `millrace serve`, in this very process: signals need no passing on.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildIfStale } from './lib/build-if-stale.mjs';
import { installIfNeeded } from './lib/install.mjs';
import { requireNode } from './lib/require-node.mjs';
import { root } from './lib/root.mjs';

requireNode();
await installIfNeeded();
const code = await buildIfStale();
if (code !== 0) {
  console.error(`Building failed (exit code ${code}): see the lines above.`);
  process.exit(code);
}
await import('../samples/prepare.mjs');
const program = join(root, 'apps/cli/bin/millrace.mjs');
process.argv = [process.execPath, program, 'serve', ...process.argv.slice(2)];
await import(pathToFileURL(program).href);

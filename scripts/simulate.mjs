// `npm run simulate -- --seeds 20000 --seed 1`: the engine on a simulated clock, network, disk and database; one seed
// is one run, and a failing one prints how to run it again.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import * as esbuild from 'esbuild';
import { root } from './lib/root.mjs';
import { runNode } from './lib/run.mjs';

const folder = join(root, 'node_modules/.cache/millrace');
const program = join(folder, 'simulate.mjs');
mkdirSync(folder, { recursive: true });
await esbuild.build({
  entryPoints: [join(root, 'packages/engine/test/simulation/main.ts')],
  outfile: program,
  bundle: true,
  conditions: ['millrace-source'],
  platform: 'node',
  format: 'esm',
  target: 'node20',
  sourcemap: 'inline',
  logLevel: 'warning',
  banner: {
    js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
  },
});
process.exitCode = await runNode(program, process.argv.slice(2));

// `npm run sweep -- --runs 200 --seed 1`: kills the worker, the host and Postgres of real runs and compares what
// they end with to a plain computation. Each run follows from its seed alone.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import * as esbuild from 'esbuild';
import { buildAll } from './lib/build-all.mjs';
import { root } from './lib/root.mjs';
import { runNode } from './lib/run.mjs';

const folder = join(root, 'node_modules/.cache/millrace');
const program = join(folder, 'sweep.mjs');
process.exitCode = process.env.MILLRACE_NO_BUILD ? 0 : await buildAll();
if (process.exitCode === 0) {
  mkdirSync(folder, { recursive: true });
  await esbuild.build({
    entryPoints: [join(root, 'packages/engine/test/crash-sweep/main.ts')],
    outfile: program,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    sourcemap: 'inline',
    logLevel: 'warning',
  });
  const bin = join(root, 'apps/cli/bin/millrace.mjs');
  process.exitCode = await runNode(program, ['--bin', bin, ...process.argv.slice(2)]);
}

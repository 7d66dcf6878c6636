// `npm start`: from a fresh clone to a finished sample. Installs what is missing, builds what is stale, makes
// the samples' input and runs *Flight delays* to its end.
import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { buildAll } from './lib/build-all.mjs';
import { installIfNeeded } from './lib/install.mjs';
import { requireNode } from './lib/require-node.mjs';
import { root } from './lib/root.mjs';
import { runNode } from './lib/run.mjs';

const sample = join(root, 'samples/flight-delays');
const result = join(sample, 'result.jsonl');

requireNode();
await installIfNeeded();
await step('Building', buildAll());
await step('Preparing the samples', runNode(join(root, 'samples/prepare.mjs')));

console.error(
  '\nRunning the sample “Flight delays”: 2,000 flights, out of order, counted by origin and hour.\n',
);
await step(
  'Running the sample',
  runNode(join(root, 'apps/cli/bin/millrace.mjs'), ['run', sample, '--fresh', ...process.argv.slice(2)]),
);
if (existsSync(result)) console.log(`\nThe result lies in ${relative(process.cwd(), result)}`);
console.log(`The pipeline is the folder ${relative(process.cwd(), sample)}: change it and run it again with`);
console.log(`  npx millrace run ${relative(process.cwd(), sample)}`);

async function step(what, running) {
  const code = await running;
  if (code === 0) return;
  console.error(`${what} failed (exit code ${code}): see the lines above.`);
  process.exit(code);
}

// `npm run nexmark [-- EVENTS]`: a longer look at the queries of Nexmark than CI takes; 20,000 events unless told.
import { spawnSync } from 'node:child_process';
import { root } from './lib/root.mjs';

const [events = '20000'] = process.argv.slice(2);
const { status } = spawnSync(
  process.execPath,
  ['node_modules/vitest/vitest.mjs', 'run', 'e2e/proof/nexmark.test.ts'],
  { cwd: root, stdio: 'inherit', env: { ...process.env, MILLRACE_NEXMARK_EVENTS: events } },
);
process.exitCode = status ?? 1;

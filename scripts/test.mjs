// `npm test`: build, lint, types and all tests. Its last line is exactly `N passed, N failed`; the exit code is
// 0 only if nothing failed. Build, lint and types count as one check each.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from './lib/build-if-stale.mjs';
import { countTests } from './lib/count-tests.mjs';
import { installIfNeeded } from './lib/install.mjs';
import { requireNode } from './lib/require-node.mjs';
import { root } from './lib/root.mjs';
import { runNode } from './lib/run.mjs';
import { filesToRepeat, passedAlone, withSecondLook } from './lib/second-look.mjs';

const bin = (path) => join(root, 'node_modules', path);
const total = { passed: 0, failed: 0 };

requireNode();
await installIfNeeded();
await check('build', () => build());
await check('samples', () => runNode(join(root, 'samples/prepare.mjs')));
await check('format and lint', () => runNode(bin('@biomejs/biome/bin/biome'), ['check', '.']));
await check('import rules', () => runNode(join(root, 'scripts/import-rules.mjs')));
await check('types', () => runNode(bin('typescript/bin/tsc'), ['--noEmit', '-p', 'tsconfig.json']));
await check('types of the page', () =>
  runNode(bin('typescript/bin/tsc'), ['--noEmit', '-p', 'apps/web/tsconfig.json']),
);
await tests();
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 ? 0 : 1;

async function check(name, running) {
  console.log(`\n== ${name}`);
  const code = await running();
  total[code === 0 ? 'passed' : 'failed'] += 1;
  if (code !== 0) console.log(`${name}: failed (exit code ${code})`);
}

async function tests() {
  console.log('\n== tests');
  const first = await vitest(process.argv.slice(2));
  const counted = await afterSecondLook(first);
  total.passed += counted.passed;
  total.failed += counted.failed;
}

async function afterSecondLook({ report, code }) {
  const files = report === undefined ? [] : filesToRepeat(report, root);
  if (files.length === 0) return countTests(report, code);
  console.log(`\n== once more, alone: ${files.join(', ')}`);
  const second = await vitest([...files, '--maxWorkers=1']);
  if (second.report === undefined) return countTests(report, code);
  for (const title of passedAlone(report, second.report)) console.log(`passed only alone: ${title}`);
  return countTests(withSecondLook(report, second.report), second.code);
}

async function vitest(more) {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-test-'));
  const file = join(folder, 'report.json');
  try {
    const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
    const code = await runNode(bin('vitest/vitest.mjs'), [...args, ...more]);
    return { report: readReport(file), code };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

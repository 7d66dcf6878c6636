// Builds only when something that goes into a build has changed since the last one, by a stamp of our own: asking
// turbo takes as long as starting the product. The stamp holds paths, sizes and times, not contents: a checkout
// costs one build that turbo answers from its cache.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { buildAll } from './build-all.mjs';
import { root } from './root.mjs';

const BUILD_FILES = [
  'package-lock.json',
  'scripts/build-package.mjs',
  'scripts/build-samples.mjs',
  'samples/samples.json',
  'samples/nexmark/templates.json',
  'apps/web/index.html',
  'apps/web/vite.config.ts',
];
const stamp = join(root, 'node_modules/.millrace-build');

/** Exit code: 0 when every package is built. */
export async function buildIfStale() {
  if (isBuilt(fingerprint())) return 0;
  console.error('Building …');
  return build();
}

/** Builds, and remembers of what. */
export async function build() {
  const sources = fingerprint();
  const code = await buildAll();
  if (code === 0) writeFileSync(stamp, `${sources}\n${outputs()}\n`);
  return code;
}

/** Sources as they were at the last build, and its outputs still in place. */
function isBuilt(sources) {
  if (!existsSync(stamp)) return false;
  return readFileSync(stamp, 'utf8') === `${sources}\n${outputs()}\n`;
}

function fingerprint() {
  const files = BUILD_FILES.map((path) => join(root, path));
  for (const folder of workspaceFolders()) {
    files.push(join(folder, 'package.json'));
    for (const part of ['src', 'build', 'public']) collect(join(folder, part), files);
  }
  for (const group of ['samples', 'samples/nexmark'])
    for (const sample of readdirSync(join(root, group))) collectSample(join(root, group, sample), files);
  return hashOf(files);
}

/** Without the data and results that lie in its folder. */
function collectSample(folder, files) {
  files.push(...['pipeline.json', 'layout.json'].map((name) => join(folder, name)).filter(existsSync));
  for (const name of ['nodes', 'lib', 'tests']) collect(join(folder, name), files);
}

/** As the last build left them: somebody may have built one package by hand, or removed it. */
function outputs() {
  const files = [];
  for (const folder of workspaceFolders()) collect(join(folder, 'dist'), files);
  return hashOf(files);
}

function collect(folder, files) {
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) collect(path, files);
    else if (!/\.test\.ts$/.test(entry.name)) files.push(path);
  }
}

function hashOf(files) {
  const hash = createHash('sha256');
  for (const file of files.sort()) {
    const { size, mtimeMs } = statSync(file);
    hash.update(`${relative(root, file)} ${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

function workspaceFolders() {
  return ['packages', 'apps'].flatMap((group) =>
    readdirSync(join(root, group))
      .map((name) => join(root, group, name))
      .filter((folder) => existsSync(join(folder, 'package.json'))),
  );
}

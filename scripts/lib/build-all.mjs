// Builds what is stale, with turbo; without it (no binary for this machine, or it cannot run here) builds every
// package in the order of their dependencies.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.mjs';
import { runNode } from './run.mjs';

/** Exit code: 0 when every package is built. */
export async function buildAll() {
  const turbo = join(root, 'node_modules/turbo/bin/turbo');
  if (existsSync(turbo) && !process.env.MILLRACE_NO_TURBO) {
    const args = ['run', 'build', '--ui=stream', '--output-logs=errors-only', '--log-order=grouped'];
    const quietly = { stdio: ['ignore', 'ignore', 2] };
    if ((await runNode(turbo, args, quietly)) === 0) return 0;
    console.error('turbo did not finish; building the packages one after the other.');
  }
  return buildInOrder();
}

async function buildInOrder() {
  for (const folder of inDependencyOrder(workspaces())) {
    const code = await runNode(join(root, 'scripts/build-package.mjs'), [], { cwd: folder });
    if (code !== 0) {
      console.error(`building ${folder} failed.`);
      return code;
    }
  }
  return 0;
}

/** Name → { folder, needs }, for every workspace that has a build. */
function workspaces() {
  const folders = ['packages', 'apps'].flatMap((group) =>
    readdirSync(join(root, group)).map((name) => join(root, group, name)),
  );
  const found = new Map();
  for (const folder of folders.filter((f) => existsSync(join(f, 'package.json')))) {
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    if (manifest.scripts?.build) {
      found.set(manifest.name, { folder, needs: Object.keys(manifest.dependencies ?? {}) });
    }
  }
  return found;
}

function inDependencyOrder(packages) {
  const ordered = new Set();
  const visit = (name) => {
    const found = packages.get(name);
    if (!found || ordered.has(found.folder)) return;
    for (const needed of found.needs) visit(needed);
    ordered.add(found.folder);
  };
  for (const name of packages.keys()) visit(name);
  return [...ordered];
}

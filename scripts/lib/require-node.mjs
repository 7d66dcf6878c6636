import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.mjs';

/** Ends the process with a plain sentence when this Node is too old for package.json's "engines". */
export function requireNode() {
  const wanted = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).engines.node.replace('>=', '');
  if (!olderThan(process.versions.node, wanted)) return;
  console.error(`Millrace needs Node ${wanted} or newer; this is ${process.versions.node}.`);
  console.error('Install a newer one from https://nodejs.org and run the same command again.');
  process.exit(1);
}

function olderThan(version, wanted) {
  const [major, minor] = version.split('.').map(Number);
  const [wantedMajor, wantedMinor] = wanted.split('.').map(Number);
  return major < wantedMajor || (major === wantedMajor && minor < wantedMinor);
}

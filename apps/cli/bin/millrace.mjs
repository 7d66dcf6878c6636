#!/usr/bin/env node
// Everything is in dist/; this file only says what is missing when something is, in a syntax old Nodes read.
import { existsSync, readFileSync } from 'node:fs';

const wanted = /\d+\.\d+/.exec(
  JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')).engines.node,
)[0];
const [major, minor] = process.versions.node.split('.').map(Number);
const [wantedMajor, wantedMinor] = wanted.split('.').map(Number);

if (major < wantedMajor || (major === wantedMajor && minor < wantedMinor)) {
  console.error(`millrace: needs Node ${wanted} or newer; this is ${process.versions.node}.`);
  process.exitCode = 3;
} else if (existsSync(new URL('../dist/main.js', import.meta.url))) {
  await import('../dist/main.js');
} else {
  console.error('millrace: not built yet. Run `npm run build` (or `npm start`) in the repository first.');
  process.exitCode = 3;
}

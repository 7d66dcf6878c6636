// `npm run dev`: the server, built and started again whenever a source changes. What does not build is said, and
// the last server that did goes on.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, watch } from 'node:fs';
import { join } from 'node:path';
import { buildIfStale } from './lib/build-if-stale.mjs';
import { installIfNeeded } from './lib/install.mjs';
import { requireNode } from './lib/require-node.mjs';
import { root } from './lib/root.mjs';

/** An editor that saves several files at once causes one build. */
const SETTLE_MS = 200;

requireNode();
await installIfNeeded();
await import('../samples/prepare.mjs');

let server;
let timer;
let busy = false;
let again = false;
let stopping = false;

for (const folder of sourceFolders()) {
  watch(folder, { recursive: true }, (_event, file) => {
    if (/\.test\.ts$/.test(file ?? '')) return;
    clearTimeout(timer);
    timer = setTimeout(reload, SETTLE_MS);
  });
}
// The server gets the terminal's signals itself; we only wait for it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    stopping = true;
    if (!server) process.exit();
    if (signal !== 'SIGINT') server.kill(signal);
  });
}
await reload();

/** One at a time; a change while building causes one more. */
async function reload() {
  if (busy) {
    again = true;
    return;
  }
  busy = true;
  do {
    again = false;
    if ((await buildIfStale()) === 0) await restart();
  } while (again && !stopping);
  busy = false;
}

async function restart() {
  if (server) {
    server.removeAllListeners('exit');
    const ended = new Promise((done) => server.once('exit', done));
    server.kill('SIGTERM');
    await ended;
  }
  if (stopping) process.exit();
  const program = join(root, 'apps/cli/bin/millrace.mjs');
  server = spawn(process.execPath, [program, 'serve', ...process.argv.slice(2)], { stdio: 'inherit' });
  server.on('exit', (code) => {
    server = undefined;
    if (stopping) process.exit(code ?? 0);
    console.error('The server ended; it starts again with the next change.');
  });
}

function sourceFolders() {
  return ['packages', 'apps'].flatMap((group) =>
    readdirSync(join(root, group)).flatMap((name) =>
      ['src', 'page'].map((part) => join(root, group, name, part)).filter((folder) => existsSync(folder)),
    ),
  );
}

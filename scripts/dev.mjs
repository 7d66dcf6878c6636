// `npm run dev`: the server, built and started again whenever a source changes, and in front of it Vite, which
// changes the page in place. What does not build is said, and the last server that did goes on.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, watch } from 'node:fs';
import { join } from 'node:path';
import { buildIfStale } from './lib/build-if-stale.mjs';
import { installIfNeeded } from './lib/install.mjs';
import { requireNode } from './lib/require-node.mjs';
import { root } from './lib/root.mjs';

/** An editor that saves several files at once causes one build. */
const SETTLE_MS = 200;
const DEFAULT_PORT = '4780';

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
servePage();

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

/** Vite's own address is printed by it; everything but the page it passes on to the server. */
function servePage() {
  const vite = spawn(process.execPath, [join(root, 'node_modules/vite/bin/vite.js')], {
    cwd: join(root, 'apps/web'),
    env: { ...process.env, MILLRACE_DEV_SERVER: `http://127.0.0.1:${portAsked()}` },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  process.on('exit', () => vite.kill());
}

function portAsked() {
  const at = process.argv.indexOf('--port');
  return (at > 0 && process.argv[at + 1]) || process.env.MILLRACE_PORT || DEFAULT_PORT;
}

/** All but the page's, which Vite watches. */
function sourceFolders() {
  return ['packages', 'apps'].flatMap((group) =>
    readdirSync(join(root, group))
      .filter((name) => name !== 'web')
      .map((name) => join(root, group, name, 'src'))
      .filter((folder) => existsSync(folder)),
  );
}

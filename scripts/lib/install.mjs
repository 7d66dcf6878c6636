// Installs the dependencies exactly as locked, and only when that is needed.
//
// Installed is: npm's own record in node_modules exists, and it is either not older than the lock or was made
// from a lock with the same content (a checkout gives the lock a new time without changing it).
import { createHash } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './root.mjs';
import { run } from './run.mjs';

const lock = join(root, 'package-lock.json');
const record = join(root, 'node_modules/.package-lock.json');
const stamp = join(root, 'node_modules/.millrace-lock');

export async function installIfNeeded() {
  if (isInstalled()) return;
  console.error('Installing dependencies …');
  const spareCache = isWritable(npmCache()) ? undefined : mkdtempSync(join(tmpdir(), 'millrace-npm-'));
  try {
    const args = ['ci', '--no-audit', '--no-fund', '--include=dev', '--include=optional'];
    const code = await npm(spareCache ? [...args, '--cache', spareCache] : args);
    if (code !== 0) {
      console.error(`npm ci failed (exit code ${code}): see the lines above.`);
      process.exit(code);
    }
    writeFileSync(stamp, hashOf(lock));
  } finally {
    if (spareCache) rmSync(spareCache, { recursive: true, force: true });
  }
}

function isInstalled() {
  if (!existsSync(record)) return false;
  if (statSync(record).mtimeMs >= statSync(lock).mtimeMs) return true;
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === hashOf(lock);
}

const hashOf = (path) => createHash('sha256').update(readFileSync(path)).digest('hex');

const npmCache = () => process.env.npm_config_cache ?? join(homedir(), '.npm');

function isWritable(folder) {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** The npm that started us, else the one on the PATH. npm's output goes to stderr: stdout is the caller's. */
function npm(args) {
  const stdio = ['ignore', 2, 2];
  const script = process.env.npm_execpath;
  if (script?.endsWith('.js')) return run(process.execPath, [script, ...args], { stdio });
  return run(process.platform === 'win32' ? 'npm.cmd' : 'npm', args, { stdio });
}

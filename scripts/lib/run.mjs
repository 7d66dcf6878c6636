// Runs one command to its end and gives its exit code. A command that cannot be started at all gives 127.
import { spawn } from 'node:child_process';
import { root } from './root.mjs';

/** No tool of ours may call home or leave a daemon behind. */
const quiet = { TURBO_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1', TURBO_NO_UPDATE_NOTIFIER: '1' };

export function run(command, args, { cwd = root, env = {}, stdio = 'inherit' } = {}) {
  return new Promise((done) => {
    const child = spawn(command, args, { cwd, stdio, env: { ...process.env, ...quiet, ...env } });
    child.on('error', (error) => {
      console.error(`could not start ${command}: ${error.message}`);
      done(127);
    });
    child.on('exit', (code, signal) => done(code ?? (signal === 'SIGINT' ? 130 : 1)));
  });
}

/** Runs a script of this repository, or of a package in node_modules, with this Node. */
export const runNode = (script, args = [], options = {}) => run(process.execPath, [script, ...args], options);

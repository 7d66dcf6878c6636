import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { WorkerLauncher } from '@millrace/engine';
import { sandboxedUserCode } from '../user-code/sandboxed-user-code.ts';
import type { UserCode } from '../user-code/user-code.ts';
import { createUserCodeWorker } from '../user-code/worker/user-code-worker.ts';

/** Both sides of the conversation in one process: for pipelines that a test wrote itself. */
export async function inProcessUserCode(): Promise<UserCode> {
  const launcher: WorkerLauncher = {
    async launch() {
      let toHost: (frame: Uint8Array) => void = () => {};
      const worker = createUserCodeWorker({
        post: (frame) => toHost(frame),
        loadModule,
      });
      return {
        pid: undefined,
        queuedBytes: 0,
        send: (frame) => worker.receive(frame),
        onFrame(handler) {
          toHost = handler;
        },
        onExit() {},
        kill() {},
      };
    },
    close: async () => {},
  };
  return sandboxedUserCode(launcher);
}

async function loadModule(code: string): Promise<unknown> {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-bundle-'));
  const file = join(folder, 'bundle.mjs');
  writeFileSync(file, code);
  try {
    return await import(/* @vite-ignore */ pathToFileURL(file).href);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

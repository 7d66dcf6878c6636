/** The worker's command line. Every flag closes a hole or a delay; none gives a permission. */
import { closedImportMap } from './closed-modules.ts';

const FLAGS = [
  'run',
  '--no-prompt',
  '--no-config',
  '--no-lock',
  '--no-code-cache',
  '--no-npm',
  '--no-remote',
  '--no-check',
  '--deny-import',
];

/**
 * The heap may grow to three times what lives in it before it is marked, within the limit. Of what a worker allocates
 * for each record some grows old before it dies, and marking all live keys anew took a seventh of its processor time.
 */
const HEAP_GROWING_PERCENT = 200;

export function workerCommand(deno: string, bootFile: string, memoryMb: number): string[] {
  const map = `--import-map=${closedImportMap()}`;
  const heap = `--max-old-space-size=${memoryMb},--heap-growing-percent=${HEAP_GROWING_PERCENT}`;
  return [deno, ...FLAGS, map, `--v8-flags=--expose-gc,${heap}`, bootFile];
}

/** Nothing of the host's environment. `DENO_DIR` cannot be made: nothing is cached or left behind. */
export const WORKER_ENV: Readonly<Record<string, string>> = {
  DENO_DIR: '/proc/millrace-no-deno-dir',
  DENO_NO_UPDATE_CHECK: '1',
  NO_COLOR: '1',
};

/** Deno itself maps this much writable memory before user code runs (measured). */
export const BASE_DATA_BYTES = 544 * 1024 * 1024;

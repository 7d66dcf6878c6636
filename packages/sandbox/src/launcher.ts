/**
 * Starts workers: Deno processes without any permission, behind every wall this machine gives.
 *
 * `launch` must be called on the main thread: the kernel ends a worker when the thread that started it ends.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { WorkerLauncher, WorkerProcess } from '@millrace/engine';
import { BASE_DATA_BYTES, WORKER_ENV, workerCommand } from './launch/command.ts';
import { denoBinary } from './launch/deno-binary.ts';
import { watchMemory } from './launch/memory-watch.ts';
import { readableByAll } from './launch/readable-copy.ts';
import { detectWalls, SYSTEM_PATH, type Walls } from './launch/walls.ts';
import { workerProcess } from './launch/worker-process.ts';
import { SandboxError } from './sandbox-error.ts';

export interface LauncherOptions {
  readonly log?: (message: string) => void;
  /** Another self-contained boot file than the built one; for tests. */
  readonly bootFile?: string;
}

/** Workers get uids of their own, below the range of real users and above that of most systems. */
const FIRST_UID = 61_000;
const UIDS = 4_000;
const MB = 1024 * 1024;

export function createWorkerLauncher(options: LauncherOptions = {}): WorkerLauncher {
  let prepared: Promise<Prepared> | undefined;
  let count = 0;
  let closed = false;
  const running = new Set<WorkerProcess>();
  return {
    async launch({ name, memoryMb }) {
      prepared ??= prepare(options);
      const ready = await prepared;
      if (closed) throw new SandboxError('start-failed', 'The launcher is closed.');
      const uid = FIRST_UID + ((process.pid * 31 + count++) % UIDS);
      return start(ready, { name, memoryMb, uid, running });
    },
    async close() {
      closed = true;
      const ends = [...running].map((worker) => new Promise((resolve) => worker.onExit(resolve)));
      for (const worker of running) worker.kill('the host is closing');
      await Promise.all(ends);
    },
  };
}

interface Prepared {
  readonly deno: string;
  readonly boot: string;
  readonly walls: Walls;
}

async function prepare(options: LauncherOptions): Promise<Prepared> {
  const binary = denoBinary();
  const boot = options.bootFile ?? builtBootFile();
  const hash = createHash('sha256').update(readFileSync(boot)).digest('hex').slice(0, 16);
  const walls = await detectWalls();
  if (walls.missing.length > 0)
    options.log?.(
      `Workers run without: ${walls.missing.join(', ')}. Deno's own permission check still holds.`,
    );
  return {
    deno: readableByAll(binary.file, `deno-${binary.version}-${process.arch}`),
    boot: readableByAll(boot, `boot-${hash}.js`),
    walls,
  };
}

/** Beside this file when built, in dist/ when run from source. */
function builtBootFile(): string {
  for (const place of ['./boot.js', '../dist/boot.js']) {
    const file = fileURLToPath(new URL(place, import.meta.url));
    if (existsSync(file)) return file;
  }
  throw new SandboxError(
    'not-built',
    'The worker program dist/boot.js of @millrace/sandbox is missing. Run npm run build.',
  );
}

interface Start {
  readonly name: string;
  readonly memoryMb: number;
  readonly uid: number;
  readonly running: Set<WorkerProcess>;
}

function start(ready: Prepared, { name, memoryMb, uid, running }: Start): Promise<WorkerProcess> {
  const dataBytes = BASE_DATA_BYTES + memoryMb * MB;
  const [command, ...args] = [
    ...ready.walls.wrap({ uid, dataBytes }),
    ...workerCommand(ready.deno, ready.boot, memoryMb),
  ];
  return new Promise((resolve, reject) => {
    const child = spawn(command!, args, {
      cwd: '/',
      // A process group of its own: Ctrl-C on the host is the host's to answer, by draining.
      detached: true,
      env: { ...WORKER_ENV, PATH: SYSTEM_PATH },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    child.once('error', (cause) =>
      reject(
        new SandboxError(
          'start-failed',
          `Worker ${name} could not be started (${command}): ${cause.message}`,
          cause,
        ),
      ),
    );
    child.once('spawn', () => {
      const worker = workerProcess(child, { memoryMb });
      running.add(worker);
      const stopWatch = ready.walls.limitsMemory
        ? undefined
        : watchMemory(child.pid!, memoryMb + 300, () =>
            worker.kill(`it used more memory than its limit of ${memoryMb} MB`),
          );
      child.once('exit', () => {
        stopWatch?.();
        running.delete(worker);
      });
      resolve(worker);
    });
  });
}

/**
 * Runs a job in a process of its own. User code can make a type check or a bundle take any time and memory (a
 * six-line type took 2 s and 380 MB); here that ends the child and becomes an answer, never an exception.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { childEntry } from './child-entry.ts';
import type { ChildMessage, Job, JobResult } from './job.ts';
import { processorTimeMs } from './processor-time.ts';

export interface Limits {
  /** Of processor time: on a busy machine a simple pipeline must not look like a slow type. */
  readonly timeoutMs: number;
  readonly memoryMb: number;
}

export const LIMITS: Limits = { timeoutMs: 10_000, memoryMb: 1024 };

/** `last` is the file that was being looked at, if it got that far. */
export type Outcome =
  | { readonly kind: 'done'; readonly result: JobResult }
  | { readonly kind: 'timeout'; readonly last: string | undefined }
  | { readonly kind: 'out-of-memory'; readonly last: string | undefined }
  | { readonly kind: 'crashed'; readonly last: string | undefined; readonly detail: string };

const STDERR_KEPT = 4096;

/** Loading TypeScript takes 0.5 s on an idle machine; a busy one must not turn that into a slow type. */
const START_MS = 60_000;
/** However busy the machine, nobody waits longer than so many times the limit. */
const PATIENCE = 6;

export async function runInChild(job: Job, limits: Limits = LIMITS): Promise<Outcome> {
  const child = fork(await childEntry(), [], {
    execArgv: [`--max-old-space-size=${limits.memoryMb}`],
    // Nothing of our environment: NODE_OPTIONS could undo the limits, secrets have no business there.
    env: process.env.SYSTEMROOT === undefined ? {} : { SYSTEMROOT: process.env.SYSTEMROOT },
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  return new Promise((resolve) => watch(child, job, limits, resolve));
}

/** Without limits, in this process. TypeScript and esbuild are loaded only now: a parent never needs them. */
export async function runHere(job: Job): Promise<Outcome> {
  const { loadFor } = await import('./job.ts');
  const run = await loadFor(job);
  return { kind: 'done', result: await run(() => {}) };
}

function watch(child: ChildProcess, job: Job, limits: Limits, resolve: (outcome: Outcome) => void): void {
  let last: string | undefined;
  let stderr = '';
  let settled = false;
  const settle = (outcome: Outcome): void => {
    if (settled) return;
    settled = true;
    clearTimeout(timer);
    child.kill('SIGKILL');
    resolve(outcome);
  };
  let timer = setTimeout(
    () => settle({ kind: 'crashed', last, detail: 'the process did not start' }),
    START_MS,
  );
  const startClock = (): void => {
    clearTimeout(timer);
    const computedBefore = processorTimeMs(child.pid) ?? 0;
    const deadline = performance.now() + limits.timeoutMs * PATIENCE;
    const look = (): void => {
      const computed = processorTimeMs(child.pid);
      const left = computed === undefined ? 0 : limits.timeoutMs - (computed - computedBefore);
      if (left <= 0 || performance.now() >= deadline) settle({ kind: 'timeout', last });
      else timer = setTimeout(look, Math.min(left, deadline - performance.now()));
    };
    timer = setTimeout(look, limits.timeoutMs);
  };
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr = (stderr + chunk.toString()).slice(-STDERR_KEPT);
  });
  child.on('message', (raw) => {
    const message = raw as ChildMessage;
    if (message.kind === 'started') startClock();
    else if (message.kind === 'progress') last = message.path;
    else if (message.kind === 'done') settle({ kind: 'done', result: message.result });
    else settle(failure(message.message, last));
  });
  child.on('error', (error) => settle({ kind: 'crashed', last, detail: error.message }));
  // `close` comes after the pipes are drained, so `stderr` is complete.
  child.on('close', (code, signal) => settle(failure(`${stderr}\nexit ${code ?? signal}`, last)));
  child.send(job, (error) => {
    if (error !== null && error !== undefined) settle({ kind: 'crashed', last, detail: error.message });
  });
}

function failure(detail: string, last: string | undefined): Outcome {
  if (/heap out of memory|Allocation failed|SIGABRT|exit 134/.test(detail))
    return { kind: 'out-of-memory', last };
  return { kind: 'crashed', last, detail: detail.trim() };
}

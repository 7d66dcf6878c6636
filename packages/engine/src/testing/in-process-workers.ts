/** Workers in this very process, for tests of the engine alone: the same data plane, frames and all. */
import type { WorkerExit, WorkerLauncher, WorkerProcess } from '../ports.ts';
import { createWorker } from '../worker/index.ts';

export class InProcessWorkers implements WorkerLauncher {
  readonly #module: unknown;
  readonly #now: () => number;
  readonly workers: InProcessWorker[] = [];

  constructor(module: unknown, now: () => number = Date.now) {
    this.#module = module;
    this.#now = now;
  }

  async launch(): Promise<WorkerProcess> {
    const worker = new InProcessWorker(this.#module, this.#now);
    this.workers.push(worker);
    return worker;
  }

  async close(): Promise<void> {
    for (const worker of this.workers) worker.kill();
  }
}

export class InProcessWorker implements WorkerProcess {
  readonly pid = undefined;
  readonly queuedBytes = 0;
  #toHost: ((frame: Uint8Array) => void) | undefined;
  #exit: ((exit: WorkerExit) => void) | undefined;
  #alive = true;
  readonly #plane;

  constructor(module: unknown, now: () => number) {
    this.#plane = createWorker({
      post: (frame) => {
        const copy = frame.slice();
        setImmediate(() => {
          if (this.#alive) this.#toHost?.(copy);
        });
      },
      now,
      loadModule: async () => ({ default: module }),
    });
  }

  send(frame: Uint8Array): void {
    const copy = frame.slice();
    setImmediate(() => {
      if (this.#alive) this.#plane.receive(copy);
    });
  }

  onFrame(handler: (frame: Uint8Array) => void): void {
    this.#toHost = handler;
  }

  onExit(handler: (exit: WorkerExit) => void): void {
    this.#exit = handler;
  }

  kill(reason?: string): void {
    if (!this.#alive) return;
    this.#alive = false;
    setImmediate(() => this.#exit?.({ code: null, signal: 'SIGKILL', reason, stderr: '' }));
  }
}

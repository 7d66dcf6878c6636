/**
 * Workers in this process that the code they run can end, as a loop or want of memory ends a real one: at once, in the
 * middle of a call, with everything said before it heard by the host.
 */
import type { WorkerExit, WorkerLauncher, WorkerProcess } from '../ports.ts';
import { createWorker } from '../worker/index.ts';

export interface MortalEnd {
  readonly signal: string;
  /** Why the launcher ended it, if it did. */
  readonly reason: string | undefined;
}

export const OF_TIME: MortalEnd = { signal: 'SIGKILL', reason: 'no progress for 5 s' };
export const OF_MEMORY: MortalEnd = {
  signal: 'SIGKILL',
  reason: 'it used more memory than its limit of 64 MB',
};
export const FROM_OUTSIDE: MortalEnd = { signal: 'SIGKILL', reason: undefined };

export class MortalWorkers implements WorkerLauncher {
  /** The code, which may call `die`. */
  module: unknown;
  readonly workers: MortalWorker[] = [];
  running: MortalWorker | undefined;
  /** Called with each worker that is started. */
  launched: ((worker: MortalWorker) => void) | undefined;

  async launch({ name }: { readonly name: string }): Promise<WorkerProcess> {
    const worker = new MortalWorker(this, name);
    this.workers.push(worker);
    setImmediate(() => this.launched?.(worker));
    return worker;
  }

  /** Ends the worker whose code calls it. Never returns. */
  readonly die = (end: MortalEnd): never => {
    this.running?.die(end);
    throw new Error('nothing hears of this');
  };

  named(part: string): MortalWorker[] {
    return this.workers.filter(({ name }) => name.includes(part));
  }

  async close(): Promise<void> {
    for (const worker of this.workers) worker.kill();
  }
}

export class MortalWorker implements WorkerProcess {
  readonly pid = undefined;
  readonly queuedBytes = 0;
  readonly name: string;
  #toHost: ((frame: Uint8Array) => void) | undefined;
  #exit: ((exit: WorkerExit) => void) | undefined;
  #state: 'alive' | 'dying' | 'dead' = 'alive';
  readonly #all: MortalWorkers;
  readonly #plane;

  constructor(all: MortalWorkers, name: string) {
    this.#all = all;
    this.name = name;
    this.#plane = createWorker({
      post: (frame) => {
        if (this.#state !== 'alive') return;
        const copy = frame.slice();
        setImmediate(() => {
          if (this.#state !== 'dead') this.#toHost?.(copy);
        });
      },
      now: Date.now,
      loadModule: async () => ({ default: all.module }),
    });
  }

  get isAlive(): boolean {
    return this.#state === 'alive';
  }

  send(frame: Uint8Array): void {
    const copy = frame.slice();
    setImmediate(() => {
      if (this.#state !== 'alive') return;
      // What follows of it runs before the next frame of anybody: as microtasks.
      this.#all.running = this;
      this.#plane.receive(copy);
    });
  }

  onFrame(handler: (frame: Uint8Array) => void): void {
    this.#toHost = handler;
  }

  onExit(handler: (exit: WorkerExit) => void): void {
    this.#exit = handler;
  }

  die({ signal, reason }: MortalEnd): void {
    if (this.#state !== 'alive') return;
    this.#state = 'dying';
    setImmediate(() => this.#end(signal, reason));
  }

  kill(reason?: string): void {
    if (this.#state === 'dead') return;
    this.#state = 'dead';
    setImmediate(() => this.#exit?.({ code: null, signal: 'SIGKILL', reason, stderr: '' }));
  }

  #end(signal: string, reason: string | undefined): void {
    if (this.#state === 'dead') return;
    this.#state = 'dead';
    this.#exit?.({ code: null, signal, reason, stderr: '' });
  }
}

/** Workers that speak the frames of the real ones and say whatever a test makes them say. */
import {
  decodeHostFrame,
  encodeWorkerFrame,
  type HostFrame,
  type WorkerConfiguration,
  type WorkerFrame,
} from '@millrace/protocol';
import type { WorkerExit, WorkerLauncher, WorkerProcess } from '../ports.ts';

export class HostileWorkers implements WorkerLauncher {
  readonly workers: HostileWorker[] = [];
  readonly #script: (worker: HostileWorker, frame: HostFrame) => void;

  /** `script` hears every frame of the host and answers as it likes. */
  constructor(script: (worker: HostileWorker, frame: HostFrame) => void) {
    this.#script = script;
  }

  async launch(): Promise<WorkerProcess> {
    const worker = new HostileWorker(this.#script, this.workers.length);
    this.workers.push(worker);
    return worker;
  }

  async close(): Promise<void> {
    for (const worker of this.workers) worker.kill();
  }
}

export class HostileWorker implements WorkerProcess {
  readonly pid = undefined;
  readonly incarnation: number;
  queuedBytes = 0;
  configuration: WorkerConfiguration | undefined;
  /** Frames sent after the host ended it would never arrive. */
  killedFor: string | undefined;
  heard: HostFrame[] = [];
  readonly #script: (worker: HostileWorker, frame: HostFrame) => void;
  #toHost: ((frame: Uint8Array) => void) | undefined;
  #exit: ((exit: WorkerExit) => void) | undefined;
  #alive = true;

  constructor(script: (worker: HostileWorker, frame: HostFrame) => void, incarnation: number) {
    this.#script = script;
    this.incarnation = incarnation;
  }

  get alive(): boolean {
    return this.#alive;
  }

  say(frame: WorkerFrame): void {
    this.raw(encodeWorkerFrame(frame).slice());
  }

  raw(bytes: Uint8Array): void {
    setImmediate(() => {
      if (this.#alive) this.#toHost?.(bytes);
    });
  }

  /** What a worker says when it is done with everything up to `throughSequence`. */
  status(throughSequence: number, more: Partial<Extract<WorkerFrame, { kind: 'status' }>> = {}): void {
    this.say({
      kind: 'status',
      throughSequence,
      bundlesSent: 0,
      pending: false,
      waiting: 0,
      running: 0,
      wakeAt: undefined,
      nextWallTimer: undefined,
      ...more,
    });
  }

  send(frame: Uint8Array): void {
    const decoded = decodeHostFrame(frame.slice());
    if (decoded.kind === 'configure') this.configuration = decoded.configuration;
    this.heard.push(decoded);
    setImmediate(() => {
      if (this.#alive) this.#script(this, decoded);
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
    this.killedFor = reason;
    setImmediate(() => this.#exit?.({ code: null, signal: 'SIGKILL', reason, stderr: '' }));
  }
}

/**
 * Workers as simulated processes: the real data plane behind pipes that keep their order and take their time. One
 * frame is processed after the other, and what it made is said when its time is over.
 */
import type { WorkerExit, WorkerLauncher, WorkerProcess } from '../../src/ports.ts';
import { createWorker } from '../../src/worker/index.ts';
import type { Hands } from './nodes.ts';
import { SimulatedProcess } from './virtual-time.ts';
import type { World } from './world.ts';

/** The code of a bundle anew, for a worker keeps nothing of another one; it is given what it can do to its worker. */
export type MakeModule = (bundle: string, worker: Pick<Hands, 'hang' | 'stall'>) => unknown;

export class SimulatedWorkers implements WorkerLauncher {
  readonly #world: World;
  readonly #host: SimulatedProcess;
  readonly #makeModule: MakeModule;
  readonly #tellsTime: boolean;
  readonly workers: SimulatedWorker[] = [];

  /** `tellsTime`: it is known how long a worker has computed. */
  constructor(world: World, host: SimulatedProcess, makeModule: MakeModule, tellsTime = true) {
    this.#world = world;
    this.#host = host;
    this.#makeModule = makeModule;
    this.#tellsTime = tellsTime;
  }

  async launch({ name }: { readonly name: string }): Promise<WorkerProcess> {
    await this.#world.pause(this.#host, this.#world.random.between(20, 150));
    const worker = new SimulatedWorker(this.#world, this.#host, name, this.#makeModule);
    if (!this.#tellsTime) Object.assign(worker, { processorMs: undefined });
    this.workers.push(worker);
    return worker;
  }

  get alive(): SimulatedWorker[] {
    return this.workers.filter(({ process }) => !process.isDead);
  }

  async close(): Promise<void> {
    for (const worker of this.alive) worker.kill();
  }
}

/** A pipe: what is sent later arrives later. */
class Pipe {
  readonly #world: World;
  #lastAt = 0;

  constructor(world: World) {
    this.#world = world;
  }

  /** Nothing that is sent from now on arrives before. */
  holdUntil(at: number): void {
    this.#lastAt = Math.max(this.#lastAt, at);
  }

  send(to: SimulatedProcess, arrive: () => void): void {
    const { time } = this.#world;
    this.#lastAt = Math.max(this.#lastAt, time.now + this.#world.latency('frames'));
    time.at(this.#lastAt, to, arrive);
  }
}

export class SimulatedWorker implements WorkerProcess {
  readonly pid = undefined;
  readonly process: SimulatedProcess;
  readonly #world: World;
  readonly #host: SimulatedProcess;
  readonly #toWorker: Pipe;
  readonly #toHost: Pipe;
  readonly #plane;
  readonly #inbox: Uint8Array[] = [];
  #isBusy = false;
  #spentMs = 0;
  /** It goes on then. */
  #stalledUntil = 0;
  #hears: ((frame: Uint8Array) => void) | undefined;
  #exits: ((exit: WorkerExit) => void) | undefined;

  constructor(world: World, host: SimulatedProcess, name: string, makeModule: MakeModule) {
    this.#world = world;
    this.#host = host;
    this.process = new SimulatedProcess(name, host);
    this.#toWorker = new Pipe(world);
    this.#toHost = new Pipe(world);
    const hands = {
      hang: () => this.process.hang(world.time.now),
      stall: (ms: number) => {
        this.#stalledUntil = world.time.now + ms;
        this.#toHost.holdUntil(this.#stalledUntil);
      },
    };
    this.#plane = createWorker({
      post: (frame) => this.#post(frame.slice()),
      now: () => world.time.now,
      // Frames come in the middle of a bundle, too.
      breathe: () => world.pause(this.process, 1),
      loadModule: async (bundle) => ({ default: makeModule(bundle, hands) }),
    });
  }

  /** Of what it is at it has spent nothing: one that is frozen in it spends nothing more. */
  processorMs(): number {
    const { hangsSince } = this.process;
    if (hangsSince === undefined) return this.#spentMs;
    return this.#spentMs + Math.max(0, this.#world.time.now - Math.max(hangsSince, this.#stalledUntil));
  }

  get queuedBytes(): number {
    return this.#inbox.reduce((sum, frame) => sum + frame.length, 0);
  }

  send(frame: Uint8Array): void {
    const copy = frame.slice();
    this.#toWorker.send(this.process, () => {
      this.#inbox.push(copy);
      if (!this.#isBusy) this.#work();
    });
  }

  onFrame(handler: (frame: Uint8Array) => void): void {
    this.#hears = handler;
  }

  onExit(handler: (exit: WorkerExit) => void): void {
    this.#exits = handler;
  }

  /** At once; what it has said is heard, and then that it has ended. */
  kill(reason?: string): void {
    if (this.process.isDead) return;
    this.process.kill();
    this.#toHost.send(this.#host, () => this.#exits?.({ code: null, signal: 'SIGKILL', reason, stderr: '' }));
  }

  #work(): void {
    const frame = this.#inbox.shift();
    this.#isBusy = frame !== undefined;
    if (frame === undefined) return;
    this.#plane.receive(frame);
    const takesMs = this.#world.random.next();
    const { time } = this.#world;
    time.at(Math.max(time.now, this.#stalledUntil) + takesMs, this.process, () => {
      this.#spentMs += takesMs;
      this.#work();
    });
  }

  #post(frame: Uint8Array): void {
    if (this.process.isDead || this.process.hangs) return;
    this.#toHost.send(this.#host, () => this.#hears?.(frame));
  }
}

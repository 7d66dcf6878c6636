/**
 * The data plane of a spare: it runs what waits and is due of one key after another, on the state as committed, so
 * that an input that ends workers ends this one (P8). Nothing of it counts: it has no lease, and what its calls make is
 * dropped with the stages of the trial.
 *
 * Owns: the trials it was given, in order.
 * Does not own: whose turn it is, and what its end means (`host/spare-crew`).
 *
 * Invariants
 *   SP1 (SU4)  an input is named from the beginning of its call until the calls of that step are over. Whatever is
 *              left of one, a promise or a microtask, runs while nothing is named.
 *   SP2        a trial begins with nothing of the one before: other stages, other keys.
 */
import type { RunPlan } from '@millrace/graph';
import {
  decodeHostFrame,
  encodeWorkerFrame,
  type HostFrame,
  type WorkerConfiguration,
  type WorkerFrame,
} from '@millrace/protocol';
import { ComputationStage, inputIdentity } from './computation-stage.ts';
import { KeyCache } from './key-cache.ts';
import { createHasher, type Hasher } from './key-hash.ts';
import { wantedTooMuch } from './memory-relief.ts';
import type { UserCode } from './user-code.ts';
import { failureOf, loadUserCode } from './user-code-loading.ts';
import type { Worker, WorkerPorts } from './worker-ports.ts';
import { type StageHooks, WorkerStages } from './worker-stages.ts';

type Trial = Extract<HostFrame, { kind: 'trial' }>;

/** As in a bundle (T5). */
const MAX_FIRINGS = 10_000;

export function createSparePlane(ports: WorkerPorts): Worker {
  return new SparePlane(ports);
}

class SparePlane implements Worker {
  readonly #ports: WorkerPorts;
  #configuration!: WorkerConfiguration;
  #code!: UserCode;
  #hasher!: Hasher;
  readonly #trials: Trial[] = [];
  #cache: KeyCache | undefined;
  #running = false;

  /** What was printed in a trial is printed again where it counts. */
  readonly print: Worker['print'] = () => undefined;

  constructor(ports: WorkerPorts) {
    this.#ports = ports;
  }

  receive(bytes: Uint8Array): void {
    const frame = decodeHostFrame(bytes);
    if (frame.kind === 'configure') void this.#guard(() => this.#configure(frame.configuration, frame.code));
    else if (frame.kind === 'fetched') this.#cache?.fetched(frame.request, frame.results);
    else if (frame.kind === 'trial') {
      this.#trials.push(frame);
      if (!this.#running) void this.#guard(() => this.#run());
    }
  }

  async #configure(configuration: WorkerConfiguration, source: string): Promise<void> {
    this.#configuration = configuration;
    this.#hasher = await createHasher();
    this.#code = await loadUserCode(this.#ports, source, configuration.plan as RunPlan);
    this.#post({ kind: 'ready' });
  }

  async #run(): Promise<void> {
    this.#running = true;
    for (let trial = this.#trials.shift(); trial !== undefined; trial = this.#trials.shift()) {
      const spent = await this.#try(trial);
      this.#post({ kind: 'tried', number: trial.number, spent });
    }
    this.#running = false;
  }

  /** Returns whether something of it still runs. */
  async #try(trial: Trial): Promise<boolean> {
    const stages = new WorkerStages(this.#configuration, this.#code, this.#hasher, this.#hooks(trial));
    const cache = new KeyCache(stages, (frame) => this.#post(frame));
    this.#cache = cache;
    for (const [node, standing] of Object.entries(trial.tables)) stages.tables.take(Number(node), standing);
    stages.restore(trial.entries);
    const stage = stages.all[trial.node];
    if (!(stage instanceof ComputationStage)) return false;
    const { runtime } = stage;
    runtime.allowFirings(MAX_FIRINGS);
    raise(stage, trial.watermark);
    stage.settleTables();
    for (;;) {
      runtime.fireDue();
      runtime.runWaiting();
      this.#post({ kind: 'progress', input: '' });
      const missing = runtime.keys.takeMissing();
      if (missing.length === 0) break;
      await cache.fetch(stage, missing);
    }
    return runtime.running > 0;
  }

  #hooks({ poison }: Trial): StageHooks {
    const nothing = (): undefined => undefined;
    return {
      now: this.#ports.now,
      deadLetter: nothing,
      log: nothing,
      wake: nothing,
      beforeRecord: nothing,
      beforeCall: (node, input) => {
        const identity = inputIdentity(node.id, input);
        if (Object.hasOwn(poison, identity)) return new Error(poison[identity]);
        this.#post({ kind: 'progress', input: identity });
        return undefined;
      },
      afterFailure: (error) => {
        if (wantedTooMuch(error)) this.#ports.collectGarbage?.();
      },
    };
  }

  #post(frame: WorkerFrame): void {
    this.#ports.post(encodeWorkerFrame(frame));
  }

  async #guard(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#post(failureOf(error));
    }
  }
}

function raise({ runtime }: ComputationStage, watermark: Trial['watermark']): void {
  if (watermark.kind === 'ended') runtime.advance(Number.POSITIVE_INFINITY);
  else if (watermark.kind === 'at') runtime.advance(watermark.time);
}

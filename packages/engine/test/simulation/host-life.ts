/** One engine host, from its start to its end: what it does about what is wished of its pipeline. */
import type { PipelineRun, RunOptions, RunResult } from '../../src/host/run-options.ts';
import type { PipelineStore } from '../../src/ports.ts';
import type { SimulatedWorkers } from './simulated-workers.ts';
import { gone, type Version } from './versions.ts';
import type { SimulatedProcess } from './virtual-time.ts';

export interface HostLifeOptions {
  readonly process: SimulatedProcess;
  readonly workers: SimulatedWorkers;
  readonly store: PipelineStore;
  /** By number, from 1 on. */
  readonly versions: readonly Version[];
  /** What is wished now: a version's number. */
  readonly wish: () => number;
  readonly optionsOf: (version: Version, more: Partial<RunOptions>) => RunOptions;
  readonly run: (options: RunOptions) => PipelineRun;
  /** Negative controls: a version is left as it stands; what has gone of it keeps its state. */
  readonly isHasty: boolean;
  readonly keepsState: boolean;
}

export class HostLife {
  readonly process: SimulatedProcess;
  readonly workers: SimulatedWorkers;
  readonly #options: HostLifeOptions;
  /** Undefined between two runs. */
  run: PipelineRun | undefined;

  constructor(options: HostLifeOptions) {
    this.process = options.process;
    this.workers = options.workers;
    this.#options = options;
  }

  /**
   * Ends with the run that ended otherwise than for another version. As in the engine host (NS1): a version is left by
   * a drain, what has gone of it is dropped, and then the next one is active.
   */
  async live(): Promise<RunResult> {
    const { store, wish, versions, isHasty, keepsState } = this.#options;
    /** Of the active version nothing is in flight, and these nodes are dropped. */
    let left: readonly string[] | undefined;
    const isLeft = (dropState: readonly string[]) =>
      left !== undefined && dropState.every((id) => left?.includes(id));
    for (;;) {
      const active = this.#version((await store.versions.current())?.number ?? 1);
      const wished = this.#version(wish());
      if (active === wished) {
        const result = await this.#begin(active, {});
        if (result.kind !== 'drained' || active === versions[wish() - 1]) return result;
        left = [];
        continue;
      }
      const dropState = keepsState ? [] : gone(active, wished);
      if (!isHasty && !isLeft(dropState)) {
        const result = await this.#begin(active, { drainOnly: true, dropState });
        if (result.kind !== 'drained') return result;
        left = dropState;
        continue;
      }
      const outcome = await store.versions.activate(await store.claimHost(), wished.number);
      if (outcome === 'fenced') return { kind: 'failed', cause: 'fenced', summary: { nodes: [] } };
      left = undefined;
    }
  }

  async #begin(version: Version, more: Partial<RunOptions>): Promise<RunResult> {
    this.run = this.#options.run(this.#options.optionsOf(version, more));
    const result = await this.run.finished;
    this.run = undefined;
    return result;
  }

  #version(number: number): Version {
    return this.#options.versions[number - 1] as Version;
  }
}

/**
 * What a worker does about intervals of keys that change their owner (docs/decisions/moving-intervals.md).
 *
 * Owns: which change it has come to, what it is to give up with the bundle being made.
 * Does not own: where records go (`router`), when a change comes (the host).
 *
 * Invariants
 *   MV1 (P6)  keys leave with the bundle that says so: everything of them is sealed in it or before it, and its counts are
 *             without them: there may be none after it (P9).
 *   MV3 (P11) keys that came are handed over in memory only when nothing is on its way to them through the host.
 */
import type { HostFrame, IntervalChange, MovedKeys, StoreEntry } from '@millrace/protocol';
import type { KeyEntry } from '@millrace/sdk/runtime';
import { ComputationStage } from './computation-stage.ts';
import type { WorkerStages } from './worker-stages.ts';

type Inheritance = Extract<HostFrame, { kind: 'inherit' }>;

export class IntervalDuty {
  readonly #stages: WorkerStages;
  #step: number | undefined;
  #gives: MovedKeys | undefined;
  /** The last bundle with something for the channel of an interval that moves. */
  #lastAway = 0;
  /** What came of an interval that is not whole yet. */
  #left: StoreEntry[] = [];

  constructor(stages: WorkerStages) {
    this.#stages = stages;
    const { intervals } = stages.configuration;
    if (intervals !== undefined) this.#adopt(intervals);
  }

  /** A bundle that is about to be sealed has something for it. */
  sentAway(bundle: number): void {
    this.#lastAway = bundle;
  }

  take(change: IntervalChange): void {
    const { router, configuration } = this.#stages;
    // It is told again when that is through.
    if (change.through !== undefined && (this.#lastAway > change.through || router.sendsAway)) return;
    this.#adopt(change);
    if (configuration.faults?.keptIntervals !== true) this.#gives = change.gives;
  }

  #adopt({ step, tables, frozen, held }: Omit<IntervalChange, 'gives' | 'through'>): void {
    const { router, computations, configuration } = this.#stages;
    const moves = configuration.faults?.unfrozenMoves !== true;
    this.#step = step;
    router.cut(tables);
    for (const stage of computations) {
      stage.freeze(moves && frozen.includes(stage.node.index), moves && held.includes(stage.node.index));
      stage.leave(undefined);
    }
  }

  /** The change whose coming the bundle being made is to tell, once. */
  takeStep(): number | undefined {
    const step = this.#step;
    this.#step = undefined;
    return step;
  }

  /** MV1: between the seal of the keys and that of the counts. Returns the estimated bytes that are free. */
  giveUp(): number {
    const gives = this.#gives;
    if (gives === undefined) return 0;
    this.#gives = undefined;
    let bytes = 0;
    for (const node of gives.nodes) {
      const stage = this.#stages.all[node];
      if (stage instanceof ComputationStage) bytes += this.#leave(stage, gives);
    }
    return bytes;
  }

  #leave(stage: ComputationStage, { start, end }: MovedKeys): number {
    const seal = this.#stages.sealOf(stage);
    const { runtime } = stage;
    let bytes = 0;
    const leaves = (entry: KeyEntry) => {
      const high = seal.highOf(entry);
      return high >= start && high < end;
    };
    for (const entry of [...runtime.keys.all()])
      if (leaves(entry)) {
        bytes += entry.weight;
        runtime.giveUp(entry);
      }
    stage.leave({ start, end });
    runtime.keys.knowsNoMore();
    // Those of keys that left may lie at the horizon; those that stay are read again.
    if (runtime.hasHorizon) runtime.timersAreStored();
    return bytes;
  }

  /** In front of whatever waited for its keys in between. The last frame has the watermarks. */
  inherit({ watermarks, farNodes, entries }: Inheritance): void {
    for (const entry of entries) this.#left.push(entry);
    if (watermarks.length === 0) return;
    const left = bySpace(this.#left);
    this.#left = [];
    const { all, computations, configuration } = this.#stages;
    for (const inherited of watermarks) {
      const stage = all[inherited.node];
      if (!(stage instanceof ComputationStage)) continue;
      // First, or what is restored would be taken for all there is of its key.
      stage.runtime.keys.knowsNoMore();
      this.#stages.restoreKeys(stage, left);
      if (farNodes.includes(inherited.node)) stage.runtime.timersAreStored();
      stage.inherit(inherited);
      for (const next of computations) next.hearLowered(inherited.node, configuration.slot, stage.output);
    }
  }
}

function bySpace(entries: readonly StoreEntry[]): Map<number, StoreEntry[]> {
  const spaces = new Map<number, StoreEntry[]>();
  for (const entry of entries) {
    const list = spaces.get(entry.space);
    if (list === undefined) spaces.set(entry.space, [entry]);
    else list.push(entry);
  }
  return spaces;
}

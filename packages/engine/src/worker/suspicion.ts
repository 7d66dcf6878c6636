/**
 * The inputs of this worker that may be what ended an earlier one (P8): they wait until a spare has tried them.
 *
 * Owns: which of the held keys are asked for, and what becomes of the answers.
 * Does not own: what is held, and its order (`waiting-inputs`); trying anything (`spare-plane`).
 *
 * Invariants
 *   SU3  a key is asked for only when all that ran of it is committed, once at a time; until the answer nothing of it
 *        runs, and what comes for it meanwhile only waits. So a spare that reads the store finds the state on which the
 *        input will run.
 *   SN1  as many keys are asked for at a time as the host allows, and as many inputs held as memory is worth.
 */
import {
  ENDED,
  type HostFrame,
  MOST_SUSPECTS,
  NOT_YET,
  type Watermark,
  type WorkerFrame,
} from '@millrace/protocol';
import type { KeyEntry, WaitingInput } from '@millrace/sdk/runtime';
import type { Care } from './care.ts';
import type { ComputationStage } from './computation-stage.ts';
import type { WorkerStages } from './worker-stages.ts';

export type Advice = Extract<HostFrame, { kind: 'cleared' | 'condemned' | 'trusted' }>;

interface Asked {
  readonly stage: ComputationStage;
  readonly entry: KeyEntry;
  /** The due timers that were tried with what is stored. */
  readonly timers: ReadonlySet<WaitingInput>;
}

/** Held keys beyond which the rest runs untried: trying them would take longer than another death. */
const MOST_HELD = 20_000;

export class Suspicion {
  readonly #stages: WorkerStages;
  readonly #care: Care;
  readonly #post: (frame: WorkerFrame) => void;
  readonly #asked = new Map<number, Asked>();
  readonly #askedKeys = new Set<KeyEntry>();
  /** Of keys of which nothing can run: the bundle that holds the last of what did. */
  readonly #ranUntil = new Map<KeyEntry, number>();
  #number = 0;

  constructor(stages: WorkerStages, care: Care, post: (frame: WorkerFrame) => void) {
    this.#stages = stages;
    this.#care = care;
    this.#post = post;
    care.isHolding = stages.configuration.isSuspicious === true;
  }

  /** Asks for held keys, where what ran is committed. `made`: the last bundle that was begun; `committed`: that is. */
  ask(made: number, committed: number): void {
    let held = 0;
    let isSuspicious = false;
    for (const stage of this.#stages.computations) {
      held += stage.runtime.heldKeys.size;
      if (stage.runtime.isSuspicious) isSuspicious = true;
      if (this.#asked.size <= MOST_SUSPECTS / 2) this.#askFor(stage, made, committed);
    }
    if (held > MOST_HELD) this.#trustNew();
    this.#care.isHolding = held > 0 || isSuspicious;
  }

  #askFor(stage: ComputationStage, made: number, committed: number): void {
    for (const entry of stage.runtime.heldKeys) {
      if (this.#asked.size >= MOST_SUSPECTS) return;
      if (this.#askedKeys.has(entry) || entry.waiting?.first?.held !== true) continue;
      // A bundle that was begun may have become none.
      const ranUntil = Math.min(made, this.#ranUntil.get(entry) ?? made);
      this.#ranUntil.set(entry, ranUntil);
      if (ranUntil > committed) continue;
      const timers = [...(entry.waiting ?? [])].filter(({ held, input }) => held && 'owner' in input);
      this.#asked.set(++this.#number, { stage, entry, timers: new Set(timers) });
      this.#askedKeys.add(entry);
      this.#post({
        kind: 'suspect',
        number: this.#number,
        node: stage.node.index,
        prefix: this.#stages.sealOf(stage).prefixOf(entry),
        watermark: watermarkOf(stage),
      });
    }
  }

  receive(frame: Advice, bundlesSent: number): void {
    switch (frame.kind) {
      case 'cleared':
        return this.#cleared(frame.number, frame.through);
      case 'condemned':
        return this.#care.condemn(frame.input, frame.reason);
      case 'trusted':
        this.#trustNew();
        if (frame.held) this.#trustHeld(bundlesSent);
    }
  }

  #cleared(number: number, through: number): void {
    const asked = this.#asked.get(number);
    if (asked === undefined) return;
    const { stage, entry, timers } = asked;
    this.#asked.delete(number);
    this.#askedKeys.delete(entry);
    this.#ranUntil.delete(entry);
    stage.runtime.letGo(entry, (item) =>
      'owner' in item.input ? timers.has(item) : item.storedAs > 0 && item.storedAs <= through,
    );
  }

  #trustNew(): void {
    for (const { runtime } of this.#stages.computations) runtime.isSuspicious = false;
  }

  #trustHeld(bundlesSent: number): void {
    this.#asked.clear();
    this.#askedKeys.clear();
    this.#ranUntil.clear();
    this.#care.begin(bundlesSent);
    for (const { runtime } of this.#stages.computations) runtime.trustAll();
  }
}

function watermarkOf({ runtime }: ComputationStage): Watermark {
  const { input } = runtime.clock;
  if (input === undefined) return NOT_YET;
  return input === Number.POSITIVE_INFINITY ? ENDED : { kind: 'at', time: input };
}

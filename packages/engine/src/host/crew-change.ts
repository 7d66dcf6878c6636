/**
 * Changes how many workers a pipeline has while it runs (docs/decisions/changing-workers.md): new ones are given their
 * share of the keys by moves; those that are to go give all of theirs away, leave their partitions to others, and end.
 *
 * Owns: what is done next, and when. Every step is stored, so that whoever begins goes on from there.
 * Does not own: the moves (`interval-mover`), which keys (`key-shares`), the workers' life (`worker-crew`).
 *
 * Invariants
 *   CW1 (P6)  a worker is there, and has committed, before it is given a key; it has none when it goes.
 *   CW2 (P7)  a partition changes its reader when all that was read of it is committed, and while nobody reads it.
 *   CW3 (W3)  the watermark of its new reader starts no higher than the old one's stood.
 */
import { ByteReader, ByteWriter, decodeValue, encodeValue, META_SPACE, metaKeys } from '@millrace/protocol';
import type { WatermarkAuthority } from '../watermark/authority.ts';
import { slotTarget } from './deliveries.ts';
import type { IntervalMover, StoredStep } from './interval-mover.ts';
import type { Intervals } from './intervals.ts';
import { nextShare } from './key-shares.ts';
import type { OpenConnectors } from './open-connectors.ts';
import { numberBytes, type Recovered } from './recovery.ts';
import type { RunOptions } from './run-options.ts';
import type { WorkerCrew } from './worker-crew.ts';
import type { WorkerSlot } from './worker-slot.ts';

export interface CrewChangeOptions {
  readonly run: RunOptions;
  readonly recovered: Recovered;
  readonly intervals: Intervals;
  readonly mover: IntervalMover;
  readonly authority: WatermarkAuthority;
  readonly connectors: OpenConnectors;
  readonly crew: WorkerCrew;
  /** Of all workers; they come and go at its end. */
  readonly slots: WorkerSlot[];
  readonly newSlot: (index: number) => WorkerSlot;
  /** Nothing new is begun. */
  readonly isOver: () => boolean;
  readonly failed: (error: unknown) => void;
}

/** Who reads what another has read, and of which injectors. */
type Heirs = ReadonlyMap<WorkerSlot, ReadonlySet<number>>;

interface Waiting {
  readonly isDue: () => boolean;
  readonly go: () => void;
}

export class CrewChange {
  readonly #options: CrewChangeOptions;
  readonly #computations: readonly number[];
  #wanted: number;
  #work: Promise<void> | undefined;
  #waiting: Waiting | undefined;

  constructor(options: CrewChangeOptions) {
    this.#options = options;
    this.#wanted = options.run.workers;
    this.#computations = options.run.version.plan.nodes
      .filter(({ kind }) => kind === 'computation')
      .map(({ index }) => index);
  }

  /** Resolves when there are as many as were wanted last, or the run is over. */
  want(workers: number): Promise<void> {
    this.#wanted = workers;
    if (this.#isDone) return Promise.resolve();
    this.#work ??= this.#goOn();
    return this.#work;
  }

  /** How many there will be; undefined: no change is under way. */
  get goal(): number | undefined {
    return this.#work && this.#wanted;
  }

  /** Something has happened. */
  look(): void {
    const waiting = this.#waiting;
    if (waiting === undefined || !waiting.isDue()) return;
    this.#waiting = undefined;
    waiting.go();
  }

  async #goOn(): Promise<void> {
    try {
      while (!this.#isDone) await this.#step();
    } catch (error) {
      this.#options.failed(error);
    }
    this.#work = undefined;
  }

  get #isDone(): boolean {
    const { intervals, slots, isOver } = this.#options;
    return isOver() || (intervals.goal === undefined && slots.length === this.#wanted);
  }

  async #step(): Promise<void> {
    const { intervals, mover, slots } = this.#options;
    const wanted = this.#wanted;
    if (intervals.goal !== wanted) return this.#aim(wanted);
    const move = nextShare(this.#computations, (node) => intervals.tableOf(node), wanted);
    if (move !== undefined) await mover.move(move);
    else if (slots.length > wanted) await this.#retire(slots.at(-1) as WorkerSlot);
    else await this.#end();
  }

  /** New workers are there from the moment that this is stored. */
  async #aim(goal: number): Promise<void> {
    const { intervals, mover, slots, crew, newSlot } = this.#options;
    const added: WorkerSlot[] = [];
    await mover.between(async () => {
      const facts = { slots: Math.max(goal, slots.length), goal, readers: intervals.readers };
      return this.#stored(facts, {
        committed: () => {
          while (slots.length < facts.slots) {
            const slot = newSlot(slots.length);
            slots.push(slot);
            added.push(slot);
          }
          this.#resized(facts.slots);
        },
      });
    });
    for (const slot of added) crew.join(slot);
  }

  async #end(): Promise<void> {
    const { intervals, mover, slots } = this.#options;
    await mover.between(async () =>
      this.#stored({ slots: slots.length, goal: undefined, readers: intervals.readers }, {}),
    );
  }

  #resized(slots: number): void {
    const { authority, connectors, crew, mover } = this.#options;
    authority.grow(slots);
    connectors.resize(slots);
    mover.resize(slots);
    crew.resize();
  }

  #stored(
    facts: Parameters<Intervals['changed']>[0],
    { also = [], still = () => true, committed = () => undefined }: Partial<StoredStep>,
  ): StoredStep {
    const { intervals, run } = this.#options;
    // MV0: nobody's keys become another's by it.
    const kept = run.faults?.without('unkept-tables') === true ? [] : this.#computations;
    return {
      intervals: intervals.storedChange(facts, kept),
      also: [[metaKeys.workers(), numberBytes(facts.slots)], ...also],
      still,
      committed: () => {
        intervals.changed(facts, kept);
        committed();
      },
    };
  }

  // ---- going -----------------------------------------------------------------------------------------

  /** CW1: it has no key any more. It finishes what it has read, and whoever takes its partitions is started anew. */
  async #retire(slot: WorkerSlot): Promise<void> {
    const { mover, crew, isOver } = this.#options;
    const isKept = () => isOver() || this.#wanted > slot.index;
    slot.retire();
    await this.#until(() => isKept() || this.#mayGo(slot));
    let heirs: Heirs = new Map();
    const isGone =
      !isKept() &&
      (await mover.between(async () => {
        if (isKept() || !this.#mayGo(slot)) return undefined;
        heirs = this.#heirsOf(slot);
        await Promise.all([...heirs.keys()].map((heir) => crew.hold(heir)));
        return this.#leaving(slot, heirs);
      }));
    for (const heir of heirs.keys()) crew.release(heir);
    if (!isGone && isKept()) await crew.stays(slot);
  }

  #until(isDue: () => boolean): Promise<void> {
    if (isDue()) return Promise.resolve();
    return new Promise((go) => {
      this.#waiting = { isDue, go };
    });
  }

  /** CW2, as far as it can be told without stopping anybody. */
  #mayGo(slot: WorkerSlot): boolean {
    const isSound = (of: WorkerSlot) => of.link?.state === 'running' && !of.isMistrusted && !of.onTrial();
    return isSound(slot) && this.#isQuiet(slot) && [...this.#heirsOf(slot).keys()].every(isSound);
  }

  #isQuiet({ index, link }: WorkerSlot): boolean {
    const { recovered } = this.#options;
    return link?.quiescent === true && recovered.deliveries.isEmpty(slotTarget(index));
  }

  #heirsOf({ index }: WorkerSlot): Heirs {
    const { connectors, intervals, slots } = this.#options;
    const readers = intervals.readersAmong(index);
    const heirs = new Map<WorkerSlot, Set<number>>();
    for (const { node, partition } of connectors.assignedTo(index)) {
      const heir = slots[intervals.readerOf(partition, readers)] as WorkerSlot;
      heirs.set(heir, (heirs.get(heir) ?? new Set()).add(node));
    }
    return heirs;
  }

  /** CW2, CW3: in one transaction, while none of the heirs has a process. */
  async #leaving(slot: WorkerSlot, heirs: Heirs): Promise<StoredStep> {
    const { intervals, crew, run } = this.#options;
    const readers = intervals.readersAmong(slot.index);
    const also: [Uint8Array, Uint8Array][] = [];
    if (run.faults?.without('unlowered-heirs') !== true)
      for (const [heir, nodes] of heirs)
        for (const node of nodes) also.push(await this.#lowered(heir.index, slot.index, node));
    return this.#stored(
      { slots: slot.index, goal: intervals.goal, readers },
      {
        also,
        still: () => {
          if (!this.#isQuiet(slot)) return false;
          crew.ends(slot);
          return true;
        },
        committed: () => this.#left(slot, heirs),
      },
    );
  }

  async #lowered(heir: number, slot: number, node: number): Promise<[Uint8Array, Uint8Array]> {
    const { paged, nodeNumbers } = this.#options.recovered;
    const number = nodeNumbers[node] as number;
    const read = async (of: number): Promise<StoredOutput> => {
      const bytes = await paged.get(META_SPACE, metaKeys.watermarks(of, number));
      return bytes === undefined ? {} : (decodeValue(new ByteReader(bytes)) as StoredOutput);
    };
    const w = new ByteWriter(32);
    encodeValue(w, lowerOf(await read(heir), await read(slot)));
    return [metaKeys.watermarks(heir, number), w.take()];
  }

  #left(slot: WorkerSlot, heirs: Heirs): void {
    const { authority, slots } = this.#options;
    for (const [heir, nodes] of heirs)
      for (const node of nodes) authority.readsFor(heir.index, slot.index, node);
    authority.leave(slot.index);
    slots.pop();
    this.#resized(slots.length);
    for (const other of slots) {
      for (const heir of heirs.keys()) other.hearsLowered(heir.index);
      other.hears(slot.index);
    }
  }
}

interface StoredOutput {
  readonly out?: number | undefined;
  readonly kind?: string | undefined;
}

/** CW3: where an injector of `heir` starts that reads what `left` read, too. */
export function lowerOf(heir: StoredOutput, left: StoredOutput): StoredOutput {
  if (left.kind === 'ended') return heir;
  if (heir.kind === undefined || heir.kind === 'ended')
    return heir.out === undefined || left.out === undefined
      ? left
      : { ...left, out: Math.min(heir.out, left.out) };
  if (left.kind === 'idle') return heir;
  if (heir.out === undefined || left.out === undefined) return { kind: 'not-yet' };
  return { ...heir, out: Math.min(heir.out, left.out) };
}

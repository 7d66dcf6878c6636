/**
 * Weak productions (P5): what a node with weak productions makes for another worker goes there before it is stored, and
 * is left out of the log where its receiver has answered by then.
 *
 * A bundle waits for the bundles that its receivers make of it, these wait for those of theirs, and all of them are
 * stored in one transaction: the acknowledgement goes up the graph with it. What is not answered within the threshold
 * is stored with the bundle, as a strong production is (the checkpoint), and gone with its acknowledgement.
 *
 * Owns: what is out and not committed, how long it is waited for, what of it is stored.
 * Does not own: the log's order (`committer`), queues of receivers (`deliveries`), ending workers (`worker-crew`).
 *
 * Invariants
 *   WP1 (P11)  what goes out early keeps its place: nothing for the same worker is waiting to be committed in front of it.
 *   WP2 (P3)   where what went out is lost, whoever was given it is ended, and nothing that was made of it is committed.
 *   WP3 (P5)   it is left out of the log only in the transaction that also stores what was made of it.
 *   WP4 (P5)   nobody waits longer than the threshold, nor for a worker that has not acknowledged what was stored for it,
 *              nor for one that cannot answer before something is committed.
 */
import type { RunPlan } from '@millrace/graph';
import {
  type Batch,
  type BundleBody,
  ByteReader,
  META_SPACE,
  metaKeys,
  SINK_SLOT,
  walkChanges,
  withoutBatches,
} from '@millrace/protocol';
import type { CommitGate, WaitingBundle } from './committer.ts';
import { type Deliveries, slotTarget } from './deliveries.ts';
import type { WorkerLink } from './worker-link.ts';

/** Why a worker is ended that did nothing wrong. */
export const UNSTORED = 'it was given what a lost worker had not stored yet';
export const CHECKPOINT_AFTER_MS = 1_000;

export interface WeakCounts {
  /** Records that went to another worker before they were stored. */
  readonly early: number;
  /** Of these, stored all the same, because they were not answered in time. */
  readonly checkpointed: number;
}

export interface WeakProductionsOptions {
  readonly plan: RunPlan;
  readonly deliveries: Deliveries;
  /** By slot. */
  readonly workers: readonly { readonly link: WorkerLink | undefined; pump(): void }[];
  /** Keys change their worker: everything goes the stored way meanwhile. */
  readonly isMoving: () => boolean;
  readonly now: () => number;
  /** Negative control: who was given what was lost goes on with it. */
  readonly keepsReceivers?: boolean;
}

/** A bundle that is not committed. */
interface Pending {
  readonly position: number;
  readonly link: WorkerLink;
  readonly since: number;
  /** Slots it is for. */
  readonly slots: ReadonlySet<number>;
  /** Of these, which got it already. */
  readonly early: Set<number>;
  /** Position up to which its worker has taken what is for it. */
  readonly taken: number;
}

export function hasWeakProductions({ nodes }: RunPlan): boolean {
  return nodes.some(({ productions }) => productions === 'weak');
}

export class WeakProductions implements CommitGate {
  readonly #options: WeakProductionsOptions;
  /** By stream. */
  readonly #isWeak: readonly boolean[];
  /** By position, in that order. */
  readonly #pending = new Map<number, Pending>();
  /** By slot: the last position that was stored for a worker though it had it already. */
  readonly #checkpointed = new Map<number, number>();
  #earlyRecords = 0;
  #checkpointedRecords = 0;

  constructor(options: WeakProductionsOptions) {
    this.#options = options;
    const { nodes, streams } = options.plan;
    this.#isWeak = streams.map(
      ({ from, to }) => nodes[from]?.productions === 'weak' && nodes[to]?.kind !== 'sink',
    );
  }

  get counts(): WeakCounts {
    return { early: this.#earlyRecords, checkpointed: this.#checkpointedRecords };
  }

  submitted({ position, submission }: WaitingBundle, isAlone: boolean): void {
    const { now, deliveries, workers, isMoving } = this.#options;
    const { link, body, origin } = submission;
    const bySlot = new Map<number, Batch[]>();
    for (const batch of body.batches)
      if (batch.slot !== SINK_SLOT) bySlot.set(batch.slot, [...(bySlot.get(batch.slot) ?? []), batch]);
    const since = now();
    const early = new Set<number>();
    // WP1: what the host itself appends is for anybody.
    if (isAlone && !isMoving())
      for (const [slot, batches] of bySlot) if (this.#mayGo(slot, batches)) early.add(slot);
    this.#pending.set(position, {
      position,
      link,
      since,
      slots: new Set(bySlot.keys()),
      early,
      taken: takenThrough(body, link.slot),
    });
    for (const slot of early) {
      const batches = bySlot.get(slot) as Batch[];
      deliveries.addEarly(slotTarget(slot), position, batches, since, origin);
      this.#earlyRecords += recordsOf(batches);
      workers[slot]?.pump();
    }
  }

  #mayGo(slot: number, batches: readonly Batch[]): boolean {
    if (this.#options.workers[slot] === undefined) return false;
    if (!batches.every(({ stream }) => this.#isWeak[stream] === true)) return false;
    for (const { slots, early } of this.#pending.values())
      if (slots.has(slot) && !early.has(slot)) return false;
    return true;
  }

  ready(waiting: readonly WaitingBundle[]): number {
    const pending = waiting.map(({ position }) => this.#pending.get(position));
    const now = this.#options.now();
    const [first] = pending;
    if (first === undefined || now - first.since >= 2 * CHECKPOINT_AFTER_MS) return waiting.length;
    let end = pending.length;
    for (let i = pending.length - 1; i >= 0; i--) {
      const bundle = pending[i];
      if (bundle === undefined || bundle.early.size === 0) continue;
      const takers = [...bundle.early].map((slot) => takerOf(pending, bundle, slot));
      const isMissing = [...bundle.early].some(
        (slot, n) => takers[n] === undefined && this.#isWorthIt(bundle, slot, now),
      );
      if (isMissing || takers.some((at) => at !== undefined && at >= end)) end = i;
    }
    return end;
  }

  /** WP4 */
  #isWorthIt({ position, since }: Pending, slot: number, now: number): boolean {
    const { deliveries, workers } = this.#options;
    const target = slotTarget(slot);
    const link = workers[slot]?.link;
    if (now - since >= CHECKPOINT_AFTER_MS || link?.state !== 'running' || link.isFull) return false;
    if (this.#checkpointed.has(slot)) {
      if (!deliveries.isAcknowledged(target, this.#checkpointed.get(slot) as number)) return false;
      this.#checkpointed.delete(slot);
    }
    return deliveries.isWith(target, position);
  }

  /** WP3 */
  bodies(group: readonly WaitingBundle[]): readonly Uint8Array[] {
    const pending = group.map(({ position }) => this.#pending.get(position));
    return group.map(({ position, submission: { body } }, i) => {
      const bundle = pending[i];
      if (bundle === undefined || bundle.early.size === 0) return body.bytes;
      const answered = new Set<number>();
      for (const slot of bundle.early)
        if (takerOf(pending, bundle, slot) !== undefined) answered.add(slot);
        else {
          this.#checkpointed.set(slot, position);
          this.#checkpointedRecords += recordsOf(body.batches.filter((batch) => batch.slot === slot));
        }
      return answered.size === 0 ? body.bytes : withoutBatches(body, ({ slot }) => answered.has(slot));
    });
  }

  over({ position }: WaitingBundle): void {
    this.#pending.delete(position);
  }

  /** WP2 */
  lost(bundles: readonly WaitingBundle[]): readonly WorkerLink[] {
    const { deliveries, workers, keepsReceivers } = this.#options;
    const ended = new Set<WorkerLink>();
    for (const { position } of bundles) {
      for (const slot of this.#pending.get(position)?.early ?? []) {
        const link = workers[slot]?.link;
        const has = deliveries.withdraw(slotTarget(slot), position);
        if (has && link?.state === 'running') ended.add(link);
      }
      this.#pending.delete(position);
    }
    if (keepsReceivers === true) return [];
    for (const link of ended) link.kill(UNSTORED, true);
    return [...ended];
  }
}

/** Where in a group the bundle is by which the worker of a slot has taken what another one made for it. */
function takerOf(
  group: readonly (Pending | undefined)[],
  { position }: Pending,
  slot: number,
): number | undefined {
  const at = group.findIndex(
    (each) => each !== undefined && each.link.slot === slot && each.taken >= position,
  );
  return at < 0 ? undefined : at;
}

function takenThrough(body: BundleBody, slot: number): number {
  const name = metaKeys.delivered(slot);
  let taken = 0;
  walkChanges(body, (change) => {
    if (change.space !== META_SPACE || change.removed || !isSame(change.key, name)) return;
    taken = new ByteReader(change.value as Uint8Array).f64();
  });
  return taken;
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

function recordsOf(batches: readonly Batch[]): number {
  return batches.reduce((sum, { count }) => sum + count, 0);
}

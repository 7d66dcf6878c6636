/**
 * Moves intervals of keys from one running worker to another, one at a time, while everything else goes on
 * (docs/decisions/moving-intervals.md). Splitting and merging are moves of part of an interval, and next to one's own.
 *
 * Owns: what makes a move go on, what each worker is told of it and when.
 * Does not own: the tables (`intervals`), queues (`deliveries`), what a worker does about it (`interval-duty`).
 *
 * Invariants
 *   MV1 (P6)   the old owner's commit is the hand-over: before it nobody else reads the keys, behind it the old owner
 *              may neither write nor ask for them.
 *   MV2 (P3)   what was sent to the old owner is taken by it before it gives up; what comes later waits in a channel
 *              with a mark of its own.
 *   MV3 (P11)  the new owner is on its own only when nothing waits in that channel, and nothing it made goes there.
 *   MV4 (W4)   the input watermark of moved nodes stands still on both sides from before anybody sends into the
 *              channel; the old owner's output until the new one has said what it holds.
 */
import {
  AWAY_SLOT,
  ByteReader,
  decodeValue,
  dueSpaceOf,
  type InheritedWatermarks,
  type IntervalState,
  META_SPACE,
  metaKeys,
  type StoreEntry,
} from '@millrace/protocol';
import type { WatermarkAuthority } from '../watermark/authority.ts';
import { slotTarget } from './deliveries.ts';
import { type Intervals, type Move, STEP, type StoredIntervals } from './intervals.ts';
import type { Recovered } from './recovery.ts';
import { restoreFrames } from './restore-frames.ts';
import type { WorkerLink } from './worker-link.ts';
import { keysIn } from './worker-priming.ts';
import type { WorkerSlot } from './worker-slot.ts';

export type WantedMove = Omit<Move, 'step'>;

export interface IntervalMoverOptions {
  readonly recovered: Pick<Recovered, 'paged' | 'deliveries' | 'nodeNumbers' | 'lastPosition'>;
  readonly intervals: Intervals;
  readonly slots: readonly WorkerSlot[];
  readonly authority: WatermarkAuthority;
  /** Appends to the log under the host's lease, unless `still` is false by then. */
  readonly store: (step: StoredStep) => Promise<void>;
  /** Nothing new is begun. */
  readonly isOver: () => boolean;
  readonly hasEnded: () => boolean;
  readonly now: () => number;
  readonly failed: (error: unknown) => void;
}

export interface StoredStep {
  readonly intervals: StoredIntervals;
  /** Further entries of the host's own, with it or not at all. */
  readonly also?: readonly (readonly [key: Uint8Array, value: Uint8Array])[];
  readonly still: () => boolean;
  /** Called before anything else is committed. */
  readonly committed: () => void;
}

/** Something that may not be done while anything moves; undefined: it is not to be done any more. */
export type Prepare = () => Promise<StoredStep | undefined>;

interface Waiting {
  readonly wanted: WantedMove | Prepare;
  /** `isStored`: of a step between two moves. */
  done(isStored: boolean): void;
}

/** After so long the new owner's sources wait, so that it comes to be on its own. */
const PATIENCE_MS = 100;

export class IntervalMover {
  readonly #options: IntervalMoverOptions;
  readonly #waiting: Waiting[] = [];
  #current: Waiting | undefined;
  /** By slot: the last step its worker has committed, and where. */
  readonly #steps: { step: number; position: number }[];
  /** What each worker was told last. */
  readonly #told = new WeakMap<WorkerLink, number>();
  /** Log position of the hand-over. */
  #givenAt = 0;
  #givenSince = 0;
  #isStoring = false;
  /** The new owner's worker that is being handed what was left, or was. */
  #heir: WorkerLink | undefined;
  #hasInherited = false;

  constructor(options: IntervalMoverOptions) {
    this.#options = options;
    const { intervals, recovered, slots, now } = options;
    this.#steps = slots.map(() => ({ step: 0, position: 0 }));
    this.#givenAt = recovered.lastPosition;
    this.#givenSince = now();
    const { move, phase } = intervals;
    if (move === undefined) return;
    if (phase === 'given') for (const node of move.nodes) options.authority.pin(move.to, node, undefined);
    if (phase === 'joined') this.#heirSlot.takesAway = true;
  }

  /** Something moves, or is about to. */
  get isBusy(): boolean {
    return this.#options.intervals.move !== undefined || this.#isStoring || this.#waiting.length > 0;
  }

  /** Resolves when everybody knows of it. */
  async move(wanted: WantedMove): Promise<void> {
    await this.#queued(wanted);
  }

  /** Resolves with whether it was stored, which happens between two moves. */
  between(prepare: Prepare): Promise<boolean> {
    return this.#queued(prepare);
  }

  #queued(wanted: WantedMove | Prepare): Promise<boolean> {
    return new Promise((done) => {
      this.#waiting.push({ wanted, done });
      this.look();
    });
  }

  /** So many workers there are from here on. */
  resize(slots: number): void {
    this.#steps.length = Math.min(this.#steps.length, slots);
    while (this.#steps.length < slots) this.#steps.push({ step: 0, position: 0 });
  }

  /** A worker begins, and is told of what stands now. */
  begins(slot: WorkerSlot, link: WorkerLink): IntervalState | undefined {
    const { intervals, recovered } = this.#options;
    const state = intervals.stateFor(slot.index);
    this.#told.set(link, state?.step ?? 0);
    if (intervals.move?.to !== slot.index) return state;
    recovered.deliveries.untake(slotTarget(AWAY_SLOT));
    slot.isJoining = false;
    // Before, it is handed what was left first.
    slot.takesAway = intervals.phase === 'joined';
    return state;
  }

  /** A committed bundle says how far its worker is. */
  stepped(slot: number, step: number, position: number): void {
    this.#steps[slot] = { step, position };
    const { intervals } = this.#options;
    const { move, phase } = intervals;
    if (move === undefined) return;
    if (phase === 'apart' && slot === move.from && step >= move.step + STEP.given)
      this.#given(move, position);
    if (phase === 'given' && slot === move.to && step >= move.step + STEP.joined) this.#joined(move);
  }

  /** Something has happened: the move may go on. */
  look(): void {
    const { intervals, slots } = this.#options;
    const { move, phase } = intervals;
    if (move === undefined) return this.#begin();
    for (const slot of slots) this.#tell(slot);
    if (phase === 'apart' && this.#mayGive(move)) this.#askToGive(move);
    if (phase === 'given') this.#handOver(move);
    if (phase === 'joined' && this.#isKnown(move)) this.#end();
  }

  // ---- beginning and end -----------------------------------------------------------------------------

  #begin(): void {
    const next = this.#waiting[0];
    if (next === undefined || this.#isStoring) return;
    const { intervals, isOver } = this.#options;
    const { wanted } = next;
    if (isOver() || (typeof wanted !== 'function' && !isOwnedBy(intervals, wanted))) {
      this.#waiting.shift()?.done(false);
      return this.#begin();
    }
    if (typeof wanted === 'function') {
      this.#between(wanted).catch((error: unknown) => this.#options.failed(error));
      return;
    }
    const move = intervals.next(wanted);
    const still = () => true;
    this.#store(intervals.storedWith(move), still, () => {
      this.#waiting.shift();
      this.#current = next;
      this.#heir = undefined;
      this.#hasInherited = false;
      intervals.begin(move);
    });
  }

  async #between(prepare: Prepare): Promise<void> {
    this.#isStoring = true;
    let isStored = false;
    const step = await prepare();
    if (step !== undefined)
      await this.#options.store({
        ...step,
        committed: () => {
          isStored = true;
          step.committed();
        },
      });
    this.#waiting.shift()?.done(isStored);
    this.#isStoring = false;
    this.look();
  }

  #end(): void {
    // Of a run that has ended nothing is stored any more, however often it is tried.
    if (this.#isStoring || this.#options.hasEnded()) return;
    const { intervals } = this.#options;
    const still = () => this.#nothingWaits;
    this.#store(intervals.storedWithout(), still, () => {
      this.#heirSlot.takesAway = false;
      intervals.over();
      this.#current?.done(true);
      this.#current = undefined;
    });
  }

  #store(intervals: StoredIntervals, still: () => boolean, committed: () => void): void {
    this.#isStoring = true;
    this.#options
      .store({ intervals, still, committed })
      .then(() => {
        this.#isStoring = false;
        this.look();
      })
      .catch((error: unknown) => this.#options.failed(error));
  }

  /** Every worker sends to the new owner, and nothing waits anywhere else. */
  #isKnown({ to, step }: Move): boolean {
    return (
      this.#steps.every((of, slot) => of.step >= step + (slot === to ? STEP.joined : STEP.over)) &&
      this.#nothingWaits
    );
  }

  get #nothingWaits(): boolean {
    return this.#options.recovered.deliveries.isEmpty(slotTarget(AWAY_SLOT));
  }

  // ---- what workers are told -------------------------------------------------------------------------

  #tell({ index, link }: WorkerSlot): void {
    if (link?.state !== 'running') return;
    const state = this.#options.intervals.stateFor(index);
    if (state === undefined || (this.#told.get(link) ?? 0) >= state.step) return;
    this.#told.set(link, state.step);
    link.intervals(state);
  }

  /** MV2, MV4: everybody sends apart, and the old owner has taken what was sent before. */
  #mayGive({ from, step }: Move): boolean {
    if (!this.#steps.every((of) => of.step >= step)) return false;
    const slot = this.#options.slots[from] as WorkerSlot;
    const last = Math.max(...this.#steps.map(({ position }) => position));
    return slot.link?.state === 'running' && isTrusted(slot) && this.#hasTaken(from, last);
  }

  #hasTaken(slot: number, through: number): boolean {
    const next = this.#options.recovered.deliveries.nextOf(slotTarget(slot));
    return next === undefined || next > through;
  }

  #askToGive({ from, nodes, start, end, step }: Move): void {
    const link = this.#options.slots[from]?.link as WorkerLink;
    if ((this.#told.get(link) ?? 0) >= step + STEP.given) return;
    this.#told.set(link, step + STEP.given);
    link.intervals({ ...this.#options.intervals.givenState(), gives: { nodes, start, end } });
  }

  // ---- the hand-over ---------------------------------------------------------------------------------

  #given({ from, to, nodes }: Move, position: number): void {
    const { intervals, authority, slots, now } = this.#options;
    intervals.given();
    this.#givenAt = position;
    this.#givenSince = now();
    for (const node of nodes) authority.pin(to, node, authority.table(from)[node]);
    for (const slot of slots) slot.hearsLowered(to);
  }

  get #heirSlot(): WorkerSlot {
    return this.#options.slots[(this.#options.intervals.move as Move).to] as WorkerSlot;
  }

  #handOver(move: Move): void {
    const slot = this.#heirSlot;
    const { link } = slot;
    if (link?.state !== 'running') return;
    if (link !== this.#heir) {
      if ((this.#told.get(link) ?? 0) < move.step || !isTrusted(slot)) return;
      if (!this.#hasTaken(move.to, this.#givenAt)) return;
      this.#heir = link;
      this.#hasInherited = false;
      this.#inherit(move, link).catch((error: unknown) => this.#options.failed(error));
    } else if (this.#hasInherited) this.#join(slot, link);
  }

  /** MV1: nothing of it is read before it was given up. */
  async #inherit(move: Move, link: WorkerLink): Promise<void> {
    const left = await this.#left(move);
    const slot = this.#heirSlot;
    if (this.#options.intervals.move !== move || slot.link !== link || link.state !== 'running') return;
    for (const { entries, last } of restoreFrames(left.entries))
      link.inherit({
        watermarks: last ? left.watermarks : [],
        farNodes: last ? left.farNodes : [],
        entries,
      });
    this.#hasInherited = true;
    slot.takesAway = true;
    slot.pump();
  }

  async #left({ from, nodes, start, end }: Move): Promise<{
    readonly entries: StoreEntry[];
    readonly watermarks: InheritedWatermarks[];
    readonly farNodes: number[];
  }> {
    const { paged, nodeNumbers } = this.#options.recovered;
    const entries: StoreEntry[] = [];
    const watermarks: InheritedWatermarks[] = [];
    for (const node of nodes) {
      const number = nodeNumbers[node] as number;
      const stored = await paged.get(META_SPACE, metaKeys.watermarks(from, number));
      watermarks.push(inheritedOf(node, stored));
      entries.push(...(await keysIn(paged, number, { start, end })));
    }
    const farNodes = nodes.filter((node) => !paged.isEmpty(dueSpaceOf(nodeNumbers[node] as number)));
    return { entries, watermarks, farNodes };
  }

  /** MV3: tried whenever it looks quiet; the worker knows better, and is asked again. */
  #join(slot: WorkerSlot, link: WorkerLink): void {
    const { intervals, now } = this.#options;
    if (!slot.isJoining && now() - this.#givenSince > PATIENCE_MS) slot.isJoining = true;
    if (!link.isIdle || !this.#nothingWaits) return;
    link.intervals({ ...intervals.joinedState(), through: link.bundles });
  }

  #joined({ to, nodes }: Move): void {
    const { intervals, authority } = this.#options;
    intervals.joined();
    for (const node of nodes) authority.unpin(to, node);
    const slot = this.#heirSlot;
    slot.isJoining = false;
    slot.takesAway = true;
    if (slot.link !== undefined) this.#told.set(slot.link, (intervals.stateFor(to)?.step ?? 0) as number);
  }
}

/** What was asked for before another move was through may not hold any more. */
function isOwnedBy(intervals: Intervals, { nodes, start, end, from, to }: WantedMove): boolean {
  if (to >= intervals.staying) return false;
  return nodes.every((node) =>
    intervals.rangesOf(node, from).some((range) => range.start <= start && range.end >= end),
  );
}

function isTrusted(slot: WorkerSlot): boolean {
  return !slot.isMistrusted && !slot.onTrial();
}

function inheritedOf(node: number, stored: Uint8Array | undefined): InheritedWatermarks {
  const at = (stored === undefined ? {} : decodeValue(new ByteReader(stored))) as {
    readonly in?: number;
    readonly out?: number;
    readonly inputEnded?: boolean;
    readonly kind?: string;
  };
  return {
    node,
    in: at.in,
    inputEnded: at.inputEnded === true,
    out: at.out,
    mayStay: at.kind === 'idle' || at.kind === 'ended',
  };
}

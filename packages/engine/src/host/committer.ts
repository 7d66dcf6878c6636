/**
 * Group commit: while one transaction is on its way, the bundles that arrive meanwhile gather for the next
 * one (architecture.md "Why it is fast" 7). Positions are given in the order of the transactions, so the log
 * is resolved strictly in order and a position is a mark for everybody who reads it.
 *
 * Invariants
 *   CM1  one transaction of this pipeline is on its way at a time; its outcome is known before the next.
 *   CM2  bundles of one worker are committed in their order, or the first refused one ends the worker.
 *   CM3  positions are given when bundles come, and bundles are committed in that order; what is dropped leaves a gap.
 */
import type { BundleBody } from '@millrace/protocol';
import type { PipelineStore, RedriveOutcome, SealedBundle } from '../ports.ts';
import type { BundleFrame, WorkerLink } from './worker-link.ts';

export interface Submission {
  readonly link: WorkerLink;
  readonly frame: BundleFrame;
  readonly body: BundleBody;
  /** When the oldest of its input came in; undefined: it was no input that made it. */
  readonly origin: number | undefined;
}

/** A bundle of the host's own, appended in a transaction of its own. */
export interface OwnBundle {
  append(position: number): Promise<RedriveOutcome>;
  /** Called before anything else of the pipeline is committed. */
  committed(position: number): void;
}

interface WaitingOwn {
  readonly position: number;
  readonly bundle: OwnBundle;
  settled(outcome: RedriveOutcome): void;
  failed(error: unknown): void;
}

/** A bundle that is not committed yet, at the place in the log it will have. */
export interface WaitingBundle {
  readonly position: number;
  readonly submission: Submission;
}

/** Decides how long bundles wait for what others make of them (P5); without one none waits. */
export interface CommitGate {
  /** `isAlone`: no bundle of the host's own is in front of it. */
  submitted(bundle: WaitingBundle, isAlone: boolean): void;
  /** How many of the first ones may be committed together. */
  ready(waiting: readonly WaitingBundle[]): number;
  /** What is stored of each, when these are committed together. */
  bodies(group: readonly WaitingBundle[]): readonly Uint8Array[];
  /** In the log, or refused. */
  over(bundle: WaitingBundle): void;
  /** These will never be committed. Returns workers whose bundles may not be either. */
  lost(bundles: readonly WaitingBundle[]): readonly WorkerLink[];
}

export interface CommitterEvents {
  committed(submission: Submission, position: number): void;
  fenced(submission: Submission): void;
  /** One transaction is over: how long it took, in ms, and how many bundles it carried. */
  took(ms: number, bundles: number): void;
  failed(error: Error): void;
}

const MOST_BUNDLES = 8;
const MOST_BYTES = 8 * 1024 * 1024;

export class Committer {
  readonly #store: PipelineStore;
  readonly #events: CommitterEvents;
  readonly #gate: CommitGate | undefined;
  #position: number;
  #waiting: (WaitingBundle | WaitingOwn)[] = [];
  /** Bundles of the host's own that wait or are on their way. */
  #owns = 0;
  #running: Promise<void> | undefined;
  /** The transaction on its way. */
  #current: Promise<void> | undefined;

  constructor(store: PipelineStore, lastPosition: number, events: CommitterEvents, gate?: CommitGate) {
    this.#store = store;
    this.#position = lastPosition;
    this.#events = events;
    this.#gate = gate;
  }

  submit(submission: Submission): void {
    const bundle = { position: ++this.#position, submission };
    this.#waiting.push(bundle);
    this.#gate?.submitted(bundle, this.#owns === 0);
    this.look();
  }

  /** CM1: in its turn. Rejects with what `append` throws, which ends nothing but this. */
  submitOwn(bundle: OwnBundle): Promise<RedriveOutcome> {
    this.#owns++;
    return new Promise((settled, failed) => {
      this.#waiting.push({ position: ++this.#position, bundle, settled, failed });
      this.look();
    });
  }

  /** Something of what bundles wait for may have happened. */
  look(): void {
    if (this.#running === undefined && this.#ready > 0) this.#running = this.#run();
  }

  /**
   * Drops what a dead worker has not got on its way, and waits for what it has; not for what others go on
   * committing, or a busy pipeline would never get its worker back.
   */
  async settle(link: WorkerLink): Promise<void> {
    this.#drop(link);
    this.look();
    await this.#current?.catch(() => undefined);
  }

  get idle(): boolean {
    return this.#running === undefined && this.#waiting.length === 0;
  }

  /** Also what others have made of it. */
  #drop(link: WorkerLink): void {
    const isIts = (entry: WaitingBundle | WaitingOwn): entry is WaitingBundle =>
      'submission' in entry && entry.submission.link === link;
    const lost = this.#waiting.filter(isIts);
    this.#waiting = this.#waiting.filter((entry) => !isIts(entry));
    for (const other of this.#gate?.lost(lost) ?? []) this.#drop(other);
  }

  async #run(): Promise<void> {
    try {
      for (let count = this.#ready; count > 0; count = this.#ready) {
        const group = this.#waiting.splice(0, count);
        const [first] = group;
        this.#current =
          first !== undefined && 'bundle' in first
            ? this.#commitOwn(first)
            : this.#commit(group as WaitingBundle[]);
        await this.#current;
      }
    } catch (error) {
      this.#waiting = [];
      this.#events.failed(error as Error);
    } finally {
      this.#current = undefined;
      this.#running = undefined;
    }
  }

  async #commit(group: readonly WaitingBundle[]): Promise<void> {
    const bodies = this.#gate?.bodies(group);
    const bundles = group.map(
      ({ position, submission: { link, frame, body } }, i): SealedBundle => ({
        position,
        slot: link.slot,
        sequencer: link.sequencer,
        bundleNumber: frame.bundleNumber,
        body: bodies?.[i] ?? body.bytes,
      }),
    );
    const started = performance.now();
    const outcomes = await this.#store.commit(bundles);
    this.#events.took(performance.now() - started, bundles.length);
    group.forEach((bundle, i) => {
      this.#gate?.over(bundle);
      if (outcomes[i] === 'committed') this.#events.committed(bundle.submission, bundle.position);
      else this.#events.fenced(bundle.submission);
    });
  }

  async #commitOwn({ position, bundle, settled, failed }: WaitingOwn): Promise<void> {
    try {
      const outcome = await bundle.append(position);
      if (outcome === 'committed') bundle.committed(position);
      settled(outcome);
    } catch (error) {
      failed(error);
    } finally {
      this.#owns--;
    }
  }

  /** How many of those that wait are one transaction now; a bundle of the host's own is one by itself. */
  get #ready(): number {
    const [first] = this.#waiting;
    if (first === undefined) return 0;
    if ('bundle' in first) return 1;
    const own = this.#waiting.findIndex((entry) => 'bundle' in entry);
    const bundles = (own < 0 ? this.#waiting : this.#waiting.slice(0, own)) as WaitingBundle[];
    let bytes = 0;
    let count = 0;
    while (count < bundles.length && count < MOST_BUNDLES && (count === 0 || bytes < MOST_BYTES))
      bytes += (bundles[count++] as WaitingBundle).submission.body.bytes.length;
    // Nobody waits for anything while more is there than one transaction takes.
    if (this.#gate === undefined || own >= 0 || count < bundles.length || count === MOST_BUNDLES)
      return count;
    return this.#gate.ready(bundles);
  }
}

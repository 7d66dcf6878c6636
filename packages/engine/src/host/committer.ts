/**
 * Group commit: while one transaction is on its way, the bundles that arrive meanwhile gather for the next
 * one (architecture.md "Why it is fast" 7). Positions are given in the order of the transactions, so the log
 * is resolved strictly in order and a position is a mark for everybody who reads it.
 *
 * Invariants
 *   CM1  one transaction of this pipeline is on its way at a time; its outcome is known before the next.
 *   CM2  bundles of one worker are committed in their order, or the first refused one ends the worker.
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
  readonly bundle: OwnBundle;
  settled(outcome: RedriveOutcome): void;
  failed(error: unknown): void;
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
  #position: number;
  #waiting: Submission[] = [];
  #own: WaitingOwn[] = [];
  #running: Promise<void> | undefined;
  /** The transaction on its way. */
  #current: Promise<void> | undefined;

  constructor(store: PipelineStore, lastPosition: number, events: CommitterEvents) {
    this.#store = store;
    this.#position = lastPosition;
    this.#events = events;
  }

  submit(submission: Submission): void {
    this.#waiting.push(submission);
    this.#running ??= this.#run();
  }

  /** CM1: in its turn. Rejects with what `append` throws, which ends nothing but this. */
  submitOwn(bundle: OwnBundle): Promise<RedriveOutcome> {
    return new Promise((settled, failed) => {
      this.#own.push({ bundle, settled, failed });
      this.#running ??= this.#run();
    });
  }

  /**
   * Drops what a dead worker has not got on its way, and waits for what it has; not for what others go on
   * committing, or a busy pipeline would never get its worker back.
   */
  async settle(link: WorkerLink): Promise<void> {
    this.#waiting = this.#waiting.filter((submission) => submission.link !== link);
    await this.#current?.catch(() => undefined);
  }

  get idle(): boolean {
    return this.#running === undefined;
  }

  async #run(): Promise<void> {
    try {
      while (this.#waiting.length > 0 || this.#own.length > 0) {
        const own = this.#own.shift();
        this.#current = own === undefined ? this.#commit(this.#takeGroup()) : this.#commitOwn(own);
        await this.#current;
      }
    } catch (error) {
      this.#events.failed(error as Error);
    } finally {
      this.#current = undefined;
      this.#running = undefined;
    }
  }

  async #commit(group: readonly Submission[]): Promise<void> {
    const bundles = group.map(
      ({ link, frame, body }): SealedBundle => ({
        position: ++this.#position,
        slot: link.slot,
        sequencer: link.sequencer,
        bundleNumber: frame.bundleNumber,
        body: body.bytes,
      }),
    );
    const started = performance.now();
    const outcomes = await this.#store.commit(bundles);
    this.#events.took(performance.now() - started, bundles.length);
    group.forEach((submission, i) => {
      if (outcomes[i] === 'committed')
        this.#events.committed(submission, (bundles[i] as SealedBundle).position);
      else this.#events.fenced(submission);
    });
  }

  async #commitOwn({ bundle, settled, failed }: WaitingOwn): Promise<void> {
    const position = ++this.#position;
    try {
      const outcome = await bundle.append(position);
      if (outcome === 'committed') bundle.committed(position);
      settled(outcome);
    } catch (error) {
      failed(error);
    }
  }

  #takeGroup(): Submission[] {
    let bytes = 0;
    let count = 0;
    while (count < this.#waiting.length && count < MOST_BUNDLES && (count === 0 || bytes < MOST_BYTES))
      bytes += (this.#waiting[count++] as Submission).body.bytes.length;
    return this.#waiting.splice(0, count);
  }
}

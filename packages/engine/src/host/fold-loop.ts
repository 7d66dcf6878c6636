/**
 * Decides when to fold, and releases log segments whose every bundle is folded and whose every batch is
 * delivered or saved as a row, so that one unreachable sink never pins the log (architecture.md 2).
 */
import { metaKeys } from '@millrace/protocol';
import type { PipelineStore } from '../ports.ts';
import type { Deliveries } from './deliveries.ts';
import { causeOf, messageOf, TakenOver } from './ending.ts';
import type { PagedStore } from './paged/paged-store.ts';
import { numberBytes } from './recovery.ts';
import type { FailureCause } from './run-options.ts';

export interface FoldLoopOptions {
  readonly store: PipelineStore;
  readonly paged: PagedStore;
  readonly deliveries: Deliveries;
  readonly hostSequencer: number;
  readonly everyMs?: number | undefined;
  readonly failed: (error: string, cause: FailureCause) => void;
  readonly folded: () => void;
}

/** Enough changes to make a page worth its write, at most so long, never more than so much. */
const FOLD_BYTES = 32 * 1024 * 1024;
const FOLD_MS = 4_000;
export const UNFOLDED_BOUND = 192 * 1024 * 1024;

export interface FoldProgress {
  /** Since the run began. */
  count: number;
  /** Wall time in ms of the end of the last one, and how long it took. */
  lastAt: number | undefined;
  lastMs: number | undefined;
}

export class FoldLoop {
  readonly progress: FoldProgress = { count: 0, lastAt: undefined, lastMs: undefined };
  readonly #options: FoldLoopOptions;
  #running: Promise<void> | undefined;
  #last = performance.now();
  #previousThrough = 0;
  #released: number | undefined;
  #closed = false;

  constructor(options: FoldLoopOptions) {
    this.#options = options;
  }

  /** True when injectors must wait for the folder. */
  get full(): boolean {
    return this.#options.paged.unfoldedBytes > UNFOLDED_BOUND;
  }

  consider(): void {
    const { paged, everyMs = FOLD_MS } = this.#options;
    if (this.#closed || this.#running !== undefined || !paged.hasPending) return;
    if (paged.pendingBytes < FOLD_BYTES && performance.now() - this.#last < everyMs) return;
    this.#running = this.#fold()
      .catch((error: unknown) => this.#failed(error))
      .finally(() => {
        this.#running = undefined;
        this.#last = performance.now();
        this.#options.folded();
      });
  }

  /** Resolves when no fold is on its way: what the last one wrote is not written again. */
  async settled(): Promise<void> {
    await this.#running;
  }

  #failed(error: unknown): void {
    const cause = causeOf(error);
    this.#options.failed(
      cause === 'fenced' ? messageOf(error) : `state cannot be folded: ${messageOf(error)}`,
      cause,
    );
  }

  /**
   * `fold`: leave nothing for the next start to do. Batches name their consumers by the plan they were made
   * under, so none that is delivered may be met by a start under another plan.
   */
  async close(fold: boolean): Promise<void> {
    this.#closed = true;
    await this.#running;
    const { paged, deliveries } = this.#options;
    const isDone = !paged.hasPending && this.#released === paged.through && !deliveries.hasRowsToDrop;
    if (fold && !isDone) await this.#fold();
  }

  async #fold(): Promise<void> {
    const { store, paged, deliveries, hostSequencer } = this.#options;
    const began = performance.now();
    const through = paged.through;
    // What has waited for a whole round is saved as rows; what is only on its way is not worth a write.
    const undelivered = deliveries.saveThrough(this.#previousThrough);
    this.#previousThrough = through;
    const oldest = deliveries.oldestInLog;
    const released = oldest === undefined ? through : Math.min(through, oldest - 1);
    paged.putMeta(metaKeys.released(), numberBytes(released));
    const extras = { undelivered, delivered: deliveries.takeRowsToDrop() };
    const outcome = await paged.fold(hostSequencer, extras, Date.now());
    if (outcome === 'fenced') throw new TakenOver();
    this.#released = released;
    await store.releaseLog(hostSequencer, released);
    this.progress.count++;
    this.progress.lastAt = Date.now();
    this.progress.lastMs = performance.now() - began;
  }
}

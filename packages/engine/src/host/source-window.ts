/**
 * How much of one source partition may be with its worker and not finished.
 *
 * Owns: the size of the window. Does not own: what is in it.
 *
 * Invariant SW1: while a source has more than its worker takes, the window follows how long input lies with the worker:
 * between `SHORT_MS` and `LONG_MS`. Input is finished when its bundle is sealed, so a window smaller than the longest
 * bundle and what must be at hand for the next one ends bundles early: the state of each key is sealed, committed and
 * folded more often than need be. What lies there for long is read again after a crash, and keeps a pause or a drain
 * waiting.
 */

const FIRST_BYTES = 8 * 1024 * 1024;
const MOST_BYTES = 32 * 1024 * 1024;
const LEAST_BYTES = 1024 * 1024;
/** What all partitions of one worker share: hundreds together must not fill its memory. */
const SHARED_BYTES = 64 * 1024 * 1024;
/** Small chunks cost more than their bytes. */
const CHUNK_BYTES = 128 * 1024;
const SHORT_MS = 600;
const LONG_MS = 1_500;

export class SourceWindow {
  readonly #most: number;
  #bytes: number;
  /** Input sent before says nothing of the window as it is. */
  #fullSince: number | undefined;

  /**
   * `partitions`: how many one worker reads. `workers`: of the pipeline; what others deliver waits until little lies in
   * the pipe, so only the window of one that is alone may grow.
   */
  constructor(partitions: number, workers: number) {
    const share = Math.max(LEAST_BYTES, Math.floor(SHARED_BYTES / Math.max(1, partitions)));
    this.#bytes = Math.min(FIRST_BYTES, share);
    this.#most = workers === 1 ? Math.min(MOST_BYTES, share) : this.#bytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Whether nothing more may be sent to the worker, which has so much. */
  isFull(bytes: number, chunks: number, now: number): boolean {
    const full = bytes >= this.#bytes || chunks >= this.#bytes / CHUNK_BYTES;
    if (full) this.#fullSince ??= now;
    return full;
  }

  /** The worker has finished input that was sent at `sentAt` and has `left` bytes. (SW1) */
  finished(sentAt: number, now: number, left: number): void {
    if (this.#fullSince === undefined) return;
    const heldMs = now - sentAt;
    if (sentAt >= this.#fullSince) {
      if (heldMs < SHORT_MS) this.#resize(Math.min(this.#most, 2 * this.#bytes));
      else if (heldMs > LONG_MS) this.#resize(Math.max(LEAST_BYTES, this.#bytes / 2));
    }
    // The source has nothing more, for now.
    if (left === 0) this.#fullSince = undefined;
  }

  #resize(bytes: number): void {
    if (bytes === this.#bytes) return;
    this.#bytes = bytes;
    this.#fullSince = undefined;
  }
}

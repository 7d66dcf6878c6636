/**
 * How much of one source partition may be with its worker and not finished.
 *
 * Owns: the size of the window. Does not own: what is in it.
 *
 * Invariant SW1: it grows only while bundles use it up whole, so that a worker which is fast does not run dry behind
 * each of them; where input lies with the worker for long it shrinks: what is read ahead is read again after a crash,
 * and keeps a pause or a drain waiting.
 */

const FIRST_BYTES = 8 * 1024 * 1024;
const MOST_BYTES = 32 * 1024 * 1024;
const LEAST_BYTES = 1024 * 1024;
/** What all partitions of one worker share: hundreds together must not fill its memory. */
const SHARED_BYTES = 64 * 1024 * 1024;
/** Small chunks cost more than their bytes. */
const CHUNK_BYTES = 128 * 1024;
const LONG_MS = 2_000;

export class SourceWindow {
  readonly #first: number;
  readonly #most: number;
  #bytes: number;
  #wasFull = false;

  /** `partitions`: how many one worker reads. */
  constructor(partitions: number) {
    const share = Math.max(LEAST_BYTES, Math.floor(SHARED_BYTES / Math.max(1, partitions)));
    this.#first = Math.min(FIRST_BYTES, share);
    this.#most = Math.min(MOST_BYTES, share);
    this.#bytes = this.#first;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Whether nothing more may be sent to the worker, which has so much. */
  isFull(bytes: number, chunks: number): boolean {
    const full = bytes >= this.#bytes || chunks >= this.#bytes / CHUNK_BYTES;
    this.#wasFull ||= full;
    return full;
  }

  /** The worker has finished input which it had for `heldMs` and has `left` bytes. (SW1) */
  finished(heldMs: number, left: number): void {
    if (heldMs > LONG_MS) this.#bytes = Math.max(this.#first, this.#bytes / 2);
    else if (this.#wasFull && left < this.#bytes / 4) this.#bytes = Math.min(this.#most, this.#bytes * 2);
    this.#wasFull = false;
  }
}

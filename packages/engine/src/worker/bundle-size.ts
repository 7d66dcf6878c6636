/**
 * How much goes into a bundle, and into each of its passes.
 *
 * Owns: the size of the open bundle, and what bundles may grow to. Does not own: what is in it, or the clock.
 *
 * Invariants
 *   BZ1  a bundle is full after so many records or milliseconds, whatever is at hand: others wait for it. Only a
 *        worker that fills one after the other takes longer for each, up to a bound.
 *   BZ2  what records make of a bundle is known when it is sealed, so the limit grows slowly and shrinks at once.
 */

/**
 * The longer a bundle, the fewer times the state of a key is written, read and folded for the same number of records.
 * That is for a worker with more at hand than it can do; one that catches up soon keeps nobody waiting so long: a
 * bundle takes twice as long as the one before, so about as long as the worker has been behind.
 */
const LONGEST_MS = { first: 25, most: 500 } as const;
const BUNDLE = { least: 64, first: 4_096, most: 262_144 } as const;
const BUNDLE_BYTES = 8 * 1024 * 1024;
/**
 * Few records a pass, so that they are made, run and forgotten while they are in the processor's cache; many
 * where keys have to be fetched, which is done once a pass.
 */
const PASS = { least: 512, most: 16_384 } as const;

export class BundleSize {
  readonly #most: number;
  /** Bundles that are kept small on purpose have several passes, too. */
  readonly #third: number;
  #limit: number;
  #pass: number;
  #longestMs: number = LONGEST_MS.first;
  #startedAt = 0;
  #wasFull = false;
  #records = 0;

  constructor(most: number = BUNDLE.most) {
    this.#most = most;
    this.#third = Math.ceil(most / 3);
    this.#limit = Math.min(BUNDLE.first, most);
    this.#pass = Math.min(PASS.least, this.#third);
  }

  begin(now: number): void {
    const next = this.#wasFull ? 2 * this.#longestMs : this.#longestMs / 2;
    this.#longestMs = Math.min(LONGEST_MS.most, Math.max(LONGEST_MS.first, next));
    this.#wasFull = false;
    this.#startedAt = now;
    this.#records = 0;
  }

  /** Records the next pass should take in; the bundle is not full. */
  get passRecords(): number {
    return Math.min(this.#limit - this.#records, this.#pass);
  }

  take(records: number): void {
    this.#records += records;
  }

  /** The pass is over; `fetched`: it had to wait for the store. */
  passed(fetched: boolean): void {
    this.#pass = fetched ? Math.min(2 * this.#pass, PASS.most) : Math.min(PASS.least, this.#third);
  }

  /** BZ1 */
  isFull(now: number): boolean {
    this.#wasFull = this.#records >= this.#limit || now - this.#startedAt >= this.#longestMs;
    return this.#wasFull;
  }

  /** BZ2 */
  sealed(bytes: number): void {
    const records = this.#records;
    if (records === 0) return;
    const fit = bytes === 0 ? BUNDLE.most : Math.floor((records * BUNDLE_BYTES) / bytes);
    const grown = records < this.#limit ? this.#limit : 2 * this.#limit;
    this.#limit = Math.min(this.#most, Math.max(BUNDLE.least, Math.min(grown, fit)));
  }
}

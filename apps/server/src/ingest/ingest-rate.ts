/** How many requests a token may post a second: a client in a loop must not keep others out. */

interface Bucket {
  left: number;
  filledAt: number;
}

const PER_SECOND = 5_000;
const BURST = 10_000;
const MOST_BUCKETS = 10_000;

export class IngestRate {
  readonly #buckets = new Map<string, Bucket>();
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  take(who: string): boolean {
    const now = this.#now();
    const bucket = this.#buckets.get(who) ?? { left: BURST, filledAt: now };
    bucket.left = Math.min(BURST, bucket.left + (Math.max(0, now - bucket.filledAt) * PER_SECOND) / 1000);
    bucket.filledAt = now;
    // Moved to the end: the one that is dropped has been quiet the longest, and so is full.
    this.#buckets.delete(who);
    this.#buckets.set(who, bucket);
    if (this.#buckets.size > MOST_BUCKETS) this.#buckets.delete(this.#buckets.keys().next().value as string);
    if (bucket.left < 1) return false;
    bucket.left--;
    return true;
  }
}

/**
 * `java.util.Random` as its documentation defines it: a linear congruential generator of 48 bits,
 * `s ← (s · 0x5DEECE66D + 0xB) mod 2^48`, of whose state the top bits are given.
 *
 * The state is held as two numbers of 24 bits, so that no product leaves the exact integers.
 */
const HALF = 0x1000000;
const MULTIPLIER = { high: 0x5de, low: 0xece66d };
const INCREMENT = 0xb;

export class JavaRandom {
  #high: number;
  #low: number;

  /** A non-negative safe integer. */
  constructor(seed: number) {
    this.#high = (Math.floor(seed / HALF) ^ MULTIPLIER.high) % HALF;
    this.#low = (seed % HALF) ^ MULTIPLIER.low;
  }

  /** All 32 bits, signed. */
  nextInt(): number {
    this.#step();
    return this.#top32() | 0;
  }

  /** In [0, bound); `bound` is below 2^31. */
  nextBelow(bound: number): number {
    if ((bound & (bound - 1)) === 0) return Math.floor((bound * this.#bits(31)) / 0x80000000);
    for (;;) {
      const bits = this.#bits(31);
      const value = bits % bound;
      // The last, incomplete stretch of the range would favour small values.
      if (bits - value + (bound - 1) <= 0x7fffffff) return value;
    }
  }

  /** In [0, 1), with 53 bits. */
  nextDouble(): number {
    const high = this.#bits(26);
    return (high * 0x8000000 + this.#bits(27)) / 0x20000000000000;
  }

  #bits(count: number): number {
    this.#step();
    return this.#top32() >>> (32 - count);
  }

  #top32(): number {
    return this.#high * 0x100 + (this.#low >>> 16);
  }

  #step(): void {
    const low = this.#low * MULTIPLIER.low + INCREMENT;
    const high = this.#high * MULTIPLIER.low + this.#low * MULTIPLIER.high + Math.floor(low / HALF);
    this.#low = low % HALF;
    this.#high = high % HALF;
  }
}

/**
 * Which keys of a computation have the most input, from a sample: Space-Saving (Metwally, Agrawal, El Abbadi 2005) over a
 * few counters, so that it costs no more for a million keys than for ten.
 *
 * Invariant HK1: a key is told with a count that it surely had among the sampled; a key that has had more than one in
 * `KEPT` of them is among the counted.
 */
import type { HotKeyReport } from '@millrace/protocol';
import { seededRandom } from '@millrace/sdk/runtime';

const KEPT = 64;
const MOST_TOLD = 8;
/**
 * One record of so many is looked at, by chance: input may come round after round. The more there are, the fewer: a
 * thousand a period tell as much as a hundred thousand.
 */
const STRIDE = { least: 16, most: 1_024 } as const;
const ENOUGH = 1_000;
/** Of a key with less nobody need know. */
const LEAST_SHARE = 0.01;
/** Less than this may be chance. */
const LEAST_COUNT = 5;
const FEW = 100;
const LONGEST_KEY = 200;

interface Counted {
  count: number;
  /** At most so many of them are another key's, which had to make room. */
  error: number;
}

export class HotKeys {
  readonly #counts = new Map<string, Counted>();
  readonly #random: () => number;
  #skip = 0;
  #stride: number = STRIDE.least;
  /** Looked at since it was last told or looked at seldomer. */
  #looks = 0;
  #sampled = 0;

  constructor(seed: string) {
    this.#random = seededRandom(seed);
  }

  see(key: string): void {
    if (this.#skip-- > 0) return;
    this.#skip = Math.floor(this.#random() * (2 * this.#stride - 1));
    this.#sampled++;
    if (++this.#looks > ENOUGH) this.#lookSeldomer();
    const counted = this.#counts.get(key);
    if (counted !== undefined) counted.count++;
    else this.#counts.set(key, this.#room());
  }

  /** One look now stands for twice as many records, so those before count half. */
  #lookSeldomer(): void {
    this.#looks = 0;
    if (this.#stride >= STRIDE.most) return;
    this.#stride *= 2;
    this.#age();
  }

  #room(): Counted {
    if (this.#counts.size < KEPT) return { count: 1, error: 0 };
    let [least, leastKey]: [Counted | undefined, string] = [undefined, ''];
    for (const [key, counted] of this.#counts)
      if (least === undefined || counted.count < least.count) [least, leastKey] = [counted, key];
    this.#counts.delete(leastKey);
    const error = least?.count ?? 0;
    return { count: error + 1, error };
  }

  /** Since about the last two times; undefined where it is too little to tell anything. */
  take(node: number): HotKeyReport | undefined {
    const isQuiet = this.#looks < ENOUGH / 4 && this.#stride > STRIDE.least;
    this.#looks = 0;
    // One look stands for half as many records from now on: what was before counts half as much without being halved.
    if (isQuiet) this.#stride /= 2;
    const sampled = this.#sampled;
    if (sampled < FEW) return undefined;
    const keys = [...this.#counts]
      .map(([key, { count, error }]) => ({ key: key.slice(0, LONGEST_KEY), count: count - error }))
      .filter(({ count }) => count >= Math.max(LEAST_COUNT, sampled * LEAST_SHARE))
      .sort((a, b) => b.count - a.count)
      .slice(0, MOST_TOLD);
    if (!isQuiet) this.#age();
    return { node, sampled, keys };
  }

  /** What was before counts half as much. */
  #age(): void {
    this.#sampled = Math.floor(this.#sampled / 2);
    for (const [key, counted] of this.#counts) {
      counted.count = Math.floor(counted.count / 2);
      counted.error = Math.ceil(counted.error / 2);
      if (counted.count <= counted.error) this.#counts.delete(key);
    }
  }
}

/**
 * Says of most keys that nobody has sent them before, so that a new request costs no read of the store (P4). A
 * Bloom filter in generations: each grows full once and is dropped as a whole when its keys are forgotten.
 *
 * Invariant KF1: a key that was added less than `keepMs` ago is never said to be new. Beyond the bound of its
 * memory it says "maybe" more often, and that costs a read.
 */
import { createHash } from 'node:crypto';

interface Generation {
  readonly words: Uint32Array;
  readonly capacity: number;
  count: number;
  newest: number;
}

const FIRST_KEYS = 4_096;
const LARGEST_KEYS = 4_194_304;
/** About one key in a hundred is called known and is not. */
const BITS_PER_KEY = 10;
const PROBES = 7;
const MOST_GENERATIONS = 16;

export class KeyFilter {
  readonly #keepMs: number;
  #generations: Generation[] = [];

  constructor(keepMs: number) {
    this.#keepMs = keepMs;
  }

  /** `at`: wall time; keys come roughly in its order. */
  add(key: string, at: number): void {
    const generation = this.#open(at);
    generation.newest = Math.max(generation.newest, at);
    generation.count++;
    const { words } = generation;
    for (const bit of probes(halvesOf(key), words.length * 32))
      words[bit >>> 5] = (words[bit >>> 5] as number) | (1 << (bit & 31));
  }

  mayKnow(key: string): boolean {
    const halves = halvesOf(key);
    return this.#generations.some(({ words }) => {
      for (const bit of probes(halves, words.length * 32))
        if ((((words[bit >>> 5] as number) >>> (bit & 31)) & 1) === 0) return false;
      return true;
    });
  }

  get bytes(): number {
    return this.#generations.reduce((sum, { words }) => sum + words.byteLength, 0);
  }

  #open(at: number): Generation {
    this.#generations = this.#generations.filter(({ newest }) => newest > at - this.#keepMs);
    const last = this.#generations.at(-1);
    if (last !== undefined && (last.count < last.capacity || this.#generations.length >= MOST_GENERATIONS))
      return last;
    const capacity = Math.min(LARGEST_KEYS, last === undefined ? FIRST_KEYS : last.capacity * 4);
    const words = new Uint32Array((capacity * BITS_PER_KEY) / 32);
    const generation = { words, capacity, count: 0, newest: at };
    this.#generations.push(generation);
    return generation;
  }
}

/** Keys are chosen by clients: a hash that they could steer is no choice. */
function halvesOf(key: string): readonly [number, number] {
  const digest = createHash('sha256').update(key).digest();
  return [digest.readUInt32LE(0), digest.readUInt32LE(4)];
}

/** Two halves of a digest stand for all of the hashes (Kirsch and Mitzenmacher). */
function* probes([first, step]: readonly [number, number], bits: number): Generator<number> {
  for (let i = 0; i < PROBES; i++) yield (first + i * step) % bits;
}

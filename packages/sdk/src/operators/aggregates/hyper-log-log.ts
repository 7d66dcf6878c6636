/**
 * HyperLogLog (Flajolet et al., 2007) with the estimator of Ertl, *New cardinality estimation algorithms for
 * HyperLogLog sketches* (2017, algorithm 6), which needs no correction for small or large numbers.
 *
 * A sketch is a value. With few values it is the sorted list of their hashes, and exact; then 4,096 registers, each
 * the greatest number of leading zeros, plus one, of the hashes that fell to it.
 */

import type { Hash } from './hash.ts';

export type Sketch = readonly number[] | Uint8Array;

const INDEX_BITS = 12;
const REGISTERS = 1 << INDEX_BITS;
/** Bits of a hash that are not its index. */
const RANK_BITS = 52 - INDEX_BITS;
const MOST_EXACT = 256;

export function addHash(sketch: Sketch, { high, low }: Hash): Sketch {
  // 52 bits as one number: what is stored of a hash, in both forms.
  const hash = high * 2 ** 20 + (low >>> 12);
  return sketch instanceof Uint8Array ? withHash(sketch, hash) : grown(sketch, [hash]);
}

export function mergeSketches(left: Sketch, right: Sketch): Sketch {
  if (!(left instanceof Uint8Array)) {
    return right instanceof Uint8Array ? left.reduce<Uint8Array>(withHash, right) : grown(left, right);
  }
  if (!(right instanceof Uint8Array)) return right.reduce<Uint8Array>(withHash, left);
  return left.map((rank, i) => Math.max(rank, right[i] ?? 0));
}

export function estimate(sketch: Sketch): number {
  if (!(sketch instanceof Uint8Array)) return sketch.length;
  const counts = new Array<number>(RANK_BITS + 2).fill(0);
  for (const rank of sketch) counts[rank] = (counts[rank] ?? 0) + 1;
  let z = REGISTERS * tau(1 - (counts[RANK_BITS + 1] ?? 0) / REGISTERS);
  for (let rank = RANK_BITS; rank >= 1; rank--) z = 0.5 * (z + (counts[rank] ?? 0));
  z += REGISTERS * sigma((counts[0] ?? 0) / REGISTERS);
  return Math.round((REGISTERS / (2 * Math.LN2)) * (REGISTERS / z));
}

function grown(hashes: readonly number[], more: readonly number[]): Sketch {
  const fresh = more.filter((hash) => !hashes.includes(hash));
  if (fresh.length === 0) return hashes;
  const all = [...hashes, ...fresh].sort((a, b) => a - b);
  return all.length <= MOST_EXACT ? all : all.reduce<Uint8Array>(withHash, new Uint8Array(REGISTERS));
}

function withHash(registers: Uint8Array, hash: number): Uint8Array {
  const index = Math.floor(hash / 2 ** RANK_BITS);
  const rest = hash % 2 ** RANK_BITS;
  const rank = rest === 0 ? RANK_BITS + 1 : RANK_BITS - Math.floor(Math.log2(rest));
  if ((registers[index] ?? 0) >= rank) return registers;
  const changed = registers.slice();
  changed[index] = rank;
  return changed;
}

function sigma(given: number): number {
  if (given === 1) return Number.POSITIVE_INFINITY;
  let [x, y, z] = [given, 1, given];
  for (let before = Number.NaN; z !== before; ) {
    x *= x;
    before = z;
    z += x * y;
    y += y;
  }
  return z;
}

function tau(given: number): number {
  if (given === 0 || given === 1) return 0;
  let [x, y, z] = [given, 1, 1 - given];
  for (let before = Number.NaN; z !== before; ) {
    x = Math.sqrt(x);
    before = z;
    y *= 0.5;
    z -= (1 - x) ** 2 * y;
  }
  return z / 3;
}

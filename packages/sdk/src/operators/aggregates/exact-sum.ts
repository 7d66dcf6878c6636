/**
 * The accumulator of `sum` and `avg`: exact, so that order and grouping of the additions cannot show.
 *
 * - A `number` while only safe integers came in and their total is one: the fast path.
 * - A `bigint` once a bigint came in and nothing with a fraction did.
 * - Otherwise `{ int, big, parts }`: the total of safe integers and bigints, whether a bigint came in, and the
 *   exact total of all other numbers (`expansion.ts`).
 */

import { grow, roundExpansion } from './expansion.ts';

export interface WideSum {
  readonly int: bigint;
  readonly big: boolean;
  readonly parts: readonly number[];
}

export type ExactSum = number | bigint | WideSum;

/** `value` is finite. */
export function addExact(sum: ExactSum, value: number | bigint): ExactSum {
  if (typeof sum === 'number' && typeof value === 'number' && Number.isSafeInteger(value)) {
    const total = sum + value;
    if (Number.isSafeInteger(total)) return total;
  }
  const wide = widen(sum);
  if (typeof value === 'bigint') return narrow({ ...wide, int: wide.int + value, big: true });
  if (Number.isSafeInteger(value)) return narrow({ ...wide, int: wide.int + BigInt(value) });
  return narrow({ ...wide, parts: growFinite(wide.parts, value) });
}

export function mergeExact(left: ExactSum, right: ExactSum): ExactSum {
  if (typeof left === 'number' && typeof right === 'number') {
    const total = left + right;
    if (Number.isSafeInteger(total)) return total;
  }
  const a = widen(left);
  const b = widen(right);
  const parts = b.parts.reduce<readonly number[]>(growFinite, a.parts);
  return narrow({ int: a.int + b.int, big: a.big || b.big, parts });
}

/**
 * Undoes a merge while both are numbers. Of the other forms it cannot be told what they would be without the part:
 * whether another bigint came in, for one.
 */
export function subtractExact(whole: ExactSum, part: ExactSum): ExactSum | undefined {
  if (typeof whole !== 'number' || typeof part !== 'number') return undefined;
  const rest = whole - part;
  return Number.isSafeInteger(rest) ? rest : undefined;
}

/** Integers give an integer with all its digits; where another number came in, the nearest double. */
export function exactResult(sum: ExactSum): number | bigint {
  if (typeof sum !== 'object') return sum;
  return sum.parts.length === 0 ? sum.int : roundExpansion(withInteger(sum.parts, sum.int));
}

/** The mean of `count` values, `count` ≥ 1. */
export function exactMean(sum: ExactSum, count: number): number {
  const total = exactResult(sum);
  if (typeof total === 'number') return total / count;
  const divisor = BigInt(count);
  // Dividing first keeps a total beyond the range of doubles from becoming Infinity.
  return finite(Number(total / divisor) + Number(total % divisor) / count);
}

function widen(sum: ExactSum): WideSum {
  if (typeof sum === 'number') return { int: BigInt(sum), big: false, parts: [] };
  return typeof sum === 'bigint' ? { int: sum, big: true, parts: [] } : sum;
}

function narrow(sum: WideSum): ExactSum {
  if (sum.parts.length > 0) return sum;
  if (sum.big) return sum.int;
  const total = Number(sum.int);
  return Number.isSafeInteger(total) ? total : sum;
}

function withInteger(parts: readonly number[], int: bigint): readonly number[] {
  let grown = parts;
  for (let rest = int; rest !== 0n; ) {
    const part = finite(Number(rest));
    grown = growFinite(grown, part);
    rest -= BigInt(part);
  }
  return grown;
}

function growFinite(parts: readonly number[], value: number): readonly number[] {
  const grown = grow(parts, value);
  finite(grown.at(-1) ?? 0);
  return grown;
}

function finite(value: number): number {
  if (Number.isFinite(value)) return value;
  throw new RangeError('The total leaves the range of numbers (about ±1.8e308).');
}

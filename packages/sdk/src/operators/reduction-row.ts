/**
 * A reduction as what a window sums up: its accumulator is the value itself. The inverse is not believed: whatever
 * was put together is taken apart again and compared, so that a wrong one is an error where it shows, never a
 * wrong result (of 2 and 5 the greatest is 5, and nothing makes 2 of that again).
 */
import type { DeepReadonly } from '../api.ts';
import { spellValue } from './aggregates/aggregate-function.ts';
import type { Row } from './aggregates/row.ts';

export type Reduce<T> = (one: DeepReadonly<T>, other: DeepReadonly<T>) => DeepReadonly<T>;

/** How far the parts of a sum of fractions may be off after it was undone. */
const ROUNDING = 1e-9;

export function reductionRow<T>(reduce: Reduce<T>, inverse: Reduce<T> | undefined, what: string): Row<T> {
  const put = fromFrozen(reduce as Combine);
  const undo = inverse === undefined ? undefined : fromFrozen(inverse as Combine);
  const merge = (left: unknown, right: unknown): unknown => {
    const whole = put(left, right);
    if (undo !== undefined) requireUndone(undo(whole, right), left, whole, right);
    return whole;
  };
  const requireUndone = (rest: unknown, before: unknown, whole: unknown, part: unknown): void => {
    if (isSame(rest, before, whole)) return;
    throw new TypeError(
      `The function inverse of ${what} does not undo its function reduce: ${spellValue(before)} and ${spellValue(part)} gave ${spellValue(whole)}, and without ${spellValue(part)} again ${spellValue(rest)}. Leave inverse out where a reduction cannot be undone.`,
    );
  };
  return {
    shape: { reduce: inverse === undefined ? 'reduce' : 'reduce with inverse' },
    first: (value) => value,
    add: (total, value) => put(total, value),
    merge,
    subtract: undo === undefined ? undefined : (whole, part) => undo(whole, part),
    result: (total) => total as Record<string, unknown>,
  };
}

/** Equal as data; numbers up to what the greater ones beside them round away. */
function isSame(one: unknown, other: unknown, beside: unknown): boolean {
  if (typeof one === 'number' && typeof other === 'number') {
    const size = Math.max(Math.abs(other), typeof beside === 'number' ? Math.abs(beside) : 0);
    return Object.is(one, other) || Math.abs(one - other) <= size * ROUNDING;
  }
  if (!isObject(one) || !isObject(other)) return one === other;
  if (one instanceof Date && other instanceof Date) return one.getTime() === other.getTime();
  const [keys, others] = [Object.keys(one), Object.keys(other)];
  const around = isObject(beside) ? beside : {};
  return (
    keys.length === others.length &&
    keys.every((key) => Object.hasOwn(other, key) && isSame(one[key], other[key], around[key]))
  );
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

type Combine = (one: unknown, other: unknown) => unknown;

/** Totals are shared by windows: a function that writes into what it is given must fail, not spoil another one. */
function fromFrozen(combine: Combine): Combine {
  return (one, other) => combine(frozen(one), frozen(other));
}

function frozen<V>(value: V): V {
  if (!isObject(value) || Object.isFrozen(value) || ArrayBuffer.isView(value)) return value;
  for (const part of Object.values(value)) frozen(part);
  return Object.freeze(value);
}

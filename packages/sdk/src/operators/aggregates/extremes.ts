import type { DeepReadonly } from '../../api.ts';
import { requireFunction } from '../require-function.ts';
import { type AggregateFunction, aggregateFunction, spellCall, spellValue } from './aggregate-function.ts';

/** Numbers and bigints compare by value, strings by UTF-16 code units, dates by time. */
export type Ordered = number | bigint | string | Date;

/** `min((r) => r.kind as const)` of literals is still that kind of value, not one literal. */
export type Widened<V> = V extends number
  ? number
  : V extends string
    ? string
    : V extends bigint
      ? bigint
      : V;

/** The smallest value. Values of one window must be comparable: all numbers, all strings or all dates. */
export function min<T, V extends Ordered>(
  of: (value: DeepReadonly<T>) => V,
): AggregateFunction<T, Widened<V>> {
  return extreme<T, V>('min', of, (candidate, best) => candidate < best);
}

/** The largest value; see `min`. */
export function max<T, V extends Ordered>(
  of: (value: DeepReadonly<T>) => V,
): AggregateFunction<T, Widened<V>> {
  return extreme<T, V>('max', of, (candidate, best) => candidate > best);
}

function extreme<T, V extends Ordered>(
  kind: 'min' | 'max',
  of: (value: DeepReadonly<T>) => V,
  beats: (candidate: Ordered, best: Ordered) => boolean,
): AggregateFunction<T, Widened<V>> {
  requireFunction(of, `The argument of ${kind}`);
  const better = (left: Ordered | undefined, right: Ordered | undefined): Ordered | undefined => {
    if (left === undefined || right === undefined) return left ?? right;
    if (family(left) !== family(right)) {
      throw new TypeError(
        `${spellCall(kind, of)} gave a ${family(right)} where the same window holds a ${family(left)}; one window must hold one kind of value.`,
      );
    }
    if (beats(right, left)) return right;
    // 1 and 1n are equal: the number stays, whichever came first.
    return typeof left === 'bigint' && typeof right === 'number' && !beats(left, right) ? right : left;
  };
  return aggregateFunction<T, Ordered | undefined, Widened<V>>({
    kind,
    create: () => undefined,
    add: (best, value) => better(best, requireOrdered(of(value), kind, of)),
    merge: better,
    result: (best) => best as Widened<V>,
  });
}

function family(value: Ordered): 'number' | 'string' | 'date' {
  if (typeof value === 'string') return 'string';
  return typeof value === 'object' ? 'date' : 'number';
}

function requireOrdered(value: unknown, kind: string, of: unknown): Ordered {
  if (typeof value === 'number') {
    if (Number.isFinite(value)) return value;
  } else if (typeof value === 'string' || typeof value === 'bigint') {
    return value;
  } else if (value instanceof Date && !Number.isNaN(value.getTime())) {
    // The record's date can be changed by whoever gave it; accumulators are values.
    return new Date(value);
  }
  throw new TypeError(
    `${spellCall(kind, of)} gave ${spellValue(value)} for this record; it must give a finite number, a bigint, a string or a valid Date. Filter such records out before, or give a default.`,
  );
}

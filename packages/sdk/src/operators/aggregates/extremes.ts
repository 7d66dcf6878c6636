import type { DeepReadonly } from '../../api.ts';
import { requireFunction } from '../require-function.ts';
import { type AggregateFunction, aggregateFunction, spellCall } from './aggregate-function.ts';
import { familyOf, type Ordered, requireOrdered } from './ordered.ts';

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
    if (familyOf(left) !== familyOf(right)) {
      throw new TypeError(
        `${spellCall(kind, of)} gave a ${familyOf(right)} where the same window holds a ${familyOf(left)}; one window must hold one kind of value.`,
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

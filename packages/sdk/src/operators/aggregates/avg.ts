import type { DeepReadonly } from '../../api.ts';
import { requireFunction } from '../require-function.ts';
import { type AggregateFunction, aggregateFunction } from './aggregate-function.ts';
import { addExact, type ExactSum, exactMean, mergeExact, subtractExact } from './exact-sum.ts';
import { requireNumeric } from './require-numeric.ts';

type Mean = readonly [total: ExactSum, count: number];

/** The mean: the exact total (see `sum`) divided by the count, always a number. */
export function avg<T>(of: (value: DeepReadonly<T>) => number | bigint): AggregateFunction<T, number> {
  requireFunction(of, 'The argument of avg');
  return aggregateFunction<T, Mean, number>({
    kind: 'avg',
    create: () => [0, 0],
    add: ([total, count], value) => [addExact(total, requireNumeric(of(value), 'avg', of)), count + 1],
    merge: (left, right) => [mergeExact(left[0], right[0]), left[1] + right[1]],
    subtract: (whole, part) => {
      const total = subtractExact(whole[0], part[0]);
      return total === undefined ? undefined : [total, whole[1] - part[1]];
    },
    remove: ([total, count], value) => [addExact(total, -requireNumeric(of(value), 'avg', of)), count - 1],
    result: ([total, count]) => exactMean(total, count),
  });
}

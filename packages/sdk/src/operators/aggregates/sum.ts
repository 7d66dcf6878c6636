import type { DeepReadonly } from '../../api.ts';
import { requireFunction } from '../require-function.ts';
import { type AggregateFunction, aggregateFunction } from './aggregate-function.ts';
import { addExact, type ExactSum, exactResult, mergeExact, subtractExact } from './exact-sum.ts';
import { requireNumeric } from './require-numeric.ts';

/**
 * The exact total. Bigints give a bigint. Integers give a number up to ±2^53 and beyond it a bigint with all
 * digits, as an integer in JSON input does. Numbers with a fraction are added without loss and rounded once,
 * so their order does not show. A value that is neither a bigint nor a finite number is an error.
 */
export function sum<T, N extends number | bigint>(
  of: (value: DeepReadonly<T>) => N,
): AggregateFunction<T, N extends bigint ? bigint : number> {
  requireFunction(of, 'The argument of sum');
  return aggregateFunction<T, ExactSum, N extends bigint ? bigint : number>({
    kind: 'sum',
    create: () => 0,
    add: (total, value) => addExact(total, requireNumeric(of(value), 'sum', of)),
    merge: mergeExact,
    subtract: subtractExact,
    remove: (total, value) => addExact(total, -requireNumeric(of(value), 'sum', of)),
    result: (total) => exactResult(total) as N extends bigint ? bigint : number,
  });
}

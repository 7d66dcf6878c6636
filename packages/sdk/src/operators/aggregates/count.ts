import { type AggregateFunction, aggregateFunction } from './aggregate-function.ts';

/** How many records. */
export function count<T>(): AggregateFunction<T, number> {
  return aggregateFunction<T, number, number>({
    kind: 'count',
    create: () => 0,
    add: (total) => total + 1,
    merge: (left, right) => left + right,
    subtract: (whole, part) => whole - part,
    result: (total) => total,
  });
}

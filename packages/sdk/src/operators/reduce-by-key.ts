import type { Computation, Duration } from '../api.ts';
import { nonNegativeMs, positiveMs } from './duration.ts';
import type { AnyStream, Input } from './input.ts';
import { type Reduce, reductionRow } from './reduction-row.ts';
import { refuseUnknownOptions } from './refuse-unknown-options.ts';
import { requireFunction } from './require-function.ts';
import { slidingReduction } from './sliding-reduction.ts';
import { tumbling } from './windows/window.ts';

export interface ReduceByKeyOptions<T> {
  /** Two values as one. Associative and commutative, so that the order in which records come does not show. */
  readonly reduce: Reduce<T>;
  /** One result a key for each stretch of event time of this length that has a record of it. */
  readonly every: Duration;
  /** How long after its end a stretch still takes late records; default 0. */
  readonly allowedLateness?: Duration | undefined;
}

/** Reduces the values of each key, interval by interval of event time (D8). */
export function reduceByKey<T>(
  _input: Input<T>,
  options: ReduceByKeyOptions<T>,
): Computation<AnyStream<T>, { out: T; late: T }> {
  refuseUnknownOptions(options, ['reduce', 'every', 'allowedLateness'], 'reduceByKey');
  requireFunction(options.reduce, 'The function reduce of reduceByKey');
  return slidingReduction({
    operator: 'reduceByKey',
    row: reductionRow(options.reduce, undefined, 'reduceByKey'),
    window: tumbling(positiveMs(options.every, 'every')),
    latenessMs: nonNegativeMs(options.allowedLateness ?? 0, 'allowedLateness'),
  });
}

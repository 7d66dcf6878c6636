import type { Computation, Duration } from '../api.ts';
import { nonNegativeMs, positiveMs } from './duration.ts';
import type { AnyStream, Input } from './input.ts';
import { type Reduce, reductionRow } from './reduction-row.ts';
import { refuseUnknownOptions } from './refuse-unknown-options.ts';
import { requireFunction } from './require-function.ts';
import { slidingReduction } from './sliding-reduction.ts';
import { hopping } from './windows/window.ts';

export interface ReduceByWindowOptions<T> {
  /** Two values as one. Associative and commutative, so that the order in which records come does not show. */
  readonly reduce: Reduce<T>;
  /**
   * What `whole` was before `part` was put to it. With it a window is made of the one before, less what left it and
   * with what came: its cost does not grow with its length. An inverse that does not undo `reduce` is an error.
   */
  readonly inverse?: Reduce<T> | undefined;
  /** Length of a window. */
  readonly size: Duration;
  /** A window ends every so often; not longer than `size`. */
  readonly slide: Duration;
  /** How long after its end a window still takes late records; default 0. */
  readonly allowedLateness?: Duration | undefined;
}

const OPTIONS = ['reduce', 'inverse', 'size', 'slide', 'allowedLateness'];

/** Reduces the values of each key over a sliding window of event time (D8; Discretized Streams §3.2). */
export function reduceByWindow<T>(
  _input: Input<T>,
  options: ReduceByWindowOptions<T>,
): Computation<AnyStream<T>, { out: T; late: T }> {
  refuseUnknownOptions(options, OPTIONS, 'reduceByWindow');
  const { reduce, inverse } = options;
  requireFunction(reduce, 'The function reduce of reduceByWindow');
  if (inverse !== undefined) {
    requireFunction(inverse, 'The function inverse of reduceByWindow');
    refuseUndoing(reduce);
  }
  const [sizeMs, slideMs] = [positiveMs(options.size, 'size'), positiveMs(options.slide, 'slide')];
  if (slideMs > sizeMs) {
    throw new RangeError(
      `reduceByWindow has a slide of ${slideMs} ms and a size of ${sizeMs} ms: what lies between two windows would be in none.`,
    );
  }
  return slidingReduction({
    operator: 'reduceByWindow',
    row: reductionRow(reduce, inverse, 'reduceByWindow'),
    window: hopping(sizeMs, slideMs),
    latenessMs: nonNegativeMs(options.allowedLateness ?? 0, 'allowedLateness'),
  });
}

/** A greatest or least value is seen at once; any other wrong inverse where it does not undo a record. */
function refuseUndoing(reduce: unknown): void {
  const taken = /\bMath\.(?:max|min)\b/.exec(String(reduce))?.[0];
  if (taken === undefined) return;
  throw new TypeError(
    `The function inverse of reduceByWindow undoes nothing: of what ${taken} left out nothing is known. Leave inverse out.`,
  );
}

import type { Computation, DeepReadonly, StreamRecord } from '../api.ts';
import type { AnyStream, Input } from './input.ts';
import { passOn } from './pass-on.ts';
import { requireFunction } from './require-function.ts';
import { statelessComputation } from './stateless-computation.ts';

/** Passes on the records for which `keep` gives true. */
export function filter<T>(
  _input: Input<T>,
  keep: (value: DeepReadonly<T>, record: StreamRecord<T>) => boolean,
): Computation<AnyStream<T>, { out: T }> {
  requireFunction(keep, 'The condition of filter');
  return statelessComputation<T, T>((record, ctx) => {
    const kept: unknown = keep(record.value, record);
    // A promise is truthy: an `async` condition would keep everything without a word.
    if (typeof kept !== 'boolean') {
      throw new TypeError(
        `The condition of filter gave ${kept instanceof Promise ? 'a promise' : `a value of type ${typeof kept}`}; it must give true or false.`,
      );
    }
    if (kept) passOn(record, record.value as T, ctx);
  });
}

import type { Computation, DeepReadonly, StreamRecord } from '../api.ts';
import type { AnyStream, Input } from './input.ts';
import { passOn } from './pass-on.ts';
import { requireFunction } from './require-function.ts';
import { statelessComputation } from './stateless-computation.ts';

/** Any number of records out for each record in, in the order given, all at its key and timestamp. */
export function flatMap<T, U>(
  _input: Input<T>,
  convert: (value: DeepReadonly<T>, record: StreamRecord<T>) => Iterable<U>,
): Computation<AnyStream<T>, { out: U }> {
  requireFunction(convert, 'The function of flatMap');
  return statelessComputation<T, U>((record, ctx) => {
    const values: unknown = convert(record.value, record);
    // A string is iterable, but whoever returns one does not mean its letters.
    if (typeof values !== 'object' || values === null || !(Symbol.iterator in values)) {
      throw new TypeError(
        `The function of flatMap gave ${values === null ? 'null' : `a value of type ${typeof values}`}; it must give an array or another iterable of records.`,
      );
    }
    for (const value of values as Iterable<U>) passOn(record, value, ctx);
  });
}

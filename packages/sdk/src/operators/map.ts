import type { Computation, DeepReadonly, StreamRecord } from '../api.ts';
import type { AnyStream, Input } from './input.ts';
import { passOn } from './pass-on.ts';
import { requireFunction } from './require-function.ts';
import { statelessComputation } from './stateless-computation.ts';

/** One record out for each record in, at the same key and timestamp. */
export function map<T, U>(
  _input: Input<T>,
  convert: (value: DeepReadonly<T>, record: StreamRecord<T>) => U,
): Computation<AnyStream<T>, { out: U }> {
  requireFunction(convert, 'The function of map');
  return statelessComputation<T, U>((record, ctx) => passOn(record, convert(record.value, record), ctx));
}

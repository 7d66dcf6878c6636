import type { Computation } from '../api.ts';
import type { AnyStream, Input } from './input.ts';
import { passOn } from './pass-on.ts';
import { statelessComputation } from './stateless-computation.ts';

/** Passes on the records of all its inputs. Between two inputs there is no order (P11). */
export function union<T extends readonly [unknown, ...unknown[]]>(
  ..._inputs: { readonly [I in keyof T]: Input<T[I]> }
): Computation<AnyStream<T[number]>, { out: T[number] }> {
  return statelessComputation<T[number], T[number]>((record, ctx) =>
    passOn(record, record.value as T[number], ctx),
  );
}

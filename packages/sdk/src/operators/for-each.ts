import type { Computation, Context, DeepReadonly, StreamRecord } from '../api.ts';
import type { AnyStream, Input } from './input.ts';
import { passOn } from './pass-on.ts';
import { requireFunction } from './require-function.ts';
import { statelessComputation } from './stateless-computation.ts';

/** What a function that only looks at records may do. */
export type ForEachContext = Pick<Context, 'key' | 'now' | 'log' | 'count'>;

/**
 * Calls a function for each record and passes the record on as it is. What the function does outside (`ctx.log`
 * and `ctx.count` aside) may happen again after a crash: exactly once is what the pipeline stores (P7).
 */
export function forEach<T>(
  _input: Input<T>,
  look: (value: DeepReadonly<T>, record: StreamRecord<T>, ctx: ForEachContext) => unknown,
): Computation<AnyStream<T>, { out: T }> {
  requireFunction(look, 'The function of forEach');
  return statelessComputation<T, T>((record, ctx) => {
    const looked = look(record.value, record, ctx);
    if (looked instanceof Promise) return looked.then(() => passOn(record, record.value as T, ctx));
    return passOn(record, record.value as T, ctx);
  });
}

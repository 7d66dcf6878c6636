import type { Computation, DeepReadonly, StreamRecord } from '../api.ts';
import type { AnyStream, Input } from './input.ts';
import { keyText } from './key-text.ts';
import { requireFunction } from './require-function.ts';
import { statelessComputation } from './stateless-computation.ts';

/**
 * Gives each record the key of its group, for all nodes behind it that have no `keyBy` of their own. Times stay,
 * and of one key before and one after so does the order (P11).
 */
export function groupBy<T>(
  _input: Input<T>,
  by: (value: DeepReadonly<T>, record: StreamRecord<T>) => string | number | bigint,
): Computation<AnyStream<T>, { out: T }> {
  requireFunction(by, 'The function of groupBy');
  return statelessComputation<T, T>((record, ctx) => {
    const key = keyText(by(record.value, record), 'The function of groupBy');
    ctx.produce('out', record.value as T, { key, pane: record.pane });
  });
}

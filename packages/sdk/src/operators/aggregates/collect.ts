import type { DeepReadonly } from '../../api.ts';
import { copyData } from '../../runtime/index.ts';
import { requireFunction } from '../require-function.ts';
import { type AggregateFunction, aggregateFunction } from './aggregate-function.ts';
import { compareData } from './data-order.ts';
import { addToRuns, mergeRuns, type Runs, sortedOf, takeFromRuns } from './sorted-runs.ts';

/**
 * All values, sorted (`data-order.ts`), so that the order in which they came does not show. A window's values must
 * fit into one record (8 MiB); where there are many, count them or keep the first few with `topK`.
 */
export function collect<T, V>(of: (value: DeepReadonly<T>) => V): AggregateFunction<T, V[]> {
  requireFunction(of, 'The argument of collect');
  return aggregateFunction<T, Runs<unknown>, V[]>({
    kind: 'collect',
    create: () => [],
    add: (runs, value) => addToRuns(runs, copyData(of(value)) ?? null, compareData),
    merge: (left, right) => mergeRuns(left, right, compareData),
    remove: (runs, value) => takeFromRuns(runs, copyData(of(value)) ?? null, compareData),
    result: (runs) => sortedOf(runs, compareData) as V[],
  });
}

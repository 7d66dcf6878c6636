import { type Computation, computation, type DeepReadonly } from '../api.ts';
import type { AnyStream, Input } from './input.ts';
import type { Reduce } from './reduction-row.ts';
import { refuseRetracted } from './refuse-retracted.ts';
import { refuseUnknownOptions } from './refuse-unknown-options.ts';
import { requireFunction } from './require-function.ts';

export interface RunningReduceOptions<T> {
  /** Two values as one. Associative and commutative, so that the order in which records come does not show. */
  readonly reduce: Reduce<T>;
}

/**
 * For each record the reduction of all values of its key so far (D8). A late record counts like any other. The
 * total of a key is kept for ever; `track` lets go of keys that fall silent.
 */
export function runningReduce<T>(
  _input: Input<T>,
  options: RunningReduceOptions<T>,
): Computation<AnyStream<T>, { out: T }> {
  refuseUnknownOptions(options, ['reduce'], 'runningReduce');
  const { reduce } = options;
  requireFunction(reduce, 'The function reduce of runningReduce');
  return {
    ...computation<AnyStream<T>, { out: T }, { readonly total: T }>({
      processRecord(record, ctx) {
        refuseRetracted(record, 'runningReduce');
        const before = ctx.state.get();
        const value = record.value as DeepReadonly<T>;
        const total = (before === undefined ? value : reduce(before.total as DeepReadonly<T>, value)) as T;
        ctx.state.set({ total });
        ctx.produce('out', total);
      },
    }),
    stateShape: JSON.stringify({ operator: 'runningReduce' }),
  };
}

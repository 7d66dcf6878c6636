import type { DeepReadonly } from '../../api.ts';
import { copyData } from '../../runtime/index.ts';
import { requireFunction } from '../require-function.ts';
import { type AggregateFunction, aggregateFunction } from './aggregate-function.ts';

export interface CustomAggregate<T, A, R> {
  /** Names what the accumulator is made of: another name is another state (Y2). Default `custom`. */
  readonly name?: string | undefined;
  create(): A;
  add(accumulator: A, value: DeepReadonly<T>): A;
  /** Associative and commutative: how records are put together must not show. */
  merge(left: A, right: A): A;
  result(accumulator: A): R;
  /** What `whole` was before `part` was merged into it; undefined where that cannot be told. */
  subtract?(whole: A, part: A): A | undefined;
}

/**
 * An aggregate of one's own. Accumulators are data and are stored: keep them small. The functions may change what they
 * are given and give it back, for each is given a copy.
 */
export function custom<T, A, R>(own: CustomAggregate<T, A, R>): AggregateFunction<T, R> {
  const { name = 'custom', create, add, merge, result, subtract } = own ?? {};
  for (const [member, given] of Object.entries({ create, add, merge, result })) {
    requireFunction(given, `The function ${member} of a custom aggregate`);
  }
  if (subtract !== undefined) requireFunction(subtract, 'The function subtract of a custom aggregate');
  // The windows keep accumulators without copying them, so nobody else may change one (see `sharesValues`).
  const stored = (accumulator: A | undefined, by: string): A =>
    copyData(accumulator, `the accumulator that ${by} of ${JSON.stringify(name)} gave`) as A;
  return aggregateFunction<T, A, R>({
    kind: `custom ${name}`,
    create: () => stored(create.call(own), 'create'),
    add: (accumulator, value) => stored(add.call(own, copyData(accumulator), value), 'add'),
    merge: (left, right) => stored(merge.call(own, copyData(left), copyData(right)), 'merge'),
    result: (accumulator) => result.call(own, copyData(accumulator)),
    ...(subtract !== undefined && {
      subtract: (whole: A, part: A): A | undefined =>
        stored(subtract.call(own, copyData(whole), copyData(part)), 'subtract'),
    }),
  });
}

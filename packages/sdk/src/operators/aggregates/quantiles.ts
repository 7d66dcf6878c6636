import type { DeepReadonly } from '../../api.ts';
import { requireFunction } from '../require-function.ts';
import { type AggregateFunction, aggregateFunction, spellValue } from './aggregate-function.ts';
import { requireNumeric } from './require-numeric.ts';
import { addToDigest, type Digest, EMPTY_DIGEST, mergeDigests, quantileOf } from './t-digest.ts';

const MOST = 100;

/**
 * Quantiles, `quantiles((r) => r.ms, [0.5, 0.99])`, in the order of the second argument; 0 is the least value and 1
 * the greatest. Up to 512 values they are exact (between two values lies what lies between them in proportion). From
 * there on a t-digest tells them, most exactly near both ends: the same input in the same order always gives the same,
 * another order may differ within its error, about 1 % of the rank in the middle and far less at the ends.
 */
export function quantiles<T>(
  of: (value: DeepReadonly<T>) => number | bigint,
  at: readonly number[],
): AggregateFunction<T, number[]> {
  requireFunction(of, 'The first argument of quantiles');
  if (!Array.isArray(at) || at.length === 0 || at.length > MOST) {
    throw new TypeError('quantiles needs the list of quantiles, for instance [0.5, 0.99].');
  }
  const wrong = at.find((each) => !(typeof each === 'number' && each >= 0 && each <= 1));
  if (wrong !== undefined) throw new RangeError(`A quantile is ${spellValue(wrong)}; it lies from 0 to 1.`);
  return aggregateFunction<T, Digest, number[]>({
    // Which quantiles are read changes nothing of what is stored.
    kind: 'quantiles',
    create: () => EMPTY_DIGEST,
    add: (digest, value) => addToDigest(digest, Number(requireNumeric(of(value), 'quantiles', of))),
    merge: mergeDigests,
    result: (digest) => at.map((each) => quantileOf(digest, each)),
  });
}

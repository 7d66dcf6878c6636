import type { DeepReadonly } from '../../api.ts';
import { copyData } from '../../runtime/index.ts';
import { requireFunction } from '../require-function.ts';
import { type AggregateFunction, aggregateFunction, spellCall, spellValue } from './aggregate-function.ts';
import { compareData } from './data-order.ts';
import { familyOf, type Ordered, requireOrdered } from './ordered.ts';

export interface TopKOptions<T> {
  /** How many. */
  readonly k: number;
  /** What they are ranked by. */
  readonly by: (value: DeepReadonly<T>) => Ordered;
  /** Default `largest`. */
  readonly order?: 'largest' | 'smallest' | undefined;
  /** `keep`: also those that rank the same as the last one. Default `cut`. */
  readonly ties?: 'cut' | 'keep' | undefined;
}

type Entry = readonly [rank: Ordered, item: unknown];

const MOST = 10_000;

/**
 * The first `k` by rank, best first. Of equal rank, what comes first in the order of all data (`data-order.ts`) is
 * before the other: the order of arrival never shows.
 */
export function topK<T, V>(
  of: (value: DeepReadonly<T>) => V,
  options: TopKOptions<T>,
): AggregateFunction<T, V[]> {
  const { k, by, order = 'largest', ties = 'cut' } = requireOptions(of, options);
  const sign = order === 'largest' ? -1 : 1;
  const compareRank = (left: Entry, right: Entry): number => sign * compareData(left[0], right[0]);
  const compare = (left: Entry, right: Entry): number =>
    compareRank(left, right) || compareData(left[1], right[1]);
  const cut = (entries: readonly Entry[]): readonly Entry[] => {
    if (entries.length <= k) return entries;
    const last = entries[k - 1]!;
    return entries.filter((each, i) => i < k || (ties === 'keep' && compareRank(each, last) === 0));
  };
  const merge = (left: readonly Entry[], right: readonly Entry[]): readonly Entry[] => {
    requireOneFamily(left[0], right[0], by);
    return cut([...left, ...right].sort(compare));
  };
  return aggregateFunction<T, readonly Entry[], V[]>({
    kind: `topK ${k} ${order} ${ties}`,
    create: () => [],
    add(entries, value) {
      const entry: Entry = [rankOf(by(value), by), copyData(of(value)) ?? null];
      requireOneFamily(entries[0], entry, by);
      // Most records of a busy window rank behind all that are kept.
      const isBehind = entries.length >= k && compare(entry, entries.at(-1)!) > 0;
      if (isBehind && (ties === 'cut' || compareRank(entry, entries.at(-1)!) > 0)) return entries;
      return merge(entries, [entry]);
    },
    merge,
    result: (entries) => entries.map(([, item]) => item as V),
  });
}

function requireOptions<T>(of: unknown, options: TopKOptions<T>): TopKOptions<T> {
  requireFunction(of, 'The first argument of topK');
  const { k, by, order = 'largest', ties = 'cut' } = options ?? {};
  requireFunction(by, 'The setting by of topK');
  if (!Number.isSafeInteger(k) || k < 1 || k > MOST) {
    throw new RangeError(`topK has k = ${spellValue(k)}; it is a whole number from 1 to ${MOST}.`);
  }
  if (order !== 'largest' && order !== 'smallest')
    throw new TypeError(`topK has the order ${spellValue(order)}; it is "largest" or "smallest".`);
  if (ties !== 'cut' && ties !== 'keep')
    throw new TypeError(`topK has ties ${spellValue(ties)}; it is "cut" or "keep".`);
  return { k, by, order, ties };
}

/** One spelling of each number, so that 1 and 1n are a tie. */
function rankOf(value: unknown, by: unknown): Ordered {
  const rank = requireOrdered(value, 'topK', by);
  const isSmall = typeof rank === 'bigint' && Number.isSafeInteger(Number(rank));
  return isSmall ? Number(rank) : rank === 0 ? 0 : rank;
}

function requireOneFamily(left: Entry | undefined, right: Entry | undefined, by: unknown): void {
  if (left === undefined || right === undefined || familyOf(left[0]) === familyOf(right[0])) return;
  throw new TypeError(
    `${spellCall('topK', by)} ranks by a ${familyOf(right[0])} where the same window has a ${familyOf(left[0])}; one window must hold one kind of value.`,
  );
}

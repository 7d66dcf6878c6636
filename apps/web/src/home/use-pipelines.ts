/** The pipelines of a list, as many pages as were asked for; a reload asks for as many again. */
import type { AnswerOf, RouteOf } from '@millrace/protocol/api';
import { useCallback, useState } from 'react';
import { call } from '../api/call.ts';
import { type Loading, useLoad } from '../api/use-load.ts';
import type { Asked } from './use-asked.ts';

type Page = AnswerOf<RouteOf<'pipelines.list'>>;

const PAGE = 60;
const MOST_A_CALL = 200;

export interface Pipelines {
  readonly found: Loading<Page>;
  readonly more: () => void;
}

export function usePipelines({ q, tag, sort }: Asked): Pipelines {
  const [wanted, setWanted] = useState(PAGE);
  const found = useLoad(
    useCallback(
      async (signal) => {
        const query = { readOnly: false, sort, ...(q && { q }), ...(tag && { tag }) };
        const items: Page['items'] = [];
        let next: string | null = null;
        do {
          const limit = Math.min(MOST_A_CALL, wanted - items.length);
          const page: Page = await call('pipelines.list', {
            query: { ...query, limit, ...(next && { cursor: next }) },
            signal,
          });
          items.push(...page.items);
          next = page.next;
        } while (next !== null && items.length < wanted);
        return { items, next };
      },
      [q, tag, sort, wanted],
    ),
  );
  return { found, more: useCallback(() => setWanted((count) => count + PAGE), []) };
}

/** What runs comes first, the rest in the order it was made: the sample that greets people is the first. */
export function useSamples({ q, tag }: Asked): Loading<Page['items']> {
  return useLoad(
    useCallback(
      async (signal) => {
        const query = { readOnly: true, limit: MOST_A_CALL, ...(q && { q }), ...(tag && { tag }) };
        const { items } = await call('pipelines.list', { query, signal });
        return items.toSorted(
          (a, b) =>
            Number(b.deployment !== null) - Number(a.deployment !== null) || a.createdAt - b.createdAt,
        );
      },
      [q, tag],
    ),
  );
}

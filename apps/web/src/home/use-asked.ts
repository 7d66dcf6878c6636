/** What of the pipelines is asked for: in the address, so that reload, back and a link show the same. */
import { useCallback } from 'react';
import { useSearchParams } from 'react-router';

export const SORTS = ['updated', 'name', 'created'] as const;
export type Sort = (typeof SORTS)[number];

export interface Asked {
  readonly q: string;
  readonly tag: string | undefined;
  readonly sort: Sort;
}

export function useAsked(): readonly [Asked, (change: Partial<Asked>) => void] {
  const [params, setParams] = useSearchParams();
  const asked: Asked = {
    q: params.get('q') ?? '',
    tag: params.get('tag') ?? undefined,
    sort: SORTS.find((sort) => sort === params.get('sort')) ?? 'updated',
  };
  const change = useCallback(
    (changed: Partial<Asked>) =>
      setParams(
        (before) => {
          const after = new URLSearchParams(before);
          for (const [name, value] of Object.entries(changed))
            if (value && value !== 'updated') after.set(name, value);
            else after.delete(name);
          return after;
        },
        { replace: true },
      ),
    [setParams],
  );
  return [asked, change];
}

/** The versions of the open pipeline, newest first, page by page. */
import type { AnswerOf, RouteOf } from '@millrace/protocol/api';
import { useCallback, useEffect, useState } from 'react';
import { messageOf } from '../../../api/api-error.ts';
import { call } from '../../../api/call.ts';

export type Version = AnswerOf<RouteOf<'versions.list'>>['items'][number];

export interface Versions {
  /** Undefined: not here yet. */
  readonly items: readonly Version[] | undefined;
  readonly error: string | undefined;
  readonly hasMore: boolean;
  readonly more: () => void;
}

const PAGE = 50;

/** `newest` is looked at only to ask again when it changed. */
export function useVersions(pipeline: string, newest: number | undefined): Versions {
  const [items, setItems] = useState<readonly Version[]>();
  const [cursor, setCursor] = useState<string>();
  const [error, setError] = useState<string>();
  const load = useCallback(
    async (after: string | undefined, signal?: AbortSignal) => {
      const query = { limit: PAGE, ...(after !== undefined && { cursor: after }) };
      try {
        const page = await call('versions.list', { params: { pipeline }, query, ...(signal && { signal }) });
        if (signal?.aborted) return;
        setItems((before) => [...(after === undefined ? [] : (before ?? [])), ...page.items]);
        setCursor(page.next ?? undefined);
        setError(undefined);
      } catch (thrown) {
        if (!signal?.aborted) setError(messageOf(thrown));
      }
    },
    [pipeline],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: another newest version asks again
  useEffect(() => {
    const aborting = new AbortController();
    void load(undefined, aborting.signal);
    return () => aborting.abort();
  }, [load, newest]);
  return { items, error, hasMore: cursor !== undefined, more: () => void load(cursor) };
}

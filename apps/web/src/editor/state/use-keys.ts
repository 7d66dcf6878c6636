/** Keys of a computation that begin with a text, a page at a time. */
import type { AnswerOf, RouteOf } from '@millrace/protocol/api';
import { useCallback, useEffect, useState } from 'react';
import { isCancelled } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { orNone } from './or-none.ts';

export type StoredKey = AnswerOf<RouteOf<'state.search'>>['items'][number];

export interface Keys {
  readonly items: readonly StoredKey[];
  /** Null: these are all. */
  readonly next: string | null;
  readonly busy: boolean;
  readonly error: unknown;
  readonly more: () => void;
}

interface Found {
  readonly items: readonly StoredKey[];
  readonly next: string | null;
}

const PER_PAGE = 100;
/** A page may be empty and still have a next one: so many are asked for before somebody must ask again. */
const MOST_EMPTY = 20;
const NONE: Found = { items: [], next: null };

export function useKeys(pipeline: string, node: string, beginning: string): Keys {
  const [found, setFound] = useState(NONE);
  const [wanted, setWanted] = useState<{ readonly cursor: string | undefined }>({ cursor: undefined });
  const [busy, setBusy] = useState(true);
  const [error, setError] = useState<unknown>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: other keys begin at their first page
  useEffect(() => setWanted({ cursor: undefined }), [pipeline, node, beginning]);
  useEffect(() => {
    const aborting = new AbortController();
    const { signal } = aborting;
    setBusy(true);
    setError(undefined);
    readPage({ pipeline, node, beginning, cursor: wanted.cursor, signal })
      .then(
        (page) => {
          if (signal.aborted) return;
          setFound((before) =>
            wanted.cursor === undefined ? page : { items: [...before.items, ...page.items], next: page.next },
          );
        },
        (thrown: unknown) => !isCancelled(thrown) && !signal.aborted && setError(thrown),
      )
      .finally(() => !signal.aborted && setBusy(false));
    return () => aborting.abort();
  }, [pipeline, node, beginning, wanted]);
  const { next } = found;
  const more = useCallback(() => next !== null && setWanted({ cursor: next }), [next]);
  return { ...found, busy, error, more };
}

interface PageWanted {
  readonly pipeline: string;
  readonly node: string;
  readonly beginning: string;
  readonly cursor: string | undefined;
  readonly signal: AbortSignal;
}

async function readPage({ pipeline, node, beginning, cursor, signal }: PageWanted): Promise<Found> {
  let at = cursor;
  for (let tried = 0; ; tried++) {
    const asked = call('state.search', {
      params: { pipeline, node },
      body: { beginning, limit: PER_PAGE, ...(at !== undefined && { cursor: at }) },
      signal,
    });
    const { items, next } = await orNone<Found>(asked, NONE);
    if (items.length > 0 || next === null || tried === MOST_EMPTY) return { items, next };
    at = next;
  }
}

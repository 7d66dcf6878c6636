/** Something a person started that the server must do: busy meanwhile, and what went wrong. */
import { useState } from 'react';
import { ApiError, messageOf } from './api-error.ts';

export interface Action<A extends readonly unknown[]> {
  readonly run: (...given: A) => Promise<void>;
  readonly busy: boolean;
  readonly error: string | undefined;
  /** What the server says of one field of what was sent. */
  readonly issueAt: (path: string) => string | undefined;
}

export function useAction<A extends readonly unknown[]>(work: (...given: A) => Promise<unknown>): Action<A> {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  return {
    busy,
    error: error === undefined ? undefined : messageOf(error),
    issueAt: (path) => (error instanceof ApiError ? error.issueAt(path) : undefined),
    run: async (...given) => {
      setBusy(true);
      setError(undefined);
      try {
        await work(...given);
      } catch (thrown) {
        setError(thrown);
      } finally {
        setBusy(false);
      }
    },
  };
}

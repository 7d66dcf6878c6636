/** Something a person started that the server must do: busy meanwhile, and what went wrong. */
import { useEffect, useRef, useState } from 'react';
import { ApiError, isCancelled, messageOf } from './api-error.ts';

export interface Action<A extends readonly unknown[]> {
  readonly run: (...given: A) => Promise<void>;
  readonly busy: boolean;
  /** Busy for so long that one may want to leave it. */
  readonly isLong: boolean;
  /** Ends what listens to `signal`; that is no error. */
  readonly cancel: () => void;
  /** Of what runs now: for the calls that `work` makes. */
  readonly signal: AbortSignal | undefined;
  readonly error: string | undefined;
  /** What the server says of one field of what was sent. */
  readonly issueAt: (path: string) => string | undefined;
}

const LONG_MS = 2_000;

export function useAction<A extends readonly unknown[]>(work: (...given: A) => Promise<unknown>): Action<A> {
  const [busy, setBusy] = useState(false);
  const [isLong, setLong] = useState(false);
  const aborting = useRef<AbortController>(undefined);
  useEffect(() => {
    if (!busy) return setLong(false);
    const timer = setTimeout(() => setLong(true), LONG_MS);
    return () => clearTimeout(timer);
  }, [busy]);
  const [error, setError] = useState<unknown>();
  return {
    busy,
    isLong,
    cancel: () => aborting.current?.abort(),
    get signal() {
      return aborting.current?.signal;
    },
    error: error === undefined ? undefined : messageOf(error),
    issueAt: (path) => (error instanceof ApiError ? error.issueAt(path) : undefined),
    run: async (...given) => {
      aborting.current = new AbortController();
      setBusy(true);
      setError(undefined);
      try {
        await work(...given);
      } catch (thrown) {
        if (!isCancelled(thrown)) setError(thrown);
      } finally {
        setBusy(false);
      }
    },
  };
}

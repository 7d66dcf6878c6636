/** What a view shows of something the server has: loading, there, or not to be had. */
import { useCallback, useEffect, useState } from 'react';

export type Loaded<T> =
  | { readonly kind: 'loading' }
  | { readonly kind: 'ready'; readonly value: T }
  | { readonly kind: 'failed'; readonly error: unknown };

export type Loading<T> = Loaded<T> & {
  /** Again; what is shown stays until the new is there. */
  readonly reload: () => void;
  /** Instead of asking again, where the answer to a write is what is true now. */
  readonly set: (value: T) => void;
};

/** `load` is called anew when it is another function: keep it with `useCallback`. */
export function useLoad<T>(load: (signal: AbortSignal) => Promise<T>): Loading<T> {
  const [state, setState] = useState<Loaded<T>>({ kind: 'loading' });
  const [round, setRound] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round loads again
  useEffect(() => {
    const aborting = new AbortController();
    load(aborting.signal).then(
      (value) => !aborting.signal.aborted && setState({ kind: 'ready', value }),
      (error: unknown) => !aborting.signal.aborted && setState({ kind: 'failed', error }),
    );
    return () => aborting.abort();
  }, [load, round]);
  const reload = useCallback(() => setRound((count) => count + 1), []);
  const set = useCallback((value: T) => setState({ kind: 'ready', value }), []);
  return { ...state, reload, set };
}

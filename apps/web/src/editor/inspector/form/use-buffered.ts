/** A text being typed: kept here, written a moment after the last key and when the field is left. */
import { useEffect, useRef, useState } from 'react';

const QUIET_MS = 350;

export interface Buffered {
  readonly value: string;
  readonly onChange: (event: { readonly target: { readonly value: string } }) => void;
  readonly onBlur: () => void;
}

export function useBuffered(given: string, write: (text: string) => void): Buffered {
  const [typed, setTyped] = useState<string | undefined>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const latest = useRef({ typed, write, given });
  latest.current = { typed, write, given };
  const flush = (): void => {
    clearTimeout(timer.current);
    const { typed: text, write: send, given: before } = latest.current;
    if (text !== undefined && text !== before) send(text);
  };
  // What was typed into a field that goes away, by another selection, is not lost.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, at the end
  useEffect(() => flush, []);
  return {
    value: typed ?? given,
    onChange: ({ target }) => {
      setTyped(target.value);
      clearTimeout(timer.current);
      timer.current = setTimeout(flush, QUIET_MS);
    },
    onBlur: () => {
      flush();
      setTyped(undefined);
    },
  };
}

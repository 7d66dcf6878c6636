/** A text being typed: shown as it is typed, written as `typed-text.ts` says. */
import { useEffect, useRef, useState } from 'react';
import { type TypedText, typedText, type WriteWhen } from './typed-text.ts';

export interface Buffered {
  readonly value: string;
  readonly onChange: (event: { readonly target: { readonly value: string } }) => void;
  readonly onKeyDown: (event: { readonly key: string }) => void;
  readonly onBlur: () => void;
}

export function useBuffered(
  given: string,
  write: (text: string) => void,
  when: WriteWhen = 'as-typed',
): Buffered {
  const [typed, setTyped] = useState<string | undefined>();
  const latest = useRef({ write, given });
  latest.current = { write, given };
  const [buffer] = useState(
    (): TypedText =>
      typedText({
        when,
        write: (text) => {
          if (text !== latest.current.given) latest.current.write(text);
        },
      }),
  );
  // What was typed into a field that goes away, by another selection, is not lost.
  useEffect(() => buffer.settle, [buffer]);
  return {
    value: typed ?? given,
    onChange: ({ target }) => {
      setTyped(target.value);
      buffer.typed(target.value);
    },
    onKeyDown: ({ key }) => {
      if (key === 'Enter') buffer.settle();
    },
    onBlur: () => {
      buffer.settle();
      setTyped(undefined);
    },
  };
}

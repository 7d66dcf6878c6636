/** Makes many buttons one stop of the tab key, with arrows, Home, End and first letters to go among them. */
import { type KeyboardEvent, type RefObject, useRef, useState } from 'react';
import { nextStop, stopNamed, typedNow } from './next-stop.ts';

/** For the button itself. */
export interface RovingStop {
  readonly tabIndex: 0 | -1;
  readonly onFocus: () => void;
  readonly 'data-stop': true;
}

export interface Roving {
  /** For what is around them. */
  readonly frame: RefObject<HTMLDivElement | null>;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly stop: (place: number) => RovingStop;
  /** From outside, such as by the arrow key of a field above. */
  readonly enter: () => void;
}

/** `names` in the order of the buttons. */
export function useRoving(names: readonly string[]): Roving {
  const [chosen, setChosen] = useState(0);
  const frame = useRef<HTMLDivElement>(null);
  const typed = useRef({ text: '', at: Number.NEGATIVE_INFINITY });
  const current = Math.min(chosen, names.length - 1);
  const go = (to: number): void => {
    setChosen(to);
    frame.current?.querySelectorAll<HTMLElement>('[data-stop]')[to]?.focus();
  };
  return {
    frame,
    enter: () => go(0),
    stop: (place) => ({
      tabIndex: place === current ? 0 : -1,
      onFocus: () => setChosen(place),
      'data-stop': true,
    }),
    onKeyDown: (event) => {
      const { key } = event;
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const isLetter = key.length === 1 && key !== ' ';
      if (isLetter) typed.current = typedNow(typed.current, key, event.timeStamp);
      const to = isLetter ? stopNamed(names, typed.current, current) : nextStop(key, current, names.length);
      if (to === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      go(to);
    },
  };
}

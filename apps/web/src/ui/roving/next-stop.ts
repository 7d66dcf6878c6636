/** Where the keys of a list lead: arrows, Home, End, and the first letters of a name. Pure. */

export interface Typed {
  readonly text: string;
  /** When the last letter came. */
  readonly at: number;
}

/** Letters that come sooner belong to one word. */
const WORD_MS = 700;

/** Undefined: the key is none of a list's. */
export function nextStop(key: string, current: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowDown':
      return Math.min(current + 1, count - 1);
    case 'ArrowUp':
      return Math.max(current - 1, 0);
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}

/** A letter goes on with the word, or begins one. */
export function typedNow(before: Typed, letter: string, now: number): Typed {
  const text = now - before.at < WORD_MS ? before.text + letter : letter;
  return { text: text.toLowerCase(), at: now };
}

/** The next name that begins so; the same letter again and again goes from one to the next. */
export function stopNamed(names: readonly string[], { text }: Typed, current: number): number | undefined {
  const isRepeated = [...text].every((letter) => letter === text[0]);
  const wanted = isRepeated ? text.slice(0, 1) : text;
  const from = isRepeated ? current + 1 : current;
  const order = names.map((_, i) => (from + i) % names.length);
  return order.find((i) => names[i]?.toLowerCase().startsWith(wanted));
}

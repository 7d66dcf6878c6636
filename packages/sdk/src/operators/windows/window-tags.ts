/** The tags of the timers of windows that are named by their end. */

import type { EventTime } from '../../api.ts';

/**
 * `end` fires a window, `clear` removes it. `expire` and `wake` (on the wall clock) say that it has an entry in `firings`:
 * who reads them can remove that without looking, whatever trigger there is by then (Y2).
 */
export type TagKind = 'end' | 'clear' | 'expire' | 'wake';

const LETTERS: Readonly<Record<Exclude<TagKind, 'end'>, string>> = {
  clear: 'c',
  expire: 'x',
  wake: 'w',
};
const KINDS: ReadonlyMap<string, TagKind> = new Map(
  Object.entries(LETTERS).map(([kind, letter]) => [letter, kind as TagKind]),
);
/** Behind digits and the minus. */
const FIRST_LETTER = 97;

export function tagOf(kind: TagKind, end: EventTime): string {
  return kind === 'end' ? String(end) : LETTERS[kind] + end;
}

export function readTag(tag: string): { readonly kind: TagKind; readonly end: EventTime } {
  if (tag.charCodeAt(0) < FIRST_LETTER) return { kind: 'end', end: Number(tag) };
  return { kind: KINDS.get(tag.charAt(0)) ?? 'wake', end: Number(tag.slice(1)) };
}

/** Edits of texts, in UTF-16 units. */
import type { Splice } from '../write/edit.ts';

/** The edit that turns one text into another: what both begin and end with stays as it is. */
export function textSplices(old: string, now: string): Splice[] {
  if (old === now) return [];
  const start = sharedStart(old, now);
  const end = sharedEnd(old, now, start);
  return [{ at: start, remove: old.length - end - start, insert: now.slice(start, now.length - end) }];
}

function sharedStart(a: string, b: string): number {
  let n = 0;
  while (n < a.length && n < b.length && a[n] === b[n]) n++;
  // Never between the halves of one character.
  return n > 0 && isHigh(a.charCodeAt(n - 1)) ? n - 1 : n;
}

function sharedEnd(a: string, b: string, start: number): number {
  const most = Math.min(a.length, b.length) - start;
  let n = 0;
  while (n < most && a[a.length - 1 - n] === b[b.length - 1 - n]) n++;
  return n > 0 && isLow(a.charCodeAt(a.length - n)) ? n - 1 : n;
}

/** The splice widened so that it cuts no character in half: Yjs would turn both halves into `\ufffd`. */
export function wholeCharacters(text: string, { at, remove, insert }: Splice): Splice {
  if (remove === 0) return { at: splits(text, at) ? at + 1 : at, remove, insert };
  const start = splits(text, at) ? at - 1 : at;
  const end = splits(text, at + remove) ? at + remove + 1 : at + remove;
  return { at: start, remove: end - start, insert };
}

function splits(text: string, at: number): boolean {
  return at > 0 && isHigh(text.charCodeAt(at - 1)) && isLow(text.charCodeAt(at));
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

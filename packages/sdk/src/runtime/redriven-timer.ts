/**
 * A timer whose firing failed for good and that is to fire again. Its tag may be armed anew by now, and both are to fire:
 * so it is armed under a tag of its own, which user code can neither see, replace nor clear.
 */
import type { StoredTimer } from './key-entry.ts';

/** No key or id holds it twice in a row; user code may use it in tags, and then only takes its own timers for another's. */
const MARK = '\u0000\u0000';

/** `arming`: which arming of it failed. */
export function redrivenTimer(timer: StoredTimer, arming: string): StoredTimer {
  return { ...timer, tag: `${MARK}${arming}${MARK}${timer.tag}` };
}

/** The tag as user code gave it. */
export function ownTag(tag: string): string {
  return tag.startsWith(MARK) ? tag.slice(tag.indexOf(MARK, MARK.length) + MARK.length) : tag;
}

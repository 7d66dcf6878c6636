/** Keys as `mod+shift+k`: `mod` is ⌘ on a Mac and Ctrl elsewhere. */
import { isApple } from '../ui/platform.ts';

export type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>;

export function matchesKeys(event: Pressed, keys: string, onApple: boolean = isApple): boolean {
  const parts = keys.toLowerCase().split('+');
  const key = parts.at(-1) ?? '';
  const wants = (name: string) => parts.slice(0, -1).includes(name);
  const mod = onApple ? event.metaKey : event.ctrlKey;
  const other = onApple ? event.ctrlKey : event.metaKey;
  // A sign such as `?` needs shift on some keyboards and not on others: the sign is what counts.
  const isLetter = /^[a-z]$|^\w{2,}$/.test(key);
  return (
    event.key.toLowerCase() === (NAMES[key] ?? key) &&
    mod === wants('mod') &&
    !other &&
    event.altKey === wants('alt') &&
    (!isLetter || event.shiftKey === wants('shift'))
  );
}

const NAMES: Readonly<Record<string, string>> = {
  esc: 'escape',
  up: 'arrowup',
  down: 'arrowdown',
  left: 'arrowleft',
  right: 'arrowright',
  space: ' ',
};

/** A press as text; empty for a key that only changes others. */
export function keysOfPress(press: Pressed): string {
  const key = press.key.toLowerCase();
  if (['control', 'shift', 'alt', 'meta', 'altgraph'].includes(key)) return '';
  const isSign = key.length === 1 && key.toUpperCase() === key;
  const parts = [
    press.ctrlKey || press.metaKey ? 'mod+' : '',
    // `/` and `+` need Shift on some keyboards: a sign is what it is.
    press.shiftKey && !isSign ? 'shift+' : '',
    press.altKey ? 'alt+' : '',
  ];
  return parts.join('') + key;
}

export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || /^(input|textarea|select)$/i.test(target.tagName);
}

import { uiWords } from '../text/strings/ui.ts';
import styles from './kbd.module.css';
import { isApple } from './platform.ts';

const APPLE: Readonly<Record<string, string>> = { mod: '⌘', shift: '⇧', alt: '⌥', enter: '↵' };
const OTHERS: Readonly<Record<string, string>> = {
  mod: uiWords.ctrl,
  shift: uiWords.shift,
  alt: uiWords.alt,
  enter: uiWords.enter,
};
const ARROWS: Readonly<Record<string, string>> = {
  up: '↑',
  down: '↓',
  left: '←',
  right: '→',
  esc: uiWords.esc,
  escape: uiWords.esc,
  arrowup: '↑',
  arrowdown: '↓',
  arrowleft: '←',
  arrowright: '→',
  delete: uiWords.delete,
  ' ': uiWords.space,
};

export interface KbdProps {
  /** `mod+shift+k`; `mod` is ⌘ where there is one. */
  readonly keys: string;
}

export function Kbd({ keys }: KbdProps) {
  const names = isApple ? APPLE : OTHERS;
  return (
    <kbd className={styles.kbd}>
      {keys.split('+').map((key) => (
        <span key={key}>{names[key] ?? ARROWS[key] ?? key.toUpperCase()}</span>
      ))}
    </kbd>
  );
}

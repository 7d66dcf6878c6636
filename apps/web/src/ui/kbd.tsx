import styles from './kbd.module.css';
import { isApple } from './platform.ts';

const APPLE: Readonly<Record<string, string>> = { mod: '⌘', shift: '⇧', alt: '⌥', enter: '↵' };
const OTHERS: Readonly<Record<string, string>> = {
  mod: 'Ctrl',
  shift: 'Shift',
  alt: 'Alt',
  enter: 'Enter',
};
const ARROWS: Readonly<Record<string, string>> = { up: '↑', down: '↓', left: '←', right: '→', esc: 'Esc' };

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

import { type KeyboardEvent, useState } from 'react';
import { shellWords as words } from '../text/strings/shell.ts';
import { Kbd } from '../ui/kbd.tsx';
import { keysOfPress } from './match-keys.ts';
import styles from './own-keys.module.css';

export interface OwnKeysProps {
  readonly title: string;
  readonly keys: string;
  readonly rekey: (keys: string | undefined) => string | undefined;
}

/** Keys that can be chosen: a press on the button asks for others. */
export function OwnKeys({ title, keys, rekey }: OwnKeysProps) {
  const [isAsking, setAsking] = useState(false);
  const [holder, setHolder] = useState<string>();
  const take = (event: KeyboardEvent): void => {
    if (!isAsking || event.key === 'Tab') return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === 'Escape') return setAsking(false);
    const next = event.key === 'Backspace' ? undefined : keysOfPress(event.nativeEvent);
    if (next === '') return;
    const taken = rekey(next);
    setHolder(taken);
    setAsking(taken !== undefined);
  };
  return (
    <button
      type="button"
      className={styles.own}
      aria-label={words.changeKeysOf(title)}
      title={isAsking ? words.pressKeyAbout : words.changeKeysOf(title)}
      data-asking={isAsking}
      onClick={() => {
        setHolder(undefined);
        setAsking(!isAsking);
      }}
      onBlur={() => setAsking(false)}
      onKeyDown={take}
    >
      {isAsking ? holder === undefined ? words.pressKey : words.keyIsTaken(holder) : <Kbd keys={keys} />}
    </button>
  );
}

import { Tabs as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import styles from './tabs.module.css';

export interface Tab<T extends string> {
  readonly value: T;
  readonly label: ReactNode;
  /** A number or badge behind the word. */
  readonly aside?: ReactNode;
  readonly content: ReactNode;
}

export interface TabsProps<T extends string> {
  /** Names the row of tabs. */
  readonly label: string;
  readonly value: T;
  readonly tabs: readonly Tab<T>[];
  readonly onChange: (value: T) => void;
  /** At the right end of the row. */
  readonly end?: ReactNode;
}

export const Tabs = <T extends string>({ label, value, tabs, onChange, end }: TabsProps<T>) => (
  <Radix.Root className={styles.root} value={value} onValueChange={(next) => onChange(next as T)}>
    <div className={styles.row}>
      <Radix.List className={styles.list} aria-label={label}>
        {tabs.map((tab) => (
          <Radix.Trigger key={tab.value} value={tab.value} className={styles.tab}>
            <span className={styles.word}>{tab.label}</span>
            {tab.aside}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {end}
    </div>
    {tabs.map((tab) => (
      <Radix.Content key={tab.value} value={tab.value} className={styles.content}>
        {tab.content}
      </Radix.Content>
    ))}
  </Radix.Root>
);

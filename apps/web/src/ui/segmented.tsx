import { ToggleGroup } from 'radix-ui';
import type { ReactNode } from 'react';
import styles from './segmented.module.css';

export interface SegmentedProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly options: readonly { readonly value: T; readonly label: ReactNode; readonly disabled?: boolean }[];
  readonly onChange: (value: T) => void;
}

/** One of a few, all seen: Draft | Running. */
export const Segmented = <T extends string>({ label, value, options, onChange }: SegmentedProps<T>) => (
  <ToggleGroup.Root
    type="single"
    className={styles.group}
    aria-label={label}
    value={value}
    onValueChange={(next) => next && onChange(next as T)}
  >
    {options.map((option) => (
      <ToggleGroup.Item
        key={option.value}
        value={option.value}
        className={styles.option}
        disabled={option.disabled ?? false}
      >
        {option.label}
      </ToggleGroup.Item>
    ))}
  </ToggleGroup.Root>
);

import { Popover as Radix } from 'radix-ui';
import type { ReactElement, ReactNode } from 'react';
import styles from './popover.module.css';

export interface PopoverProps {
  readonly trigger: ReactElement;
  readonly label: string;
  readonly children: ReactNode;
  readonly align?: 'start' | 'center' | 'end';
  /** Where what is inside closes it. */
  readonly open?: boolean;
  readonly onOpenChange?: (open: boolean) => void;
}

export const Popover = ({ trigger, label, children, align = 'start', ...state }: PopoverProps) => (
  <Radix.Root {...state}>
    <Radix.Trigger asChild>{trigger}</Radix.Trigger>
    <Radix.Portal>
      <Radix.Content
        className={styles.popover}
        align={align}
        sideOffset={4}
        collisionPadding={8}
        aria-label={label}
      >
        {children}
      </Radix.Content>
    </Radix.Portal>
  </Radix.Root>
);

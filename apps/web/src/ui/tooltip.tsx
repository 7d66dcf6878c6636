import { Tooltip as Radix } from 'radix-ui';
import type { ReactElement, ReactNode } from 'react';
import { Kbd } from './kbd.tsx';
import styles from './tooltip.module.css';

const OPEN_AFTER_MS = 450;

export interface TooltipProps {
  readonly text: ReactNode;
  readonly shortcut?: string | undefined;
  readonly side?: 'top' | 'right' | 'bottom' | 'left';
  /** One element that takes a ref and can have the focus. */
  readonly children: ReactElement;
}

/** Names or explains what it is on; nothing is only there. */
export function Tooltip({ text, shortcut, side = 'bottom', children }: TooltipProps) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content className={styles.tooltip} side={side} sideOffset={6} collisionPadding={8}>
          {text}
          {shortcut && <Kbd keys={shortcut} />}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** Around the whole page: after one tooltip the next comes at once. */
export const TooltipProvider = ({ children }: { readonly children: ReactNode }) => (
  <Radix.Provider delayDuration={OPEN_AFTER_MS} disableHoverableContent>
    {children}
  </Radix.Provider>
);

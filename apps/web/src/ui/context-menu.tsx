import type { LucideIcon } from 'lucide-react';
import { ContextMenu as Radix } from 'radix-ui';
import type { ReactElement, ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { Icon } from './icon.tsx';
import { Kbd } from './kbd.tsx';
import styles from './menu.module.css';

export interface ContextMenuProps {
  /** What is clicked with the other button. */
  readonly children: ReactElement;
  readonly items: ReactNode;
}

export const ContextMenu = ({ children, items }: ContextMenuProps) => (
  <Radix.Root>
    <Radix.Trigger asChild>{children}</Radix.Trigger>
    <Radix.Portal>
      <Radix.Content className={styles.menu} collisionPadding={8}>
        {items}
      </Radix.Content>
    </Radix.Portal>
  </Radix.Root>
);

export interface ContextMenuItemProps {
  readonly icon?: LucideIcon;
  readonly shortcut?: string;
  readonly isDanger?: boolean;
  readonly disabled?: boolean;
  readonly onSelect: () => void;
  readonly children: ReactNode;
}

export const ContextMenuItem = ({
  icon,
  shortcut,
  isDanger,
  disabled = false,
  onSelect,
  children,
}: ContextMenuItemProps) => (
  <Radix.Item
    className={classNames(styles.item, isDanger && styles.danger)}
    disabled={disabled}
    onSelect={onSelect}
  >
    <span className={styles.icon}>{icon && <Icon of={icon} />}</span>
    <span className={styles.label}>{children}</span>
    {shortcut && <Kbd keys={shortcut} />}
  </Radix.Item>
);

export const ContextMenuSeparator = () => <Radix.Separator className={styles.separator} />;

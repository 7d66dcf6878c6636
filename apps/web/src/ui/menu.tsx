import { Check, type LucideIcon } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import type { ReactElement, ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { Icon } from './icon.tsx';
import { Kbd } from './kbd.tsx';
import styles from './menu.module.css';

export interface MenuProps {
  readonly trigger: ReactElement;
  readonly align?: 'start' | 'center' | 'end';
  readonly children: ReactNode;
}

export const Menu = ({ trigger, align = 'end', children }: MenuProps) => (
  <DropdownMenu.Root>
    <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
    <DropdownMenu.Portal>
      <DropdownMenu.Content className={styles.menu} align={align} sideOffset={4} collisionPadding={8}>
        {children}
      </DropdownMenu.Content>
    </DropdownMenu.Portal>
  </DropdownMenu.Root>
);

export interface MenuItemProps {
  readonly icon?: LucideIcon;
  readonly shortcut?: string;
  readonly isDanger?: boolean;
  readonly disabled?: boolean;
  readonly onSelect: () => void;
  readonly children: ReactNode;
}

export const MenuItem = ({
  icon,
  shortcut,
  isDanger,
  disabled = false,
  onSelect,
  children,
}: MenuItemProps) => (
  <DropdownMenu.Item
    className={classNames(styles.item, isDanger && styles.danger)}
    disabled={disabled}
    onSelect={onSelect}
  >
    <span className={styles.icon}>{icon && <Icon of={icon} />}</span>
    <span className={styles.label}>{children}</span>
    {shortcut && <Kbd keys={shortcut} />}
  </DropdownMenu.Item>
);

export const MenuSeparator = () => <DropdownMenu.Separator className={styles.separator} />;

export const MenuLabel = ({ children }: { readonly children: ReactNode }) => (
  <DropdownMenu.Label className={styles.heading}>{children}</DropdownMenu.Label>
);

export interface MenuChoiceProps<T extends string> {
  readonly value: T;
  readonly options: readonly { readonly value: T; readonly label: string }[];
  readonly onChange: (value: T) => void;
}

/** One of several, in a menu. */
export const MenuChoice = <T extends string>({ value, options, onChange }: MenuChoiceProps<T>) => (
  <DropdownMenu.RadioGroup value={value} onValueChange={(next) => onChange(next as T)}>
    {options.map((option) => (
      <DropdownMenu.RadioItem key={option.value} value={option.value} className={styles.item}>
        <span className={styles.icon}>
          <DropdownMenu.ItemIndicator>
            <Icon of={Check} />
          </DropdownMenu.ItemIndicator>
        </span>
        <span className={styles.label}>{option.label}</span>
      </DropdownMenu.RadioItem>
    ))}
  </DropdownMenu.RadioGroup>
);

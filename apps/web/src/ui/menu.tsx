import { Check, ChevronRight, type LucideIcon } from 'lucide-react';
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

export interface MenuAtProps {
  /** In pixels of the window: under a pointer, or beside what the keyboard is at. */
  readonly place: readonly [x: number, y: number];
  readonly label: string;
  readonly onClose: () => void;
  /** After it is gone: where the focus goes now. */
  readonly onClosed: () => void;
  readonly children: ReactNode;
}

/** A menu without a button of its own: for a right click, Shift+F10 and the menu key. */
export const MenuAt = ({ place, label, onClose, onClosed, children }: MenuAtProps) => (
  <DropdownMenu.Root open onOpenChange={(open) => !open && onClose()}>
    <DropdownMenu.Trigger asChild>
      <span
        aria-hidden
        style={{ position: 'fixed', left: place[0], top: place[1], width: 0, height: 0 }}
        onPointerDown={(event) => event.preventDefault()}
      />
    </DropdownMenu.Trigger>
    <DropdownMenu.Portal>
      <DropdownMenu.Content
        className={styles.menu}
        aria-label={label}
        align="start"
        sideOffset={2}
        collisionPadding={8}
        onContextMenu={(event) => event.preventDefault()}
        onCloseAutoFocus={(event) => {
          event.preventDefault();
          onClosed();
        }}
      >
        {children}
      </DropdownMenu.Content>
    </DropdownMenu.Portal>
  </DropdownMenu.Root>
);

export interface MenuSubProps {
  readonly icon?: LucideIcon;
  readonly label: string;
  readonly children: ReactNode;
}

/** What is one of many, one level down. */
export const MenuSub = ({ icon, label, children }: MenuSubProps) => (
  <DropdownMenu.Sub>
    <DropdownMenu.SubTrigger className={styles.item}>
      <span className={styles.icon}>{icon && <Icon of={icon} />}</span>
      <span className={styles.label}>{label}</span>
      <Icon of={ChevronRight} size={14} />
    </DropdownMenu.SubTrigger>
    <DropdownMenu.Portal>
      <DropdownMenu.SubContent className={styles.menu} sideOffset={4} alignOffset={-5} collisionPadding={8}>
        {children}
      </DropdownMenu.SubContent>
    </DropdownMenu.Portal>
  </DropdownMenu.Sub>
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

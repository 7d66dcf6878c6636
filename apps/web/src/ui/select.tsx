import { Check, ChevronDown, type LucideIcon } from 'lucide-react';
import { Select as Radix } from 'radix-ui';
import type { ControlProps } from './field.tsx';
import { Icon } from './icon.tsx';
import styles from './select.module.css';

export interface SelectOption<T extends string> {
  readonly value: T;
  readonly label: string;
  /** One line under it. */
  readonly about?: string;
  /** Stands apart from those before it: it starts something rather than being one of them. */
  readonly action?: LucideIcon;
}

export interface SelectProps<T extends string> {
  readonly value: T | undefined;
  readonly options: readonly SelectOption<T>[];
  readonly onChange: (value: T) => void;
  readonly control?: ControlProps;
  /** Where there is no `Field` around it. */
  readonly label?: string;
  readonly placeholder?: string;
  readonly disabled?: boolean;
  readonly size?: 'small' | 'medium';
}

export function Select<T extends string>({
  value,
  options,
  onChange,
  control,
  label,
  placeholder,
  disabled = false,
  size = 'medium',
}: SelectProps<T>) {
  return (
    <Radix.Root value={value ?? ''} onValueChange={(next) => onChange(next as T)} disabled={disabled}>
      <Radix.Trigger
        {...control}
        className={styles.trigger}
        data-size={size}
        {...(label && { 'aria-label': label })}
      >
        <span className={styles.value}>
          <Radix.Value placeholder={placeholder} />
        </span>
        <Icon of={ChevronDown} />
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content className={styles.list} position="popper" sideOffset={4} collisionPadding={8}>
          <Radix.Viewport>
            {options.map((option, i) => (
              <Radix.Item
                key={option.value}
                value={option.value}
                className={styles.option}
                data-apart={option.action !== undefined && i > 0}
              >
                <span className={styles.check}>
                  {option.action && <Icon of={option.action} />}
                  <Radix.ItemIndicator>
                    <Icon of={Check} />
                  </Radix.ItemIndicator>
                </span>
                <span>
                  <Radix.ItemText>{option.label}</Radix.ItemText>
                  {option.about && <span className={styles.about}>{option.about}</span>}
                </span>
              </Radix.Item>
            ))}
          </Radix.Viewport>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

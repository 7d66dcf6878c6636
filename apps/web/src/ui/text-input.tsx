import type { LucideIcon } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { Icon } from './icon.tsx';
import styles from './text-input.module.css';

export interface TextInputProps extends Omit<ComponentProps<'input'>, 'className' | 'size'> {
  readonly icon?: LucideIcon;
  readonly isCode?: boolean;
  readonly size?: 'small' | 'medium' | 'large';
  /** Inside, at the right: a button, a unit, a shortcut. */
  readonly trailing?: ReactNode;
}

export function TextInput({ icon, isCode = false, size = 'medium', trailing, ...rest }: TextInputProps) {
  return (
    <span className={classNames(styles.frame, styles[size])}>
      {icon && (
        <span className={styles.icon}>
          <Icon of={icon} />
        </span>
      )}
      <input {...rest} className={classNames(styles.input, isCode && styles.code)} />
      {trailing}
    </span>
  );
}

export interface TextAreaProps extends Omit<ComponentProps<'textarea'>, 'className'> {
  readonly isCode?: boolean;
}

export const TextArea = ({ isCode = false, ...rest }: TextAreaProps) => (
  <textarea rows={4} {...rest} className={classNames(styles.area, isCode && styles.code)} />
);

import type { LucideIcon } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import styles from './button.module.css';
import { classNames } from './class-names.ts';
import { Icon } from './icon.tsx';
import { Spinner } from './spinner.tsx';

export type ButtonLook = 'primary' | 'plain' | 'quiet' | 'danger';

export interface ButtonProps extends Omit<ComponentProps<'button'>, 'className'> {
  readonly look?: ButtonLook;
  readonly size?: 'small' | 'medium' | 'large';
  readonly icon?: LucideIcon;
  /** What it started is not done: it cannot be pressed again, and keeps its width. */
  readonly busy?: boolean;
  readonly wide?: boolean;
  /** A quiet one at the beginning of a line: its words stand below those above it. */
  readonly flush?: boolean;
  readonly children: ReactNode;
}

/** A verb. One primary button a view. */
export function Button({
  look = 'plain',
  size = 'medium',
  icon,
  busy = false,
  wide = false,
  flush = false,
  children,
  disabled,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={classNames(
        styles.button,
        styles[look],
        styles[size],
        wide && styles.wide,
        flush && styles.flush,
        busy && styles.busy,
      )}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
    >
      {busy && (
        <span className={styles.wait}>
          <Spinner />
        </span>
      )}
      {icon && <Icon of={icon} />}
      <span className={styles.label}>{children}</span>
    </button>
  );
}

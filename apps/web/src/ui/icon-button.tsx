import type { LucideIcon } from 'lucide-react';
import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';
import { Icon } from './icon.tsx';
import styles from './icon-button.module.css';
import { Tooltip } from './tooltip.tsx';

export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'className' | 'children'> {
  readonly icon: LucideIcon;
  /** Its name: in the tooltip and for who cannot see the icon. */
  readonly label: string;
  readonly shortcut?: string;
  readonly pressed?: boolean;
  readonly size?: 'small' | 'medium';
}

/** An icon that acts. It is never without a name. */
export function IconButton({ icon, label, shortcut, pressed, size = 'medium', ...rest }: IconButtonProps) {
  return (
    <Tooltip text={label} shortcut={shortcut}>
      <button
        type="button"
        {...rest}
        className={classNames(styles.button, styles[size])}
        aria-label={label}
        aria-pressed={pressed}
      >
        <Icon of={icon} />
      </button>
    </Tooltip>
  );
}

import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './badge.module.css';
import { classNames } from './class-names.ts';
import { Icon } from './icon.tsx';

export type Tone = 'neutral' | 'ok' | 'warn' | 'error' | 'held';

export interface BadgeProps {
  readonly tone?: Tone;
  readonly icon?: LucideIcon;
  /** Without a wash behind it: in lists and cards. */
  readonly bare?: boolean;
  readonly children: ReactNode;
}

/** A state in a word, with its icon; the colour only repeats it. */
export const Badge = ({ tone = 'neutral', icon, bare = false, children }: BadgeProps) => (
  <span className={classNames(styles.badge, styles[tone], bare && styles.bare)}>
    {icon && <Icon of={icon} size={14} />}
    {children}
  </span>
);

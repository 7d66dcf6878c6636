import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import styles from './empty-state.module.css';

export interface EmptyStateProps {
  readonly picture?: ReactNode;
  readonly title: string;
  /** One sentence that teaches. */
  readonly children?: ReactNode;
  readonly action?: ReactNode;
  /** With a line around it, where a list would be. */
  readonly isFramed?: boolean;
}

export const EmptyState = ({ picture, title, children, action, isFramed = false }: EmptyStateProps) => (
  <div className={classNames(styles.empty, isFramed && styles.framed)}>
    {picture}
    <h2>{title}</h2>
    {children && <p className={styles.text}>{children}</p>}
    {action && <div className={styles.action}>{action}</div>}
  </div>
);

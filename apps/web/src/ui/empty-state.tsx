import type { ReactNode } from 'react';
import styles from './empty-state.module.css';

export interface EmptyStateProps {
  readonly picture?: ReactNode;
  readonly title: string;
  /** One sentence that teaches. */
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}

export const EmptyState = ({ picture, title, children, action }: EmptyStateProps) => (
  <div className={styles.empty}>
    {picture}
    <h2>{title}</h2>
    {children && <p className={styles.text}>{children}</p>}
    {action && <div className={styles.action}>{action}</div>}
  </div>
);

import type { ReactNode } from 'react';
import styles from './banner.module.css';

interface BannerProps {
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

/** Floats over the view: nothing under it moves. */
export const Banner = ({ action, children }: BannerProps) => (
  <div className={styles.banner} role="status">
    <span className={styles.text}>{children}</span>
    {action}
  </div>
);

import styles from './skeleton.module.css';

export interface SkeletonProps {
  readonly width?: number | string;
  readonly height?: number | string;
}

/** Stands where something will be, in its size: nothing moves when it comes. */
export const Skeleton = ({ width = '100%', height = 16 }: SkeletonProps) => (
  <span className={styles.skeleton} style={{ width, height }} aria-hidden="true" />
);

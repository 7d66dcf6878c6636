import styles from './mark.module.css';

const PADDLES =
  'M22.47 15.68L25.36 18.77M18.68 19.47L18.54 23.70M13.32 19.47L10.23 22.36M9.53 15.68L5.30 15.54M9.53 10.32L6.64 7.23M13.32 6.53L13.46 2.30M18.68 6.53L21.77 3.64M22.47 10.32L26.70 10.46';

const SPOKES = 'M22.47 15.68L9.53 10.32M18.68 19.47L13.32 6.53M13.32 19.47L18.68 6.53M9.53 15.68L22.47 10.32';

export interface MarkProps {
  readonly size?: number;
}

/** A wheel of eight paddles over a line of water. */
export function Mark({ size = 24 }: MarkProps) {
  return (
    <svg className={styles.mark} width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <circle cx="16" cy="13" r="7" />
      <path className={styles.spokes} d={SPOKES} />
      <path d={PADDLES} />
      <path d="M2 28.200c2.330 0 2.330 1.800 4.670 1.800s2.330-1.800 4.660-1.800 2.340 1.800 4.670 1.800 2.330-1.800 4.670-1.800 2.330 1.800 4.660 1.800 2.340-1.800 4.670-1.800" />
    </svg>
  );
}

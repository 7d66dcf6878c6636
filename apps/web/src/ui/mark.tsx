import styles from './mark.module.css';

const PADDLES =
  'M21.73 14.97L24.26 18.92M18.37 18.33L17.38 22.91M13.63 18.33L9.68 20.86M10.27 14.97L5.69 13.98M10.27 10.23L7.74 6.28M13.63 6.87L14.62 2.29M18.37 6.87L22.32 4.34M21.73 10.23L26.31 11.22';

export interface MarkProps {
  readonly size?: number;
}

/** A wheel of eight paddles over a line of water. */
export function Mark({ size = 24 }: MarkProps) {
  return (
    <svg className={styles.mark} width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <circle cx="16" cy="12.600" r="6.200" />
      <path d={PADDLES} />
      <path d="M3 27.500c2.170 0 2.170 2 4.330 2s2.170-2 4.330-2 2.170 2 4.340 2 2.160-2 4.330-2 2.170 2 4.330 2 2.170-2 4.340-2" />
    </svg>
  );
}

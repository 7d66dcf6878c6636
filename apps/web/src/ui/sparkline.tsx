import styles from './sparkline.module.css';

export interface SparklineProps {
  /** Oldest first; null where nothing was measured. */
  readonly values: readonly (number | null)[];
  readonly width: number;
  readonly height: number;
  readonly label: string;
}

/** A level over time from zero up, without axes: the number beside it says how much. */
export function Sparkline({ values, width, height, label }: SparklineProps) {
  const path = sparkPath(values, width, height - 2);
  return (
    <svg className={styles.spark} width={width} height={height} role="img" aria-label={label}>
      <line className={styles.level} x1={0} x2={width} y1={height - 0.5} y2={height - 0.5} />
      <path className={styles.area} d={sparkArea(path, height - 1)} transform="translate(0 1)" />
      <path className={styles.line} d={path} transform="translate(0 1)" />
    </svg>
  );
}

/** Gaps stay gaps. Zero is the bottom, so that a small ripple does not look like a flood. */
export function sparkPath(values: readonly (number | null)[], width: number, height: number): string {
  const most = Math.max(0, ...values.map((value) => value ?? 0));
  if (most === 0) return '';
  const step = width / Math.max(1, values.length - 1);
  let isPenDown = false;
  return values
    .map((value, i) => {
      if (value === null) {
        isPenDown = false;
        return '';
      }
      const move = isPenDown ? 'L' : 'M';
      isPenDown = true;
      return `${move}${(i * step).toFixed(1)} ${(height - (value / most) * (height - 1)).toFixed(1)}`;
    })
    .join('');
}

/** What is below such a line, down to `bottom`: a level line alone would look like a stroke that is there by mistake. */
export const sparkArea = (path: string, bottom: number): string =>
  path.replace(
    /M([\d.]+) [^M]*?([\d.]+) [\d.]+(?=M|$)/g,
    (run, from: string, to: string) => `${run}L${to} ${bottom}L${from} ${bottom}Z`,
  );

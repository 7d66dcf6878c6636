/** Medians and percentiles of small and large samples. */

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** By linear interpolation between the two nearest ranks; NaN of nothing. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort();
  if (sorted.length === 0) return Number.NaN;
  const at = share * (sorted.length - 1);
  const below = sorted[Math.floor(at)] as number;
  const above = sorted[Math.ceil(at)] as number;
  return below + (above - below) * (at - Math.floor(at));
}

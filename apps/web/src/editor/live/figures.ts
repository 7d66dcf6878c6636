/** Counts and rates in three digits and a unit. */

export function countText(value: number): string {
  if (value < 1_000) return String(Math.round(value));
  const [size, unit] = value < 999_500 ? [1_000, 'k'] : value < 999_500_000 ? [1e6, 'M'] : [1e9, 'G'];
  return `${digits(value / size)} ${unit}`;
}

/** "12.4 k/s"; an en dash where it is not known. */
export function rateText(rate: number | undefined): string {
  if (rate === undefined) return '–';
  if (rate < 10) return `${rate === 0 ? '0' : rate.toFixed(1)}/s`;
  return `${countText(rate)}/s`;
}

function digits(value: number): string {
  return value < 10 ? value.toFixed(2) : value < 100 ? value.toFixed(1) : value.toFixed(0);
}

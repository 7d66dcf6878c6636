/** Numbers as the whole product shows them: three digits and k, M, G. The full value belongs in a tooltip. */
const UNITS = ['', ' k', ' M', ' G', ' T'] as const;

export function formatCount(value: number): string {
  if (!Number.isFinite(value)) return '–';
  const sign = value < 0 ? '−' : '';
  let size = Math.abs(value);
  let unit = 0;
  // 999.5 would be written 1000: it is 1.00 k.
  while (size >= 999.5 && unit < UNITS.length - 1) {
    size /= 1000;
    unit += 1;
  }
  return `${sign}${threeDigits(size, unit > 0 || !Number.isInteger(value))}${UNITS[unit]}`;
}

/** Records a second: `12.4 k/s`. */
export const formatRate = (perSecond: number): string => `${formatCount(perSecond)}/s`;

export const formatFull = (value: number): string =>
  value.toLocaleString('en-US', { maximumFractionDigits: 3 });

const BYTE_UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

export function formatBytes(bytes: number): string {
  let size = bytes;
  let unit = 0;
  while (size >= 999.5 && unit < BYTE_UNITS.length - 1) {
    size /= 1000;
    unit += 1;
  }
  return `${threeDigits(size, unit > 0)} ${BYTE_UNITS[unit]}`;
}

function threeDigits(size: number, isFraction: boolean): string {
  if (!isFraction) return String(size);
  return size >= 99.95 ? size.toFixed(0) : size >= 9.995 ? size.toFixed(1) : size.toFixed(2);
}

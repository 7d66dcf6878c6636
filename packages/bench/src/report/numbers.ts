/** Figures as people read them: `1,234,567`, `12.3`, `0.123`. */
const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const tenths = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });
const fine = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 3 });

export function numberText(value: number): string {
  if (!Number.isFinite(value)) return '–';
  const size = Math.abs(value);
  return (size >= 1000 ? whole : size >= 10 ? tenths : fine).format(value);
}

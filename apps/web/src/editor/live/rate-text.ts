import { formatRate } from '../../text/format-number.ts';

/** "12.4 k/s"; an en dash where it is not known. Below ten a second one digit behind the point is enough. */
export function rateText(rate: number | undefined): string {
  if (rate === undefined) return '–';
  return formatRate(rate < 10 ? Math.round(rate * 10) / 10 : Math.round(rate));
}

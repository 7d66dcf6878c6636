/** Numbers the way people read them. */

export const whole = (n: number): string => Math.round(n).toLocaleString('en-US');

/** A rate: `0`, `0.4`, `37`, `1.2 k`, `310 k`, `1.4 M`. */
export function perSecond(n: number): string {
  if (!Number.isFinite(n) || n <= 0) return '0';
  if (n < 10) return trim(n.toFixed(1));
  if (n < 1_000) return String(Math.round(n));
  if (n < 999_500) return `${scaled(n / 1_000)} k`;
  return `${scaled(n / 1_000_000)} M`;
}

/** A length of time: `340 ms`, `1.8 s`, `4 min`, `3.1 h`, `12 d`. */
export function duration(ms: number): string {
  const size = Math.max(0, ms);
  if (size < 1_000) return `${Math.round(size)} ms`;
  if (size < 99_950) return `${trim((size / 1_000).toFixed(1))} s`;
  if (size < 5_400_000) return `${Math.round(size / 60_000)} min`;
  if (size < 172_800_000) return `${trim((size / 3_600_000).toFixed(1))} h`;
  return `${whole(size / 86_400_000)} d`;
}

export function bytes(n: number): string {
  if (n < 1_000) return `${n} B`;
  if (n < 1_000_000) return `${scaled(n / 1_000)} kB`;
  return n < 1_000_000_000 ? `${scaled(n / 1_000_000)} MB` : `${scaled(n / 1_000_000_000)} GB`;
}

const scaled = (n: number): string => (n < 9.95 ? trim(n.toFixed(1)) : String(Math.round(n)));
const trim = (text: string): string => text.replace(/\.0$/, '');

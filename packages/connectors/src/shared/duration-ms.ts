const UNIT_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** Milliseconds of a text that the `duration` schema took. */
export function durationMs(text: string): number {
  const [, amount = '', unit = ''] = /^([\d.]+)([a-z]+)$/.exec(text) ?? [];
  return Number(amount) * (UNIT_MS[unit] ?? Number.NaN);
}

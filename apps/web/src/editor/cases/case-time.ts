/** Times of cases as they are written: small ones, as tests like them, in ms; those of our days as ISO 8601 in UTC. */

const OF_OUR_DAYS = 1e10;

export const timeText = (time: number): string =>
  Math.abs(time) >= OF_OUR_DAYS && Math.abs(time) <= 8.64e15 ? new Date(time).toISOString() : String(time);

/** Undefined: no time. */
export function readTime(text: string): number | undefined {
  const given = text.trim();
  const time = /^-?\d+$/.test(given)
    ? Number(given)
    : /^\d{4}-\d\d/.test(given)
      ? Date.parse(given)
      : Number.NaN;
  return Number.isSafeInteger(time) ? time : undefined;
}

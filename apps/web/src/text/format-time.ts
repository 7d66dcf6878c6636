/** Times and spans as the whole product shows them, in the zone the viewer chose. */
import { timeZoneStore } from './time-zone.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `820 ms`, `1.8 s`, `4 min 12 s`, `3 h 5 min`, `2 d 4 h`. */
export function formatSpan(ms: number): string {
  if (!Number.isFinite(ms)) return '–';
  if (ms < SECOND) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < MINUTE) return `${(ms / SECOND).toFixed(ms < 10 * SECOND ? 1 : 0)} s`;
  if (ms < HOUR) return pair(ms, MINUTE, 'min', SECOND, 's');
  if (ms < DAY) return pair(ms, HOUR, 'h', MINUTE, 'min');
  return pair(ms, DAY, 'd', HOUR, 'h');
}

function pair(ms: number, large: number, largeName: string, small: number, smallName: string): string {
  const rest = Math.floor((ms % large) / small);
  return `${Math.floor(ms / large)} ${largeName}${rest > 0 ? ` ${rest} ${smallName}` : ''}`;
}

/** `just now`, `4 min ago`, `3 h ago`, `yesterday`, `12 Oct`, `12 Oct 2024`. */
export function formatAgo(at: number, now: number = Date.now()): string {
  const ms = now - at;
  if (ms < MINUTE) return 'just now';
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min ago`;
  if (ms < DAY) return `${Math.floor(ms / HOUR)} h ago`;
  if (ms < 2 * DAY) return 'yesterday';
  if (ms < 7 * DAY) return `${Math.floor(ms / DAY)} days ago`;
  return formatDay(at, now);
}

export function formatDay(at: number, now: number = Date.now()): string {
  const year = (time: number) => new Date(time).toLocaleDateString('en-GB', { year: 'numeric', ...zone() });
  return new Date(at).toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'short',
    ...(year(at) !== year(now) && { year: 'numeric' }),
    ...zone(),
  });
}

/** In the chosen zone, to the second; UTC says so. */
export function formatMoment(at: number): string {
  const moment = new Date(at).toLocaleString('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    ...zone(),
  });
  return isUtc() ? `${moment} UTC` : moment;
}

/** `12:04:31` */
export const formatClock = (at: number): string => new Date(at).toLocaleTimeString('en-GB', zone());

const clocks = new Map<string, string>();

/**
 * `12:04:31` of today, else `31 Dec 2020 12:04:31`. Asked many times a second for the same few seconds, which it
 * remembers.
 */
export function formatMark(at: number, now: number = Date.now()): string {
  const isToday = Math.abs(now - at) < DAY && dayOf(at) === dayOf(now);
  const key = `${isUtc()} ${isToday} ${Math.floor(at / SECOND)}`;
  const known = clocks.get(key);
  if (known !== undefined) return known;
  const text = isToday ? formatClock(at) : `${formatDay(at, now)} ${formatClock(at)}`;
  if (clocks.size >= MOST_CLOCKS) clocks.clear();
  clocks.set(key, text);
  return text;
}

const MOST_CLOCKS = 500;

/** Days since 1970 in the chosen zone; without a formatter, which costs more than all else here. */
const dayOf = (at: number): number =>
  Math.floor((at - (isUtc() ? 0 : new Date(at).getTimezoneOffset() * MINUTE)) / DAY);

/** ISO 8601 with its offset, for copies: `2026-10-20T14:04:31.250+02:00`. */
export function formatIso(at: number): string {
  const offset = isUtc() ? 0 : -new Date(at).getTimezoneOffset();
  const local = new Date(at + offset * MINUTE).toISOString().slice(0, -1);
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
  return `${local}${offset < 0 ? '-' : '+'}${two(Math.abs(offset) / 60)}:${two(Math.abs(offset) % 60)}`;
}

const isUtc = (): boolean => timeZoneStore.getState().zone === 'utc';

const zone = (): { readonly timeZone?: 'UTC' } => (isUtc() ? { timeZone: 'UTC' } : {});

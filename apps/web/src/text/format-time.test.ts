import { afterEach, expect, test } from 'vitest';
import {
  formatAgo,
  formatClock,
  formatDay,
  formatIso,
  formatMark,
  formatMoment,
  formatSpan,
} from './format-time.ts';
import { setTimeZone } from './time-zone.ts';

const zoneBefore = process.env.TZ;
afterEach(() => {
  process.env.TZ = zoneBefore;
  setTimeZone('local');
});

test.each([
  [-3, '0 ms'],
  [820, '820 ms'],
  [1_800, '1.8 s'],
  [42_000, '42 s'],
  [252_000, '4 min 12 s'],
  [3_600_000, '1 h'],
  [11_100_000, '3 h 5 min'],
  [187_200_000, '2 d 4 h'],
])('a span of %d ms is %s', (ms, text) => {
  expect(formatSpan(ms)).toBe(text);
});

test('moments are told by how long ago they were', () => {
  const now = Date.UTC(2026, 9, 20, 12);
  expect(formatAgo(now - 5_000, now)).toBe('just now');
  expect(formatAgo(now - 240_000, now)).toBe('4 min ago');
  expect(formatAgo(now - 30 * 3_600_000, now)).toBe('yesterday');
  expect(formatAgo(now - 3 * 86_400_000, now)).toBe('3 days ago');
});

test('times stand in the viewer’s zone, or in UTC and say so', () => {
  process.env.TZ = 'Asia/Kolkata';
  const at = Date.UTC(2025, 11, 31, 20, 4, 31, 250);
  expect(formatClock(at)).toBe('01:34:31');
  expect(formatMoment(at)).toBe('1 Jan 2026, 01:34:31');
  expect(formatDay(at, Date.UTC(2026, 5, 1))).toBe('1 Jan');
  expect(formatIso(at)).toBe('2026-01-01T01:34:31.250+05:30');
  setTimeZone('utc');
  expect(formatClock(at)).toBe('20:04:31');
  expect(formatMoment(at)).toBe('31 Dec 2025, 20:04:31 UTC');
  expect(formatDay(at, Date.UTC(2026, 5, 1))).toBe('31 Dec 2025');
  expect(formatIso(at)).toBe('2025-12-31T20:04:31.250+00:00');
});

test('a zone west of Greenwich has a minus', () => {
  process.env.TZ = 'America/St_Johns';
  expect(formatIso(Date.UTC(2026, 0, 15, 12))).toBe('2026-01-15T08:30:00.000-03:30');
});

test('a moment of another day says which, in the zone that is chosen now', () => {
  process.env.TZ = 'Asia/Kolkata';
  const now = Date.UTC(2026, 9, 20, 20);
  const at = Date.UTC(2026, 9, 20, 18, 4, 31);
  // In Kolkata it is the day after already, and was not yet two hours ago.
  expect(formatMark(at, now)).toBe('20 Oct 23:34:31');
  expect(formatMark(at, at + 1_000)).toBe('23:34:31');
  setTimeZone('utc');
  expect(formatMark(at, now)).toBe('18:04:31');
  expect(formatMark(Date.UTC(2020, 0, 1, 0, 1, 19), now)).toBe('1 Jan 2020 00:01:19');
});

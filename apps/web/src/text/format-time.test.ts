import { expect, test } from 'vitest';
import { formatAgo, formatSpan } from './format-time.ts';

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

import { expect, test } from 'vitest';
import { formatBytes, formatCount, formatRate } from './format-number.ts';

test.each([
  [0, '0'],
  [7, '7'],
  [0.4, '0.40'],
  [999, '999'],
  [999.6, '1.00 k'],
  [1_234, '1.23 k'],
  [12_400, '12.4 k'],
  [123_456, '123 k'],
  [999_600, '1.00 M'],
  [-5_000, '−5.00 k'],
  [Number.NaN, '–'],
])('%d is written %s', (value, text) => {
  expect(formatCount(value)).toBe(text);
});

test('rates and bytes have their unit', () => {
  expect(formatRate(12_400)).toBe('12.4 k/s');
  expect(formatBytes(512)).toBe('512 B');
  expect(formatBytes(1_650_000)).toBe('1.65 MB');
});

import { expect, test } from 'vitest';
import { sparkArea, sparkPath } from './sparkline.tsx';

test('a level line has an area down to zero, with the gaps of the line', () => {
  const path = sparkPath([1, 1, null, 1, 2, 0], 50, 10);
  expect(path).toBe('M0.0 5.5L10.0 5.5M30.0 5.5L40.0 1.0L50.0 10.0');
  expect(sparkArea(path, 10)).toBe(
    'M0.0 5.5L10.0 5.5L10.0 10L0.0 10ZM30.0 5.5L40.0 1.0L50.0 10.0L50.0 10L30.0 10Z',
  );
});

test('one value alone, and none, have no area', () => {
  expect(sparkArea(sparkPath([null, 3], 50, 10), 10)).toBe('M50.0 1.0');
  expect(sparkArea('', 10)).toBe('');
});

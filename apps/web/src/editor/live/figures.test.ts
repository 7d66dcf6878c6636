import { expect, it } from 'vitest';
import { countText, rateText } from './figures.ts';

it('figures have three digits and a unit', () => {
  expect([7, 999, 1_234, 12_400, 999_499, 999_600, 4.2e9].map(countText)).toEqual([
    '7',
    '999',
    '1.23 k',
    '12.4 k',
    '999 k',
    '1.00 M',
    '4.20 G',
  ]);
  expect([undefined, 0, 0.25, 42, 12_400].map(rateText)).toEqual(['–', '0/s', '0.3/s', '42/s', '12.4 k/s']);
});

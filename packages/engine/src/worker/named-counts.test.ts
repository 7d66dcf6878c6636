import { expect, test } from 'vitest';
import { decodeNamedSums, encodeNamedSums, MOST_NAMES, NamedCounts } from './named-counts.ts';

test('P9: sums by name are absolute, and taken only when they changed', () => {
  const counts = new NamedCounts();
  counts.add('bids', 2);
  counts.add('bids', 0.5);
  const taken = counts.takeChange();
  expect(taken && decodeNamedSums(taken)).toEqual({ sums: new Map([['bids', 2.5]]), cut: 0 });
  expect(counts.takeChange()).toBeUndefined();
  const next = new NamedCounts();
  next.restore(decodeNamedSums(taken as Uint8Array));
  next.add('bids', 1);
  expect(next.sums.get('bids')).toBe(3.5);
});

test('what finds no room is counted as cut: too many names, too long ones, numbers that are none', () => {
  const counts = new NamedCounts();
  for (let i = 0; i < MOST_NAMES + 3; i++) counts.add(`n${i}`, 1);
  counts.add('x'.repeat(101), 1);
  counts.add('n0', Number.NaN);
  counts.add('n0', Number.MAX_VALUE);
  counts.add('n0', Number.MAX_VALUE);
  expect(counts.sums.size).toBe(MOST_NAMES);
  expect(counts.cut).toBe(6);
});

test('H5: what no worker of ours would write is refused', () => {
  const many = new Map(Array.from({ length: MOST_NAMES + 1 }, (_, i) => [`n${i}`, 1]));
  for (const sums of [many, new Map([['x'.repeat(101), 1]]), new Map([['a', Number.NaN]])])
    expect(() => decodeNamedSums(encodeNamedSums({ sums, cut: 0 }))).toThrow();
});

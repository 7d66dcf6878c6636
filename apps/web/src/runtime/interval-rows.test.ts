import { expect, test } from 'vitest';
import { intervalRows, middleOf } from './interval-rows.ts';
import type { Runtime } from './slowest-watermark.ts';

const runtime = {
  intervals: [
    {
      nodes: ['a', 'b', 'c'],
      cut: false,
      intervals: [
        { from: '00000000', to: '80000000', slot: 0 },
        { from: '80000000', slot: 1 },
      ],
    },
  ],
  move: { nodes: ['b'], from: '40000000', to: '50000000', oldSlot: 0, newSlot: 1, phase: 'apart' },
} as unknown as Runtime;

test('each interval is a row with its share, and says what of it is on its way', () => {
  const rows = intervalRows(runtime, new Map([['a', 'count']]));
  expect(rows).toMatchObject([
    { label: 'count, b +1', title: 'count, b, c', share: 0.5, slot: 0, movesTo: 1 },
    { from: '80000000', to: undefined, share: 0.5, slot: 1, movesTo: undefined },
  ]);
});

test('an interval is split in the middle, but for one that is a single hash', () => {
  expect(middleOf({ from: '00000000', to: undefined })).toBe('80000000');
  expect(middleOf({ from: '0000000a', to: '0000000d' })).toBe('0000000b');
  expect(middleOf({ from: '0000000a', to: '0000000b' })).toBeUndefined();
});

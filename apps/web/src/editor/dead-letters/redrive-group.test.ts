import { expect, test } from 'vitest';
import { redriveGroup } from './redrive-group.ts';

test('a group goes on behind each piece until there is no more, and tells the sums', async () => {
  const pieces = [
    { redriven: 500, refused: [], refusedCount: 0, next: 'a' },
    { redriven: 0, refused: [{ number: 7, reason: 'its node is gone' }], refusedCount: 3, next: 'b' },
    { redriven: 40, refused: [], refusedCount: 0, next: null },
  ];
  const asked: (string | undefined)[] = [];
  const told: number[] = [];
  const sum = await redriveGroup(
    async (cursor) => {
      asked.push(cursor);
      const piece = pieces.shift();
      if (piece === undefined) throw new Error('asked for more than there is');
      return piece;
    },
    ({ redriven }) => told.push(redriven),
  );
  expect(asked).toEqual([undefined, 'a', 'b']);
  expect(told).toEqual([500, 500, 540]);
  expect(sum).toEqual({ redriven: 540, refused: 3, reason: 'its node is gone' });
});

import { expect, test } from 'vitest';
import { Breath } from './breath.ts';

const MB = 1024 * 1024;

test('BR1: whoever reads the pipe gets a turn once a millisecond, while little lies unread', () => {
  let now = 1_000;
  let turns = 0;
  const breath = new Breath(
    () => now,
    async () => void turns++,
  );
  const took = (unread: number): boolean => breath.take(unread) !== undefined;
  expect([took(0), took(0)]).toEqual([true, false]);
  now += 1;
  expect([took(5 * MB), took(3 * MB), took(3 * MB)]).toEqual([false, true, false]);
  now -= 3_600_000;
  expect(took(0)).toBe(true);
  expect(turns).toBe(3);
});

test('BR1: where frames come by themselves nothing waits', () => {
  expect(new Breath(Date.now, undefined).take(0)).toBeUndefined();
});

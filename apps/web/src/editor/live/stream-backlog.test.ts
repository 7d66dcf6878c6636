import { expect, test } from 'vitest';
import { backlogOf } from './stream-backlog.ts';

test('what waits is told once it is more than flows in a second', () => {
  expect(backlogOf({ inFlight: 900, rate: 1_000 })).toBeUndefined();
  expect(backlogOf({ inFlight: 1_900, rate: 1_000 })).toBe(1_900);
  expect(backlogOf({ inFlight: 3, rate: 0 })).toBeUndefined();
  expect(backlogOf({ inFlight: 300, rate: 0 })).toBe(300);
  expect(backlogOf({ inFlight: undefined, rate: 5 })).toBeUndefined();
});

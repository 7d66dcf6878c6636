import { expect, test } from 'vitest';
import { BusiestKeys } from './busiest-keys.ts';

test('a share is that of the input on all workers, and old reports do not count', () => {
  const keys = new BusiestKeys(2);
  keys.take(0, [{ node: 1, sampled: 300, keys: [{ key: 'a', count: 100 }] }], 0);
  keys.take(1, [{ node: 1, sampled: 100, keys: [{ key: 'b', count: 80 }] }], 5_000);
  expect(keys.now(5_000)).toEqual([
    { node: 1, key: 'a', share: 0.25 },
    { node: 1, key: 'b', share: 0.2 },
  ]);
  expect(keys.now(10_001)).toEqual([{ node: 1, key: 'b', share: 0.8 }]);
});

test('what a worker may say of itself is bounded', () => {
  const keys = new BusiestKeys(1);
  const many = Array.from({ length: 50 }, (_, i) => ({ key: `k${i}`, count: 1_000 }));
  keys.take(
    0,
    [
      { node: 0, sampled: 0, keys: many },
      { node: 9, sampled: 1, keys: many },
    ],
    0,
  );
  const now = keys.now(0);
  expect(now).toHaveLength(8);
  expect(now.every(({ node, share }) => node === 0 && share <= 1)).toBe(true);
});

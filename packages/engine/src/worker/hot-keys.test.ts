import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HotKeys } from './hot-keys.ts';

test('HK1: a key that has a tenth of the input is told with about its share, whatever the others are', () => {
  const hot = new HotKeys('seed');
  for (let i = 0; i < 200_000; i++) hot.see(i % 10 === 3 ? 'busy' : `k${i}`);
  const told = hot.take(7);
  expect(told?.node).toBe(7);
  expect(told?.keys.map(({ key }) => key)).toEqual(['busy']);
  const share = (told?.keys[0]?.count ?? 0) / (told?.sampled ?? 1);
  expect(share).toBeGreaterThan(0.08);
  expect(share).toBeLessThan(0.12);
});

test('HK1: what is told of a key is no more than it had', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(200), { minLength: 2_000, maxLength: 4_000 }), (keys) => {
      const hot = new HotKeys('s');
      const had = new Map<string, number>();
      for (const n of keys) {
        hot.see(`${n}`);
        had.set(`${n}`, (had.get(`${n}`) ?? 0) + 1);
      }
      for (const { key, count } of hot.take(0)?.keys ?? [])
        expect(count).toBeLessThanOrEqual(had.get(key) ?? 0);
    }),
    { numRuns: 50 },
  );
});

test('evenly spread keys are none of them busy, and a few records tell nothing', () => {
  const hot = new HotKeys('seed');
  for (let i = 0; i < 100; i++) hot.see('k');
  expect(hot.take(0)).toBeUndefined();
  for (let i = 0; i < 200_000; i++) hot.see(`k${(i * 7919) % 10_000}`);
  expect(hot.take(0)?.keys).toEqual([]);
});

test('who was busy and is no more is forgotten', () => {
  const hot = new HotKeys('seed');
  for (let i = 0; i < 20_000; i++) hot.see('then');
  expect(hot.take(0)?.keys.map(({ key }) => key)).toEqual(['then']);
  for (let round = 0; round < 8; round++) {
    for (let i = 0; i < 20_000; i++) hot.see('now');
    hot.take(0);
  }
  for (let i = 0; i < 20_000; i++) hot.see('now');
  expect(hot.take(0)?.keys.map(({ key }) => key)).toEqual(['now']);
});

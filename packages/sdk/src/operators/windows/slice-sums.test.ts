import { expect, test } from 'vitest';
import { sum } from '../../index.ts';
import { rowOf } from '../aggregates/row.ts';
import { type SliceState, SliceSums, type SlidingContext } from './slice-sums.ts';

/** A call that finds `state`; `of` is the user's. */
function call(state: SliceState, of: (value: number) => number = (value) => value) {
  const sums = new SliceSums<number>(rowOf({ total: sum(of) }), 30);
  const set: SliceState[] = [];
  const ctx = { state: { get: () => state, set: (value: SliceState) => set.push(value) } };
  return { sums, set, ctx: ctx as unknown as SlidingContext<number> };
}

test.each([
  ['without a running total', [100, 1] as SliceState, [100, 8]],
  ['that a running total covers', [100, 1, 10, 5, 3] as SliceState, [100, 8, 10, 12, 3]],
  ['that a running total does not cover', [100, 1, 0, 5, 3] as SliceState, [100, 8, 0, 5, 3]],
])('SS2: a record for the newest slice %s changes what is there', (_, state, then) => {
  const { sums, set, ctx } = call(state);
  expect(sums.addLast(100, 7, ctx)).toBe('grown');
  expect(set).toEqual([then]);
  expect(set[0]).toBe(state);
});

test.each([1, 2])(
  'SS2, P8: code of the user that throws when it is asked the %ith time changes nothing',
  (when) => {
    let asked = 0;
    const state: SliceState = [100, 1, 10, 5, 3];
    const { sums, set, ctx } = call(state, (value) => {
      if (++asked === when) throw new Error('no');
      return value;
    });
    expect(() => sums.addLast(100, 7, ctx)).toThrow('no');
    expect(state).toEqual([100, 1, 10, 5, 3]);
    expect(set).toEqual([]);
  },
);

test('SS2: a record in the middle of a call leaves what the call found', () => {
  const state: SliceState = [100, 1, 10, 5, 3];
  const { sums, set, ctx } = call(state);
  sums.add(100, 7, ctx);
  expect(state).toEqual([100, 1, 10, 5, 3]);
  expect(set).toEqual([[100, 8, 10, 12, 3]]);
});

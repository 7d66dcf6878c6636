import { HASH_END } from '@millrace/protocol';
import { describe, expect, it } from 'vitest';
import { planOf } from '../testing/plans.ts';
import { Intervals, NO_INTERVALS } from './intervals.ts';
import { movesOf } from './move-request.ts';

const plan = planOf(
  [
    { id: 'n_in', kind: 'injector' },
    { id: 'n_a', kind: 'computation' },
    { id: 'n_b', kind: 'computation' },
  ],
  [
    { from: 'n_in', to: 'n_a' },
    { from: 'n_a', to: 'n_b' },
  ],
);
const half = HASH_END / 2;

describe('movesOf', () => {
  const intervals = () => new Intervals(2, [1, 2, 3], NO_INTERVALS, 'apart');

  it('cuts what is asked for by owner, and takes computations together that are cut alike', () => {
    const asked = { start: 10, end: HASH_END, to: 0 };
    expect(movesOf(asked, plan, intervals())).toEqual({
      kind: 'moves',
      moves: [{ nodes: [1, 2], start: half, end: HASH_END, from: 1, to: 0 }],
    });
    expect(movesOf({ ...asked, end: half }, plan, intervals())).toEqual({ kind: 'moves', moves: [] });
    expect(movesOf({ ...asked, nodes: ['n_b'], start: 7, end: 8, to: 1 }, plan, intervals())).toEqual({
      kind: 'moves',
      moves: [{ nodes: [2], start: 7, end: 8, from: 0, to: 1 }],
    });
  });

  it.each([
    [{ start: 5, end: 5, to: 0 }, 'not empty'],
    [{ start: -1, end: 5, to: 0 }, 'within'],
    [{ start: 0, end: HASH_END + 1, to: 0 }, 'within'],
    [{ start: 0.5, end: 2, to: 0 }, 'within'],
    [{ start: 0, end: 5, to: 2 }, 'no worker 2'],
    [{ start: 0, end: 5, to: 1, nodes: ['n_in'] }, 'no computation'],
  ])('refuses %o with a reason', (asked, reason) => {
    expect(movesOf(asked, plan, intervals())).toMatchObject({
      kind: 'refused',
      reason: expect.stringContaining(reason),
    });
  });
});

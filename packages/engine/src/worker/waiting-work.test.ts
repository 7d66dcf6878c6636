import { expect, test } from 'vitest';
import { finalWallOf } from './waiting-work.ts';

/** Stages by the wall time of their next timer, in topological order. */
function firing(times: readonly (number | undefined)[], limit: number) {
  const computations = times.map((nextWallTimer, at) => ({ at, runtime: { nextWallTimer } }));
  const found = finalWallOf({ computations } as never, limit);
  return found && { at: (found.stage as unknown as { at: number }).at, limit: found.limit };
}

test('W6: at the end of all input only the stage with the earliest timer fires, up to the next timer of any other', () => {
  expect(firing([20, 10, 30], Number.POSITIVE_INFINITY)).toEqual({ at: 1, limit: 20 });
  expect(firing([undefined, 10, 30], 15)).toEqual({ at: 1, limit: 15 });
  expect(firing([undefined, 10], Number.POSITIVE_INFINITY)).toEqual({
    at: 1,
    limit: Number.POSITIVE_INFINITY,
  });
});

test('W6: of two stages with timers of one time the first one fires, since the other may be given what it makes', () => {
  expect(firing([10, 10], Number.POSITIVE_INFINITY)).toEqual({ at: 0, limit: 10 });
});

test('W6: without wall timers nothing fires', () => {
  expect(firing([undefined, undefined], 10)).toBeUndefined();
});

import { expect, it } from 'vitest';
import { afterEnd, type Ends, NO_ENDS } from './restart-pause.ts';

it('starts a host again at once, and more and more slowly one that keeps ending', () => {
  let ends: Ends = NO_ENDS;
  const pauses = [10, 10, 10, 10, 10, 10, 10, 10, 60_000, 10].map((livedMs) => {
    const next = afterEnd(ends, livedMs);
    ends = next.ends;
    return next.pauseMs;
  });
  expect(pauses).toEqual([0, 250, 500, 1_000, 2_000, 4_000, 8_000, 15_000, 0, 250]);
});

import type { View } from '@millrace/protocol/api';
import { describe, expect, it } from 'vitest';
import { createRateHistory, SECONDS_KEPT } from './rate-history.ts';

const view = (at: number, rate: number | undefined): View => ({
  at,
  commits: {},
  nodes: [],
  streams: [{ stream: 's', rate }],
});
const last = (values: readonly (number | null)[], count: number) => values.slice(-count);

describe('the last minute of a rate', () => {
  it('has a value a second, whatever comes ten times a second, and a gap where none came', () => {
    const history = createRateHistory();
    expect([100_000, 100_100, 100_900, 101_000, 104_000].map((at) => history.take(view(at, at)))).toEqual([
      true,
      false,
      false,
      true,
      true,
    ]);
    expect(last(history.of('s'), 5)).toEqual([100_000, 101_000, null, null, 104_000]);
    expect(history.of('s')).toHaveLength(SECONDS_KEPT);
    expect(history.of('other')).toEqual([]);
  });

  it('keeps no more than that, however long it runs', () => {
    const history = createRateHistory();
    for (let second = 0; second < 1_000; second++) history.take(view(second * 1_000, second));
    expect(history.of('s')).toEqual(Array.from({ length: SECONDS_KEPT }, (_, i) => 940 + i));
  });

  it('takes what the server kept from behind, and never over what was seen', () => {
    const history = createRateHistory();
    history.take(view(100_000, 7));
    history.fill([20_000, 98_000, 99_000, 100_000], { s: { rate: [1, 2, null, 4] } });
    expect(last(history.of('s'), 3)).toEqual([2, null, 7]);
    expect(history.of('s').filter((value) => value !== null)).toEqual([2, 7]);
    history.forget();
    expect(history.of('s')).toEqual([]);
  });
});

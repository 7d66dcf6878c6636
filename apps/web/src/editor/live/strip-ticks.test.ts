import type { View, ViewNode } from '@millrace/protocol/api';
import { describe, expect, it } from 'vitest';
import { stripOf } from './strip-ticks.ts';

const view = (watermarks: Record<string, ViewNode['watermark']>): View => ({
  commits: {},
  nodes: Object.entries(watermarks).map(([node, watermark]) => ({ node, watermark, counts: {} })),
  streams: [],
});

describe('the watermark strip', () => {
  it('has one axis, the newest at its right, and names the slowest', () => {
    const strip = stripOf(view({ a: { kind: 'at', time: 100_000 }, b: { kind: 'at', time: 60_000 } }));
    expect(strip).toMatchObject({ from: 60_000, to: 100_000, slowest: 'b' });
    expect(strip?.ticks).toEqual([
      { node: 'a', at: 1 },
      { node: 'b', at: 0 },
    ]);
  });

  it('does not blow up differences of nothing', () => {
    const strip = stripOf(view({ a: { kind: 'at', time: 5_000 }, b: { kind: 'at', time: 4_999 } }));
    expect(strip?.ticks[1]?.at).toBeGreaterThan(0.99);
  });

  it('is not there while nothing has a watermark (W4)', () => {
    expect(stripOf(view({ a: { kind: 'not-yet' }, b: { kind: 'idle' } }))).toBeUndefined();
    expect(stripOf(undefined)).toBeUndefined();
  });
});

import type { View, ViewNode } from '@millrace/protocol/api';
import { describe, expect, it } from 'vitest';
import { stripOf, ticksNear } from './strip-ticks.ts';

const view = (watermarks: Record<string, ViewNode['watermark']>, at?: number): View => ({
  at,
  commits: {},
  nodes: Object.entries(watermarks).map(([node, watermark]) => ({ node, watermark, counts: {} })),
  streams: [],
});

describe('the watermark strip', () => {
  it('has one axis, the newest at its right, and names the slowest', () => {
    const strip = stripOf(view({ a: { kind: 'at', time: 100_000 }, b: { kind: 'at', time: 60_000 } }));
    expect(strip).toMatchObject({ from: 60_000, to: 100_000, slowest: 'b', apartMs: 40_000 });
    expect(strip?.ticks.map(({ node, at }) => [node, at])).toEqual([
      ['a', 1],
      ['b', 0],
    ]);
  });

  it('ends at the clock on the wall where the data is of now, and shows how far behind it is', () => {
    const now = 1_000_000;
    const strip = stripOf(view({ a: { kind: 'at', time: now - 5_000 } }, now));
    expect(strip).toMatchObject({ from: now - 10_000, to: now, nowAt: 1 });
    expect(strip?.ticks[0]?.at).toBe(0.5);
    expect(stripOf(view({ a: { kind: 'at', time: now + 10_000 } }, now))).toMatchObject({
      to: now + 10_000,
      nowAt: 0,
    });
  });

  it('leaves the clock on the wall out where the data is of another time', () => {
    const strip = stripOf(view({ a: { kind: 'at', time: 5_000 } }, 9e12));
    expect(strip).toMatchObject({ to: 5_000, nowAt: undefined });
  });

  it('does not blow up differences of nothing', () => {
    const strip = stripOf(view({ a: { kind: 'at', time: 5_000 }, b: { kind: 'at', time: 4_999 } }));
    expect(strip?.ticks[1]?.at).toBeGreaterThan(0.99);
    expect(strip?.slowest).toBeUndefined();
  });

  it('W4: what has no watermark is counted in words, and is no place on the axis', () => {
    expect(
      stripOf(view({ a: { kind: 'not-yet' }, b: { kind: 'idle' }, c: { kind: 'ended' } })),
    ).toMatchObject({
      ticks: [],
      idle: 1,
      notYet: 1,
      ended: 1,
    });
    expect(stripOf(undefined)).toBeUndefined();
  });

  it('says whose ticks are meant by a place', () => {
    const strip = { ticks: [0.1, 0.5, 0.52].map((at) => ({ node: `n${at}`, time: 0, at })) };
    expect(ticksNear(strip, 0.53, 0.04).map(({ node }) => node)).toEqual(['n0.52', 'n0.5']);
    expect(ticksNear(strip, 0.8, 0.04)).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import { gaugeOf, lagText, levelOf, watermarkWords, widthStep } from './level.ts';

describe('the level gauge', () => {
  it('is full at now, falls as the watermark lags, and never leaves its frame', () => {
    expect(levelOf(0)).toBe(1);
    const levels = [100, 1_000, 10_000, 60_000, 600_000, 9e9].map(levelOf);
    expect(levels).toEqual([...levels].sort((a, b) => b - a));
    expect(levels.at(-1)).toBe(0);
    expect(levels[1]).toBeGreaterThan(0.7);
    expect(levels[2]).toBeLessThan(0.6);
  });

  it('W4: idle and not yet are kinds of their own, no number', () => {
    expect(gaugeOf({ kind: 'idle' }, 3)).toEqual({ kind: 'idle' });
    expect(gaugeOf({ kind: 'not-yet' }, undefined)).toEqual({ kind: 'not-yet' });
    expect(watermarkWords({ kind: 'not-yet' }, undefined)).toEqual({
      before: 'not yet',
      since: '',
      time: undefined,
      after: '',
    });
    expect(watermarkWords({ kind: 'idle', time: 5 }, undefined)).toMatchObject({
      before: 'idle',
      since: 'since',
      time: 5,
    });
  });

  it('a watermark is a time and how far it is behind, or ahead of a clock that is wrong', () => {
    expect(watermarkWords({ kind: 'at', time: 1 }, 1_800)).toEqual({
      before: '',
      since: '',
      time: 1,
      after: '1.8 s behind',
    });
    expect(watermarkWords({ kind: 'at', time: 1 }, -200).after).toBe('0 ms behind');
    expect(watermarkWords({ kind: 'at', time: 1 }, -5_000).after).toBe('5.0 s ahead');
  });
});

describe('numbers', () => {
  it('a stream has five widths', () => {
    expect([undefined, 0, 5, 50, 500, 5_000, 5e6].map(widthStep)).toEqual([0, 0, 1, 2, 3, 4, 5]);
  });

  it('lags have a unit one can take in at a glance', () => {
    expect([4.2, 1_800, 42_400, 150_000, 7.3e6, 3e8, 2.2e11].map(lagText)).toEqual([
      '4 ms',
      '1.8 s',
      '42 s',
      '3 min',
      '2 h',
      '3 d',
      '7.0 y',
    ]);
  });
});

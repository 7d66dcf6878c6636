import { describe, expect, it } from 'vitest';
import { curveBox } from './curve.ts';
import { type DrawnStream, streamAt } from './drawn-streams.ts';

const stream = (id: string, from: readonly [number, number], to: readonly [number, number]): DrawnStream => ({
  id,
  from,
  to,
  box: curveBox({ from, to }),
  name: undefined,
  keyBy: undefined,
  isFaulty: false,
  isOneOfMany: false,
});

describe('the stream under the pointer', () => {
  const streams = [stream('up', [0, 0], [2_000, 0]), stream('down', [0, 30], [2_000, 30])];

  it('is the nearest, anywhere along a long one', () => {
    for (let x = 0; x <= 2_000; x += 37) {
      expect(streamAt(streams, [x, 8], 10)?.id).toBe('up');
      expect(streamAt(streams, [x, 24], 10)?.id).toBe('down');
    }
  });

  it('is none where none is within reach', () => {
    expect(streamAt(streams, [1_000, 60], 10)).toBeUndefined();
    expect(streamAt(streams, [2_020, 0], 10)).toBeUndefined();
  });

  it('is found on a stream that leads back, where it swings out beyond its ends', () => {
    const back = stream('back', [500, 0], [0, 200]);
    expect(streamAt([back], [536, 8], 6)?.id).toBe('back');
  });
});

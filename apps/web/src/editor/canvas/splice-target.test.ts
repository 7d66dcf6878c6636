import { describe, expect, it } from 'vitest';
import { type StreamCurve, spliceTarget } from './splice-target.ts';

const curve = (id: string, y: number): StreamCurve => ({
  stream: { id, from: ['a', 'out'], to: ['b', 'in'], keyBy: undefined },
  from: [0, y],
  to: [800, y + 40],
});
const box = (x: number, y: number) => ({ x, y, width: 224, height: 64 });

describe('the stream a node is dropped on', () => {
  it('is the one nearest to its middle', () => {
    const curves = [curve('s_1', 0), curve('s_2', 30)];
    expect(spliceTarget(curves, box(288, 18))?.id).toBe('s_2');
    expect(spliceTarget(curves, box(288, -16))?.id).toBe('s_1');
  });

  it('is none out of reach, and none of its own', () => {
    expect(spliceTarget([curve('s_1', 0)], box(288, 200))).toBeUndefined();
    expect(spliceTarget([curve('s_1', 0)], box(1_200, 0))).toBeUndefined();
    expect(spliceTarget([curve('s_1', 0)], box(288, -12), 'b')).toBeUndefined();
  });
});

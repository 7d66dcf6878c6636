import { describe, expect, it } from 'vitest';
import type { Box } from './geometry.ts';
import { firstNode, nextNode } from './next-node.ts';

const box = (x: number, y: number): Box => ({ x, y, width: 224, height: 64 });
const boxes = new Map([
  ['a', box(0, 0)],
  ['near', box(300, 0)],
  ['joined', box(600, 200)],
  ['below', box(0, 120)],
]);
const stream = {
  id: 's',
  from: ['a', 'out'],
  to: ['joined', 'in'],
  keyBy: undefined,
} as const;

describe('arrow keys', () => {
  it('follow a stream before they look for the nearest node', () => {
    expect(nextNode(boxes, [stream], 'a', 'right')).toBe('joined');
    expect(nextNode(boxes, [], 'a', 'right')).toBe('near');
    expect(nextNode(boxes, [stream], 'joined', 'left')).toBe('a');
  });

  it('go up and down by place', () => {
    expect(nextNode(boxes, [stream], 'a', 'down')).toBe('below');
    expect(nextNode(boxes, [stream], 'below', 'up')).toBe('a');
    expect(nextNode(boxes, [stream], 'a', 'up')).toBeUndefined();
  });

  it('begin at the upper left', () => {
    expect(firstNode(boxes)).toBe('a');
    expect(nextNode(boxes, [], 'gone', 'left')).toBe('a');
  });
});

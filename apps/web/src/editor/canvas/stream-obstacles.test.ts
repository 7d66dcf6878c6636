import { describe, expect, it } from 'vitest';
import type { FlowNode } from './flow-elements.ts';
import { handlesOf } from './handles.ts';
import { meets } from './sight.ts';
import { streamObstacles } from './stream-obstacles.ts';

const shape = {
  width: 208,
  height: 88,
  inputs: [{ name: 'in', y: 32, isNew: false }],
  outputs: [
    { name: 'counts', y: 32, isNew: false },
    { name: 'late', y: 56, isNew: false },
  ],
};
const node = {
  id: 'n',
  type: 'node',
  position: { x: 100, y: 100 },
  width: 208,
  height: 88,
  handles: handlesOf(shape),
  data: { shape },
} as unknown as FlowNode;

const at = (x: number, y: number) => ({ x, y, width: 1, height: 1 });
const isHit = (
  boxes: readonly { x: number; y: number; width: number; height: number }[],
  x: number,
  y: number,
) => boxes.some((box) => meets(box, at(x, y)));

describe('what stands in the way of figures', () => {
  const { hard, soft } = streamObstacles([node]);

  it('is a node, its ports, what is told below it and how many problems it has', () => {
    expect(isHit(hard, 200, 150)).toBe(true);
    expect(isHit(hard, 311, 132)).toBe(true);
    expect(isHit(hard, 120, 200)).toBe(true);
    expect(isHit(hard, 290, 95)).toBe(true);
    expect(isHit(hard, 340, 132)).toBe(false);
    expect(isHit(hard, 200, 80)).toBe(false);
  });

  it('is, where there is another way, the name of a port that is shown outside the node', () => {
    expect(isHit(soft, 330, 132)).toBe(true);
    expect(isHit(soft, 330, 156)).toBe(false);
    expect(isHit(soft, 80, 132)).toBe(false);
  });
});

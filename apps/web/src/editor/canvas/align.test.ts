import { describe, expect, it } from 'vitest';
import { align, distribute } from './align.ts';

const boxes = new Map([
  ['a', { x: 0, y: 0, width: 224, height: 64 }],
  ['b', { x: 80, y: 96, width: 224, height: 88 }],
  ['c', { x: 16, y: 400, width: 224, height: 64 }],
]);

describe('align and distribute', () => {
  it('line up at an edge and tell only what moves', () => {
    expect(align(boxes, 'left')).toEqual([
      ['b', [0, 96]],
      ['c', [0, 400]],
    ]);
    expect(align(boxes, 'right')).toEqual([
      ['a', [80, 0]],
      ['c', [80, 400]],
    ]);
  });

  it('make gaps equal and leave the outermost', () => {
    expect(distribute(boxes, 'vertical')).toEqual([['b', [80, 192]]]);
  });

  it('have nothing to do for one node', () => {
    expect(align(new Map([...boxes].slice(0, 1)), 'top')).toEqual([]);
    expect(distribute(new Map([...boxes].slice(0, 2)), 'horizontal')).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import type { Box } from './geometry.ts';
import { createSight, MANY } from './sight.ts';

const row = (count: number): ReadonlyMap<string, Box> =>
  new Map(Array.from({ length: count }, (_, i) => [`n${i}`, { x: i * 100, y: 0, width: 90, height: 60 }]));
const view = (x: number, width = 1_000): Box => ({ x, y: -100, width, height: 400 });

function opened(count: number) {
  const frames: (() => void)[] = [];
  const sight = createSight((step) => void frames.push(step));
  sight.setBoxes(row(count));
  const all = () => {
    for (let step = frames.shift(); step; step = frames.shift()) step();
  };
  const full = () => [...row(count).keys()].filter((id) => sight.detailOf(id) === 'full').length;
  return { sight, frames, all, full };
}

describe('what is drawn of a large pipeline', () => {
  it('is everything where it is small', () => {
    const { sight, full } = opened(MANY);
    expect(full()).toBe(MANY);
    expect(sight.isSeen('n79')).toBe(true);
  });

  it('is what is in sight and just outside, a few nodes a frame', () => {
    const { sight, frames, all, full } = opened(MANY + 1);
    sight.look(view(0), false);
    const first = full();
    expect(first).toBeLessThan(10);
    expect(frames).toHaveLength(1);
    all();
    expect(full()).toBe(12);
    expect(sight.isSeen('n9')).toBe(true);
    expect(sight.isSeen('n12')).toBe(false);
  });

  it('is not drawn but stays while the canvas moves, and is let go at rest', () => {
    const { sight, all } = opened(MANY + 1);
    sight.look(view(0), false);
    all();
    sight.look(view(7_000), false);
    all();
    expect(sight.detailOf('n0')).toBe('away');
    sight.look(view(300), false);
    expect(sight.detailOf('n2')).toBe('full');
    sight.look(view(7_000), false);
    all();
    sight.rest();
    expect(sight.detailOf('n0')).toBe('shell');
    expect(sight.detailOf('n72')).toBe('full');
  });

  it('is a plain rectangle from afar, all of them at once', () => {
    const { sight, frames } = opened(MANY + 1);
    sight.look(view(0, 10_000), true);
    expect(sight.detailOf('n80')).toBe('plain');
    expect(frames).toHaveLength(0);
  });

  it('is told to the node it changes for, and to no other', () => {
    const { sight, all } = opened(MANY + 1);
    const told: string[] = [];
    for (const id of ['n0', 'n80']) sight.subscribe(id, () => told.push(id));
    sight.look(view(0), false);
    all();
    expect(told).toEqual(['n0']);
  });
});

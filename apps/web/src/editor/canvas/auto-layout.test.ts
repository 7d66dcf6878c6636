import { describe, expect, it } from 'vitest';
import { autoLayout, type LayoutNode } from './auto-layout.ts';

const at = (id: string, x: number, y: number): LayoutNode => ({ id, x, y, width: 224, height: 64 });

describe('auto-layout', () => {
  it('puts every consumer right of its producer, without overlap and on the grid', () => {
    const nodes = ['a', 'b', 'c', 'd', 'e'].map((id) => at(id, 0, 0));
    const edges = ['ab', 'ac', 'bd', 'cd', 'ae'].map(([from = '', to = '']) => ({ from, to }));
    const places = autoLayout(nodes, edges);
    for (const { from, to } of edges) {
      expect((places.get(to)?.[0] ?? 0) - (places.get(from)?.[0] ?? 0)).toBeGreaterThanOrEqual(224 + 64);
    }
    const spots = [...places.values()];
    for (const [i, [x, y]] of spots.entries()) {
      expect([x % 8, y % 8].map(Math.abs)).toEqual([0, 0]);
      for (const [x2, y2] of spots.slice(i + 1)) {
        expect(Math.abs(x - x2) >= 224 || Math.abs(y - y2) >= 64).toBe(true);
      }
    }
  });

  it('keeps the order nodes have on the canvas where that crosses nothing', () => {
    const places = autoLayout(
      [at('src', 0, 100), at('z', 300, 0), at('a', 300, 200)],
      [
        { from: 'src', to: 'a' },
        { from: 'src', to: 'z' },
      ],
    );
    expect(places.get('z')?.[1]).toBeLessThan(places.get('a')?.[1] ?? 0);
  });

  it('gives up an order that crosses streams', () => {
    const places = autoLayout(
      [at('a', 0, 0), at('b', 0, 200), at('c', 400, 0), at('d', 400, 200)],
      [
        { from: 'a', to: 'd' },
        { from: 'b', to: 'c' },
      ],
    );
    const above = (one: string, other: string) => (places.get(one)?.[1] ?? 0) < (places.get(other)?.[1] ?? 0);
    expect(above('a', 'b')).toBe(above('d', 'c'));
  });

  it('leaves what is laid out where it is', () => {
    const edges = [
      { from: 'a', to: 'b' },
      { from: 'b', to: 'c' },
    ];
    const first = autoLayout([at('a', 40, 80), at('b', 900, 10), at('c', 90, 500)], edges);
    const again = autoLayout(
      [...first].map(([id, [x, y]]) => at(id, x, y)),
      edges,
    );
    expect([...again]).toEqual([...first]);
  });

  it('orders producers as their streams arrive', () => {
    const nodes = ['x', 'y', 'z', 'all'].map((id) => at(id, 0, 0));
    const edges = ['z', 'y', 'x'].map((from, i) => ({ from, to: 'all', arrival: i / 3 }));
    const places = autoLayout(nodes, edges);
    const order = ['x', 'y', 'z'].sort((a, b) => (places.get(a)?.[1] ?? 0) - (places.get(b)?.[1] ?? 0));
    expect(order).toEqual(['z', 'y', 'x']);
  });

  it('makes room for what is written on a stream', () => {
    const gap = (label?: number): number => {
      const edge = label === undefined ? { from: 'a', to: 'b' } : { from: 'a', to: 'b', label };
      const places = autoLayout([at('a', 0, 0), at('b', 0, 0)], [edge]);
      return (places.get('b')?.[0] ?? 0) - (places.get('a')?.[0] ?? 0) - 224;
    };
    expect(gap(150)).toBeGreaterThanOrEqual(150);
    expect(gap()).toBeLessThan(100);
  });
});

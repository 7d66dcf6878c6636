import { describe, expect, it } from 'vitest';
import { curveBox, type Point } from './curve.ts';
import type { DrawnStream } from './drawn-streams.ts';
import type { Box } from './geometry.ts';
import { meets } from './sight.ts';
import { placedBoxes, type StreamPlace, streamPlaces } from './stream-places.ts';

const stream = (id: string, from: Point, to: Point, more: Partial<DrawnStream> = {}): DrawnStream => ({
  id,
  from,
  to,
  box: curveBox({ from, to }),
  name: undefined,
  keyBy: undefined,
  isFaulty: false,
  isOneOfMany: false,
  ...more,
});

const node = (x: number, y: number): Box => ({ x, y, width: 208, height: 64 });

/** Two sources, a column of filters closely behind them, and what joins them again. */
function fan(gap: number, rows: number): { readonly streams: DrawnStream[]; readonly nodes: Box[] } {
  const nodes = [node(0, 120), node(0, 360), node(2 * (208 + gap), 240)];
  const streams: DrawnStream[] = [];
  for (let i = 0; i < rows; i++) {
    const [left, right] = [208 + gap, 416 + gap];
    nodes.push(node(left, i * 112));
    const port = i * 112 + 32;
    streams.push(stream(`a${i}`, [208, 152], [left, port], i % 2 === 0 ? { keyBy: 'value.k' } : {}));
    if (i % 2 === 1) streams.push(stream(`b${i}`, [208, 392], [left, port], { name: 'views of pages' }));
    streams.push(stream(`c${i}`, [right, port], [2 * (208 + gap), 272]));
  }
  return { streams, nodes };
}

const place = (
  streams: readonly DrawnStream[],
  hard: readonly Box[] = [],
  zoom: 'near' | 'middle' = 'near',
) => streamPlaces(streams, { hard, soft: [] }, zoom);

function overlaps(places: ReadonlyMap<string, StreamPlace>, nodes: readonly Box[], zoom: 'near' | 'middle') {
  const boxes = [...places].flatMap(([id, each]) => placedBoxes(each, zoom).map((box) => ({ id, box })));
  return boxes.flatMap(({ id, box }, i) => [
    ...boxes.slice(i + 1).filter((other) => other.id !== id && meets(box, other.box)),
    ...nodes.filter((other) => meets(box, other)),
  ]);
}

describe('what is written along streams', () => {
  it('never lies on a node or on what is written along another, however narrow and steep it is', () => {
    for (const zoom of ['near', 'middle'] as const)
      for (const gap of [8, 24, 40, 56, 72, 96, 160, 320]) {
        const { streams, nodes } = fan(gap, 8);
        expect(overlaps(place(streams, nodes, zoom), nodes, zoom)).toEqual([]);
      }
  });

  it('is there for each stream where there is room for all', () => {
    const { streams, nodes } = fan(72, 6);
    const places = place(
      streams.map(({ id, from, to }) => stream(id, from, to)),
      nodes,
    );
    expect([...places].filter(([, { figures }]) => figures === 'none')).toEqual([]);
  });

  it('is there in the gap that a layout leaves, from nearby and from farther away', () => {
    for (const zoom of ['near', 'middle'] as const) {
      const streams = [stream('s', [208, 32], [272, 32])];
      const [only] = place(streams, [node(0, 0), node(272, 0)], zoom).values();
      expect(only?.figures).not.toBe('none');
    }
  });

  it('of a level stream with room around it is all there is, at its middle', () => {
    const [only] = place([stream('s', [208, 32], [320, 32])], [node(0, 0), node(320, 0)]).values();
    expect(only).toMatchObject({ at: [264, 32], isLevel: true, figures: 'full', label: undefined });
  });

  it('gives up what stands around a rate before it gives up the rate of another', () => {
    const streams = [stream('a', [0, 0], [112, 0]), stream('b', [0, 24], [112, 24])];
    const places = place(streams);
    expect([...places.values()].map(({ figures }) => figures)).not.toContain('none');
    expect(overlaps(places, [], 'near')).toEqual([]);
  });

  it('shows an icon where a key would be cut to a letter, and what is wrong in any case', () => {
    const keyed = stream('k', [0, 0], [64, 0], { keyBy: 'value.origin' });
    expect(place([keyed]).get('k')?.label).toBe(26);
    const buried = stream('f', [0, 0], [64, 0], { isFaulty: true });
    expect(place([buried], [{ x: -200, y: -200, width: 400, height: 400 }]).get('f')?.label).toBe(26);
  });

  it('stays where it is when something far away moves', () => {
    const { streams, nodes } = fan(72, 6);
    const before = place(streams, nodes);
    const after = place([...streams, stream('far', [3_000, 0], [3_400, 80])], nodes);
    for (const [id, each] of before) expect(after.get(id)).toEqual(each);
  });

  it('is found for 450 streams between 300 nodes within a moment', () => {
    const nodes = Array.from({ length: 300 }, (_, i) => node(Math.floor(i / 15) * 320, (i % 15) * 112));
    const streams = Array.from({ length: 450 }, (_, i) => {
      const [column, row] = [Math.floor((i % 285) / 15), i % 15];
      const to = i < 285 ? row : (row + 3) % 15;
      return stream(`s${i}`, [column * 320 + 208, row * 112 + 32], [(column + 1) * 320, to * 112 + 32]);
    });
    const started = performance.now();
    const places = place(streams, nodes);
    expect(performance.now() - started).toBeLessThan(1_000);
    expect(overlaps(places, nodes, 'near')).toEqual([]);
  });
});

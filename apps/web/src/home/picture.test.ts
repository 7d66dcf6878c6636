import { expect, test } from 'vitest';
import { pictureOf } from './picture.ts';

const pipeline = (nodes: object, streams: object = {}) => JSON.stringify({ nodes, streams });

test('nodes stand where the layout says, by their middle', () => {
  const { nodes } = pictureOf({
    'pipeline.json': pipeline({ n_a: { type: 'injector/file' } }),
    'layout.json': JSON.stringify({ nodes: { n_a: { at: [100, 50] } } }),
  });
  expect(nodes).toEqual([{ id: 'n_a', kind: 'injector', x: 200, y: 82 }]);
});

test('without a layout streams lead from left to right', () => {
  const { nodes, streams } = pictureOf({
    'pipeline.json': pipeline(
      { n_c: { type: 'sink/file' }, n_a: { type: 'injector/file' }, n_b: { type: 'code' } },
      {
        s_1: { from: ['n_a', 'out'], to: ['n_b', 'in'] },
        s_2: { from: ['n_b', 'out'], to: ['n_c', 'in'] },
        s_3: { from: ['n_a', 'out'], to: ['n_c', 'in'] },
      },
    ),
  });
  expect([...nodes].sort((a, b) => a.x - b.x).map(({ id }) => id)).toEqual(['n_a', 'n_b', 'n_c']);
  expect(streams).toHaveLength(3);
});

test('a cycle ends', () => {
  const { nodes } = pictureOf({
    'pipeline.json': pipeline(
      { n_a: { type: 'code' }, n_b: { type: 'code' } },
      { s_1: { from: ['n_a', 'o'], to: ['n_b', 'i'] }, s_2: { from: ['n_b', 'o'], to: ['n_a', 'i'] } },
    ),
  });
  expect(nodes).toHaveLength(2);
});

test.each(['', 'null', '[]', '{"nodes":[1]}', '{"nodes":{"n":null},"streams":{"s":null,"t":{"from":"x"}}}'])(
  'a broken draft has a picture: %s',
  (text) => {
    expect(() => pictureOf({ 'pipeline.json': text, 'layout.json': text })).not.toThrow();
  },
);

import { expect, test } from 'vitest';
import { pictureOf } from './picture-of.ts';

const picture = (files: Readonly<Record<string, string>>) => pictureOf(new Map(Object.entries(files)));
const pipeline = (nodes: object, streams: object = {}) => JSON.stringify({ nodes, streams });

test('nodes stand where the layout says, by their middle', () => {
  const { nodes } = picture({
    'pipeline.json': pipeline({ n_a: { type: 'injector/file' } }),
    'layout.json': JSON.stringify({ nodes: { n_a: { at: [100, 50] } } }),
  });
  expect(nodes).toEqual([{ kind: 'injector', x: 200, y: 82 }]);
});

test('without a layout streams lead from left to right', () => {
  const { nodes, streams } = picture({
    'pipeline.json': pipeline(
      { n_c: { type: 'sink/file' }, n_a: { type: 'injector/file' }, n_b: { type: 'code' } },
      {
        s_1: { from: ['n_a', 'out'], to: ['n_b', 'in'] },
        s_2: { from: ['n_b', 'out'], to: ['n_c', 'in'] },
        s_3: { from: ['n_a', 'out'], to: ['n_c', 'in'] },
      },
    ),
  });
  expect([...nodes].sort((a, b) => a.x - b.x).map(({ kind }) => kind)).toEqual([
    'injector',
    'computation',
    'sink',
  ]);
  expect(streams).toContainEqual({ from: 1, to: 2 });
  expect(streams).toHaveLength(3);
});

test('a cycle ends', () => {
  const { nodes } = picture({
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
    expect(() => picture({ 'pipeline.json': text, 'layout.json': text })).not.toThrow();
  },
);

test('of a huge draft the first nodes are drawn', () => {
  const nodes = Object.fromEntries(Array.from({ length: 3000 }, (_, i) => [`n_${i}`, { type: 'code' }]));
  expect(picture({ 'pipeline.json': pipeline(nodes) }).nodes).toHaveLength(500);
});

import { expect, test } from 'vitest';
import { type TracedHop, wayRows } from './record-way.ts';

const hop = (id: string, from: string, hops: number, stream = 's_a'): TracedHop => ({
  id,
  from,
  hops,
  stream,
  key: '',
  timestamp: 0,
  at: 0,
  text: '1',
  cut: false,
});
const shown = (hops: readonly TracedHop[]) =>
  wayRows(hops, 'root').map(({ hop: { id, stream }, depth }) => `${'-'.repeat(depth)}${id} ${stream}`);

test('below each record stands what was made of it, in the order it was made', () => {
  const nearestFirst = [hop('a', 'root', 1), hop('b', 'root', 1), hop('b1', 'b', 2), hop('a1', 'a', 2)];
  expect(shown(nearestFirst)).toEqual(['a s_a', '-a1 s_a', 'b s_a', '-b1 s_a']);
});

test('a record that went two ways stands on both streams, and what came of it once', () => {
  const hops = [hop('a', 'root', 1, 's_x'), hop('a', 'root', 1, 's_y'), hop('a1', 'a', 2)];
  expect(shown(hops)).toEqual(['a s_x', '-a1 s_a', 'a s_y']);
});

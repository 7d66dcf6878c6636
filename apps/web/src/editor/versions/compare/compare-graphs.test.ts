import { connectorSpecs } from '@millrace/connectors/specs';
import { nodeTypes } from '@millrace/graph';
import { expect, test } from 'vitest';
import { compareGraphs, countKinds } from './compare-graphs.ts';
import { nodeDifference } from './node-difference.ts';
import { graphOfFiles } from './version-graph.ts';

const types = nodeTypes(connectorSpecs);
const NODES = {
  n_in: { type: 'injector/generator', name: 'numbers', config: { value: '{ n }', rate: 10 } },
  n_pass: { type: 'code', name: 'pass', code: 'nodes/pass.ts' },
  n_out: { type: 'sink/discard', name: 'out' },
};
const STREAMS = {
  s_in: { from: ['n_in', 'out'], to: ['n_pass', 'in'], keyBy: 'value.n' },
  s_out: { from: ['n_pass', 'n'], to: ['n_out', 'in'] },
};
const PLACES = { n_in: { at: [0, 0] }, n_pass: { at: [280, 0] }, n_out: { at: [560, 0] } };

function graph(
  nodes: object = NODES,
  streams: object = STREAMS,
  files: object = {},
  places: object = PLACES,
) {
  return graphOfFiles({
    'pipeline.json': JSON.stringify({ format: 1, name: 'Doubling', nodes, streams }),
    'layout.json': JSON.stringify({ nodes: places }),
    'nodes/pass.ts': 'export default 1;\n',
    ...files,
  });
}
const kindOf = (comparison: ReturnType<typeof compareGraphs>, id: string) =>
  comparison.nodes.find((node) => node.id === id);

test('what only moved is the same, and both are drawn where the newer has it', () => {
  const moved = graph(NODES, STREAMS, {}, { ...PLACES, n_out: { at: [560, 400] } });
  const comparison = compareGraphs(graph(), moved, types);
  expect(comparison.same).toBe(true);
  expect(kindOf(comparison, 'n_out')?.box).toMatchObject({ x: 560, y: 400 });
});

test('a renamed node is one node, with both names', () => {
  const renamed = graph({ ...NODES, n_out: { ...NODES.n_out, name: 'bin' } });
  const comparison = compareGraphs(graph(), renamed, types);
  expect(comparison.same).toBe(false);
  expect(kindOf(comparison, 'n_out')).toMatchObject({
    kind: 'kept',
    isRenamed: true,
    nameBefore: 'out',
    name: 'bin',
  });
  expect(countKinds(comparison)).toEqual({ new: 0, removed: 0, changed: 0, kept: 3, renamed: 1 });
  expect(nodeDifference(graph(), renamed, 'n_out').settings).toEqual([
    { label: 'Name', before: 'out', after: 'bin' },
  ]);
});

test('a removed node never lies under one that took its place', () => {
  const { n_out: _, ...rest } = NODES;
  const after = graph(
    { ...rest, n_new: { type: 'sink/discard', name: 'other' } },
    { s_in: STREAMS.s_in, s_new: { from: ['n_pass', 'n'], to: ['n_new', 'in'] } },
    {},
    { ...PLACES, n_new: { at: [560, 0] } },
  );
  const comparison = compareGraphs(graph(), after, types);
  const [gone, made] = [kindOf(comparison, 'n_out'), kindOf(comparison, 'n_new')];
  expect([gone?.kind, made?.kind]).toEqual(['removed', 'new']);
  expect(gone?.box.y).toBeGreaterThanOrEqual((made?.box.y ?? 0) + (made?.box.height ?? 0));
  expect(comparison.streams.map(({ id, kind }) => [id, kind])).toEqual([
    ['s_in', 'kept'],
    ['s_new', 'new'],
    ['s_out', 'removed'],
  ]);
});

test('settings differ leaf by leaf, code as a file, keys as settings of their input', () => {
  const after = graph(
    { ...NODES, n_in: { ...NODES.n_in, config: { value: '{ n }', rate: 20, count: { param: 'many' } } } },
    { ...STREAMS, s_in: { ...STREAMS.s_in, keyBy: 'value.n % 2' } },
    { 'nodes/pass.ts': 'export default 2;\n' },
  );
  expect(nodeDifference(graph(), after, 'n_in').settings).toEqual([
    { label: 'Rate', before: '10', after: '20' },
    { label: 'Count', before: undefined, after: '{many}' },
  ]);
  expect(nodeDifference(graph(), after, 'n_pass')).toEqual({
    settings: [{ label: 'Input in from numbers.out · key', before: 'value.n', after: 'value.n % 2' }],
    files: [{ path: 'nodes/pass.ts', before: 'export default 1;\n', after: 'export default 2;\n' }],
  });
});

test('shared code that differs is told beside the nodes', () => {
  const after = graph(NODES, STREAMS, { 'lib/words.ts': 'export const a = 1;\n' });
  expect(compareGraphs(graph(), after, types)).toMatchObject({ files: ['lib/words.ts'], same: false });
});

import { layoutProject } from '@millrace/compiler/layout';
import { connectorSpecs } from '@millrace/connectors/specs';
import { nodeTypes, type PipelineFolder, readFolder } from '@millrace/graph';
import { describe, expect, it } from 'vitest';
import { expressionPlace, faultsWithin } from './expression-place.ts';

const PIPELINE = {
  format: 1,
  name: 'Places',
  nodes: {
    n_in: {
      type: 'injector/interval',
      name: 'in',
      config: { every: '1s', type: '{ user: string; at: number }', timestamp: 'value.at' },
    },
    n_keep: { type: 'operator/filter', name: 'keep', config: { expression: "value.user !== 'me'" } },
    n_sum: {
      type: 'operator/aggregate',
      name: 'sum',
      config: {
        window: { type: 'tumbling', size: '10s' },
        aggregates: { most: { type: 'max', of: 'value.at' }, mean: { type: 'avg', of: 'value.at + 1' } },
      },
    },
  },
  streams: {
    s_1: { from: ['n_in', 'out'], to: ['n_keep', 'in'] },
    s_2: { from: ['n_keep', 'out'], to: ['n_sum', 'in'], keyBy: 'value.user' },
  },
};
const folder: PipelineFolder = readFolder(new Map([['pipeline.json', JSON.stringify(PIPELINE)]]));
const project = layoutProject(folder, nodeTypes(connectorSpecs));

describe('an expression', () => {
  it.each([
    [['streams', 's_2', 'keyBy'], 'value.user'],
    [['nodes', 'n_in', 'config', 'timestamp'], 'value.at'],
    [['nodes', 'n_in', 'config', 'type'], '{ user: string; at: number }'],
    [['nodes', 'n_keep', 'config', 'expression'], "value.user !== 'me'"],
    [['nodes', 'n_sum', 'config', 'aggregates', 'mean', 'of'], 'value.at + 1'],
  ])('at %j stands in the pipeline’s TypeScript as it was written', (path, text) => {
    const place = expressionPlace(project, path);
    if (place === undefined) throw new Error('it is nowhere');
    expect(project.files.get(place.path)?.text.slice(place.start, place.end)).toBe(text);
  });

  it('that is not there has no place', () => {
    expect(expressionPlace(project, ['streams', 's_1', 'keyBy'])).toBeUndefined();
  });

  it('is marked where it is wrong, and as a whole where TypeScript means what is around it', () => {
    const [one, other] = ['most', 'mean'].map((name) =>
      expressionPlace(project, ['nodes', 'n_sum', 'config', 'aggregates', name, 'of']),
    );
    if (one === undefined || other === undefined) throw new Error('it is nowhere');
    const found = { path: other.path, code: 'ts2339', severity: 'error', message: 'no such field' } as const;
    const diagnostics = [
      { ...found, start: one.start, length: 8 },
      { ...found, start: other.start + 6, length: 2 },
      { ...found, start: other.start - 2, length: 14 },
      { ...found, path: '/n_2/node.ts', start: other.start, length: 4 },
    ];
    const places = faultsWithin(project, other, diagnostics).map(({ start, end }) => [start, end]);
    expect(places).toEqual([
      [6, 8],
      [0, 12],
    ]);
  });
});

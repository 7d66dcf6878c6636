import { describe, expect, it } from 'vitest';
import { flights, folderOf } from '../test/fixture.ts';
import { diffPipelines, type NodeChange } from './diff-pipelines.ts';
import { readFolder } from './read/read-folder.ts';

type Change = (pipeline: ReturnType<typeof flights>) => void;

function changesAfter(change: Change, code?: string): Map<string, NodeChange> {
  const pipeline = flights();
  change(pipeline);
  const { nodes } = diffPipelines(readFolder(folderOf(flights())), readFolder(folderOf(pipeline, code)));
  return new Map(nodes.map((node) => [node.id, node]));
}

describe('diffPipelines', () => {
  it('Y1: nothing changed, everything is kept', () => {
    const diff = diffPipelines(readFolder(folderOf(flights())), readFolder(folderOf(flights())));
    expect(diff.same).toBe(true);
    expect(diff.nodes.every(({ kind }) => kind === 'kept')).toBe(true);
  });

  it('G1: a rename keeps the node; a new id is another node', () => {
    const renamed = changesAfter((p) => Object.assign(p.nodes.n_count as object, { name: 'other' }));
    expect(renamed.get('n_count')).toMatchObject({ kind: 'kept', changes: ['name'] });
    const moved = changesAfter((p) => {
      p.nodes.n_new = p.nodes.n_out as Record<string, unknown>;
      delete p.nodes.n_out;
    });
    expect(moved.get('n_new')?.kind).toBe('new');
    expect(moved.get('n_out')?.kind).toBe('removed');
  });

  it('Y2: changed code and a changed keyBy are told apart', () => {
    expect(changesAfter(() => {}, 'export default 2;\n').get('n_count')?.changes).toEqual(['code']);
    const keyed = changesAfter((p) =>
      Object.assign((p.streams as Record<string, object>).s_1 as object, { keyBy: 'value.x' }),
    );
    expect(keyed.get('n_count')?.changes).toEqual(['keyBy']);
  });

  it('Y1: a changed parameter touches the nodes that can read it', () => {
    const changes = changesAfter((p) => {
      p.parameters = { slack: { type: 'duration', default: '1m' } };
    });
    expect([...changes.values()].filter(({ kind }) => kind === 'changed').map(({ id }) => id)).toEqual([
      'n_count',
      'n_flights',
    ]);
  });
});

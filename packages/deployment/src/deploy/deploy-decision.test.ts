import type { NodeChange, RunPlan } from '@millrace/graph';
import { describe, expect, it } from 'vitest';
import type { NodeFacts } from '../user-code/user-code.ts';
import { decideDeploy, type VersionFacts } from './deploy-decision.ts';

const facts = (more: Partial<NodeFacts> = {}): NodeFacts => ({
  stateless: false,
  stateVersion: 1,
  stateShape: undefined,
  migrates: false,
  ...more,
});

const kinds = { n_in: 'injector', n_map: 'computation', n_count: 'computation', n_out: 'sink' } as const;

function version(count: NodeFacts | undefined = facts()): VersionFacts {
  const plan: RunPlan = {
    pipeline: 'p',
    name: 'p',
    params: {},
    streams: [],
    nodes: Object.entries(kinds).map(([id, kind], index) => ({
      index,
      id,
      name: id.slice(2),
      kind,
      type: kind,
      config: {},
      exactlyOnce: true,
      productions: 'strong',
      inputs: [],
      outputs: [],
    })),
  };
  const found = new Map([['n_map', facts({ stateless: true })]]);
  if (count !== undefined) found.set('n_count', count);
  return { plan, facts: found };
}

const change = (id: string, kind: NodeChange['kind'], changes: NodeChange['changes'] = []): NodeChange => ({
  id,
  name: id.slice(2),
  type: 'code',
  kind,
  changes,
});

const decide = (changed: NodeChange, before = version(), after = version()) => {
  const plan = decideDeploy([changed], before, after);
  return { ...plan.nodes[0], losing: plan.losing };
};

describe('the plan of a deploy', () => {
  it('tells of nodes as records flow, of a removed one behind what stood in front of it', () => {
    const now = version();
    const without = {
      ...now,
      plan: { ...now.plan, nodes: now.plan.nodes.filter(({ id }) => id !== 'n_map') },
    };
    const changed = ['n_out', 'n_map', 'n_in', 'n_count'].map((id) =>
      change(id, id === 'n_map' ? 'removed' : 'kept'),
    );
    const plan = decideDeploy(changed, version(), without);
    expect(plan.nodes.map(({ id }) => id)).toEqual(['n_in', 'n_map', 'n_count', 'n_out']);
  });

  it('Y1: state of a node stays when its code, name, wires or settings change', () => {
    for (const aspect of ['code', 'name', 'inputs', 'outputs', 'config', 'parameters'] as const) {
      expect(decide(change('n_count', 'changed', [aspect]))).toMatchObject({ kind: 'changed', losing: [] });
    }
    expect(decide(change('n_count', 'kept'))).toMatchObject({ kind: 'kept', note: 'state stays' });
  });

  it('Y2: another keyBy is incompatible on a stateful node and nothing on a stateless one', () => {
    expect(decide(change('n_count', 'changed', ['keyBy']))).toMatchObject({
      kind: 'incompatible',
      losing: ['n_count'],
    });
    expect(decide(change('n_map', 'changed', ['keyBy']))).toMatchObject({ kind: 'changed', losing: [] });
    expect(decide(change('n_out', 'changed', ['keyBy']))).toMatchObject({ kind: 'changed', losing: [] });
  });

  it('Y2: another state shape or state version needs migrateState', () => {
    const changed = change('n_count', 'changed', ['code']);
    for (const now of [facts({ stateShape: '2h' }), facts({ stateVersion: 2 })]) {
      expect(decide(changed, version(), version(now))).toMatchObject({ kind: 'incompatible' });
      expect(decide(changed, version(), version({ ...now, migrates: true }))).toMatchObject({
        kind: 'changed',
      });
    }
    expect(decide(changed, version(), version(facts({ stateVersion: 2, migrates: true }))).note).toContain(
      'migrated',
    );
  });

  it('Y2: a shape that changed with a parameter or a library, the node itself untouched, is seen', () => {
    const after = version(facts({ stateShape: '2h' }));
    expect(decide(change('n_count', 'kept'), version(facts({ stateShape: '1h' })), after)).toMatchObject({
      kind: 'incompatible',
    });
  });

  it('Y1: removing a stateful node loses its state, removing another loses nothing', () => {
    expect(decide(change('n_count', 'removed')).losing).toEqual(['n_count']);
    for (const id of ['n_map', 'n_in', 'n_out']) expect(decide(change(id, 'removed')).losing).toEqual([]);
  });

  it('D2: a computation whose code does not load counts as stateful and incompatible', () => {
    const changed = change('n_count', 'changed', ['code']);
    const broken = { ...version(), facts: new Map() };
    expect(decide(changed, version(), broken)).toMatchObject({ kind: 'incompatible' });
    expect(decide(change('n_count', 'removed'), broken).losing).toEqual(['n_count']);
  });

  it('a stateful node that becomes stateless or another kind loses its state', () => {
    const changed = change('n_count', 'changed', ['type']);
    expect(decide(changed, version(), version(facts({ stateless: true }))).losing).toEqual(['n_count']);
  });
});

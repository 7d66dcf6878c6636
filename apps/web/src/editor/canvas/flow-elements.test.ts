import { connectorSpecs } from '@millrace/connectors/specs';
import { applyCommand, type openDocument, seedDocument } from '@millrace/document';
import { canonicalJson, nodeTypes, readFolder } from '@millrace/graph';
import { describe, expect, it } from 'vitest';
import { NOTHING } from '../editor-store.ts';
import { type FlowElements, flowElements } from './flow-elements.ts';

const types = nodeTypes(connectorSpecs);
const random = (): number => Math.random();

function draft() {
  const pipeline = {
    format: 1,
    name: 'X',
    nodes: {
      n_a: { type: 'injector/interval', name: 'a', config: { every: '1s' } },
      n_b: { type: 'operator/map', name: 'b', config: { expression: 'value' } },
      n_c: { type: 'sink/discard', name: 'c', config: {} },
    },
    streams: {
      s_1: { from: ['n_a', 'out'], to: ['n_b', 'in'] },
      s_2: { from: ['n_b', 'out'], to: ['n_c', 'in'] },
    },
  };
  const folder = readFolder(new Map([['pipeline.json', canonicalJson(pipeline)]]));
  return seedDocument(folder, { epoch: 1, clientId: 1, random });
}

const NONE: FlowElements = { nodes: [], edges: [] };
const source = (document: ReturnType<typeof openDocument>) => ({
  reading: document.read(),
  types,
  issues: [],
  selection: NOTHING,
  dragged: new Map<string, readonly [number, number]>(),
});

describe('what React Flow draws', () => {
  it('has a place for every node, also where the pipeline has no layout', () => {
    const { nodes, edges } = flowElements(source(draft()), NONE);
    expect(nodes.map(({ id }) => id)).toEqual(['n_a', 'n_b', 'n_c']);
    expect(new Set(nodes.map(({ position }) => position.x)).size).toBe(3);
    expect(edges.map(({ id }) => id)).toEqual(['s_1', 's_2']);
  });

  it('keeps every element nothing has changed of', () => {
    const document = draft();
    const first = flowElements(source(document), NONE);
    const again = flowElements(source(document), first);
    expect(again.nodes.map((node, i) => node === first.nodes[i])).toEqual([true, true, true]);
    applyCommand(document, { kind: 'rename-node', node: 'n_c', name: 'z' }, { random, types });
    const renamed = flowElements(source(document), first);
    expect(renamed.nodes.map((node, i) => node === first.nodes[i])).toEqual([true, true, false]);
    expect(renamed.edges.map((edge, i) => edge === first.edges[i])).toEqual([true, false]);
  });

  it('a node that is dragged moves and its content stays the same object', () => {
    const document = draft();
    const first = flowElements(source(document), NONE);
    const moved = flowElements({ ...source(document), dragged: new Map([['n_b', [7, 9] as const]]) }, first);
    expect(moved.nodes[1]?.position).toEqual({ x: 7, y: 9 });
    expect(moved.nodes[1]?.data).toBe(first.nodes[1]?.data);
    expect(moved.nodes[0]).toBe(first.nodes[0]);
  });

  it('an issue marks the node or stream it is about, errors before warnings', () => {
    const issue = { code: 'x', file: 'f', line: 1, column: 1, node: 'n_b' } as const;
    const issues = [
      { ...issue, severity: 'warning', message: 'w' } as const,
      { ...issue, severity: 'error', message: 'e' } as const,
      { ...issue, severity: 'error', message: 's', stream: 's_2' } as const,
    ];
    const { nodes, edges } = flowElements({ ...source(draft()), issues }, NONE);
    expect(nodes[1]?.data).toMatchObject({ marks: { errors: 1, warnings: 1, first: 'E' } });
    expect(edges[1]?.data?.marks).toMatchObject({ errors: 1, first: 'S' });
  });
});

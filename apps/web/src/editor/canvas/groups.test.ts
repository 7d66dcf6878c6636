import { connectorSpecs } from '@millrace/connectors/specs';
import { applyCommand, seedDocument } from '@millrace/document';
import { canonicalJson, nodeTypes, readFolder } from '@millrace/graph';
import { describe, expect, it } from 'vitest';
import { NOTHING } from '../editor-store.ts';
import { draggedBy } from './flow-commands.ts';
import { flowElements } from './flow-elements.ts';
import { sumsOf } from './group-view.tsx';
import { seenBoxes } from './groups.ts';
import { placesOf } from './places.ts';

const types = nodeTypes(connectorSpecs);
const random = (): number => Math.random();
const NONE = { nodes: [], edges: [] };

/** a → b → c, b and its sibling d in a group. */
function drawn(collapsed: boolean) {
  const node = (type: string, name: string) => ({ type, name, config: {} });
  const pipeline = {
    format: 1,
    name: 'X',
    nodes: {
      n_a: node('injector/interval', 'a'),
      n_b: node('operator/map', 'b'),
      n_c: node('sink/discard', 'c'),
      n_d: node('operator/filter', 'd'),
    },
    streams: {
      s_in: { from: ['n_a', 'out'], to: ['n_b', 'in'] },
      s_inside: { from: ['n_b', 'out'], to: ['n_d', 'in'] },
      s_out: { from: ['n_d', 'out'], to: ['n_c', 'in'] },
    },
  };
  const layout = {
    nodes: {
      n_a: { at: [0, 0] },
      n_b: { at: [300, 0], group: 'g_1' },
      n_c: { at: [900, 0] },
      n_d: { at: [600, 80], group: 'g_1' },
    },
    groups: { g_1: { name: 'Middle' } },
  };
  const files = { 'pipeline.json': canonicalJson(pipeline), 'layout.json': canonicalJson(layout) };
  const document = seedDocument(readFolder(new Map(Object.entries(files))), {
    epoch: 1,
    clientId: 1,
    random,
  });
  applyCommand(document, { kind: 'edit-group', group: 'g_1', collapsed }, { random, types });
  const reading = document.read();
  const source = { reading, types, issues: [], selection: NOTHING, dragged: new Map() };
  return { reading, elements: flowElements(source, NONE) };
}

describe('a group', () => {
  it('is a frame around its nodes, which are drawn', () => {
    const { elements } = drawn(false);
    expect(elements.nodes.map(({ id }) => id).sort()).toEqual(['g_1', 'n_a', 'n_b', 'n_c', 'n_d']);
    expect(elements.edges.map(({ id }) => id)).toEqual(['s_in', 's_inside', 's_out']);
  });

  it('collapsed stands for them: streams from outside end at it, those inside are left out', () => {
    const { elements } = drawn(true);
    expect(elements.nodes.map(({ id }) => id).sort()).toEqual(['g_1', 'n_a', 'n_c']);
    expect(elements.edges.map(({ id, source, target }) => [id, source, target])).toEqual([
      ['s_in', 'n_a', 'g_1'],
      ['s_out', 'g_1', 'n_c'],
    ]);
    expect(elements.edges.map(({ reconnectable }) => reconnectable)).toEqual([false, false]);
  });

  it('collapsed is where the arrow keys find it, and its nodes are not', () => {
    const { reading } = drawn(true);
    const boxes = seenBoxes(reading, placesOf(reading, types).boxes);
    expect([...boxes.keys()].sort()).toEqual(['g_1', 'n_a', 'n_c']);
  });

  it('takes what is in it along when it is dragged', () => {
    const { reading, elements } = drawn(true);
    const { boxes } = placesOf(reading, types);
    const at = elements.nodes.find(({ id }) => id === 'g_1')?.position ?? { x: 0, y: 0 };
    const moved = {
      type: 'position',
      id: 'g_1',
      dragging: true,
      position: { x: at.x + 40, y: at.y - 8 },
    } as const;
    const dragged = draggedBy([moved], new Map(), (id) => boxes.get(id), elements.nodes);
    expect([...(dragged ?? [])].sort()).toEqual([
      ['n_b', [340, -8]],
      ['n_d', [640, 72]],
    ]);
  });

  it('sums what flows in and out of it, and says the worst lag inside', () => {
    const view = {
      nodes: [
        { node: 'n_a', lagMs: 9_000 },
        { node: 'n_b', lagMs: 100 },
        { node: 'n_d', lagMs: 2_000 },
      ],
      streams: [
        { stream: 's_1', rate: 10 },
        { stream: 's_2', rate: 5 },
        { stream: 's_3', rate: 7 },
      ],
    };
    const inside = { members: ['n_b', 'n_d'], into: ['s_1', 's_2'], outOf: ['s_3'] };
    expect(sumsOf(view as never, inside)).toEqual({ lag: 2_000, inRate: 15, outRate: 7 });
  });
});

/** Where everything lies. A pipeline without a layout is laid out for the eye; it is written with the first edit. */
import type { Reading } from '@millrace/document';
import type { NodeTypes } from '@millrace/graph';
import { autoLayout, type LayoutEdge } from './auto-layout.ts';
import { type Box, type NodeShape, nodeShape, onGrid } from './geometry.ts';

export interface Places {
  readonly shapes: ReadonlyMap<string, NodeShape>;
  /** Of nodes and notes. */
  readonly boxes: ReadonlyMap<string, Box>;
  /** Nodes the document has no place for, and where they are shown. */
  readonly unplaced: readonly (readonly [id: string, at: readonly [x: number, y: number]])[];
}

export const NOTE_SIZE = [200, 96] as const;
const BELOW = 96;

const known = new WeakMap<Reading, Places>();

export function placesOf(reading: Reading, types: NodeTypes): Places {
  const before = known.get(reading);
  if (before !== undefined) return before;
  const places = computed(reading, types);
  known.set(reading, places);
  return places;
}

function computed({ pipeline, layout }: Reading, types: NodeTypes): Places {
  const shapes = new Map<string, NodeShape>();
  const boxes = new Map<string, Box>();
  const missing: string[] = [];
  for (const id of pipeline.nodes.keys()) {
    const shape = nodeShape(pipeline, types, id);
    shapes.set(id, shape);
    const at = layout.nodes.get(id)?.at;
    if (at === undefined) missing.push(id);
    else boxes.set(id, { x: at[0], y: at[1], width: shape.width, height: shape.height });
  }
  for (const [id, { at, size }] of layout.notes) {
    const [width, height] = size ?? NOTE_SIZE;
    boxes.set(id, { x: at[0], y: at[1], width, height });
  }
  const lowest = Math.max(...[...boxes.values()].map(({ y, height }) => y + height + BELOW));
  const leftmost = Math.min(...[...boxes.values()].map(({ x }) => x));
  const corner = boxes.size === 0 ? ([0, 0] as const) : ([leftmost, onGrid(lowest)] as const);
  const edges = layoutEdges({ pipeline, layout }, shapes);
  const unplaced = laidOut(missing, shapes, edges, corner);
  for (const [id, [x, y]] of unplaced) {
    const { width, height } = shapes.get(id) as NodeShape;
    boxes.set(id, { x, y, width, height });
  }
  return { shapes, boxes, unplaced };
}

function laidOut(
  ids: readonly string[],
  shapes: ReadonlyMap<string, NodeShape>,
  edges: readonly LayoutEdge[],
  corner: readonly [x: number, y: number],
): Places['unplaced'] {
  if (ids.length === 0) return [];
  const nodes = ids.map((id) => ({ id, x: 0, y: 0, ...(shapes.get(id) as NodeShape) }));
  const spots = [...autoLayout(nodes, edges)];
  const left = Math.min(...spots.map(([, [x]]) => x));
  const top = Math.min(...spots.map(([, [, y]]) => y));
  return spots.map(([id, [x, y]]) => [id, [x - left + corner[0], y - top + corner[1]]] as const);
}

const LETTER = 6.5;
const AROUND_KEY = 36;
const LONGEST_KEY = 150;

/** Streams for the layout: which port they arrive at, and room for the name or key that is written on them. */
export function layoutEdges(
  { pipeline, layout }: Pick<Reading, 'pipeline' | 'layout'>,
  shapes: ReadonlyMap<string, NodeShape>,
): LayoutEdge[] {
  return [...pipeline.streams.values()].map(({ id, from, to, keyBy }) => {
    const shape = shapes.get(to[0]);
    const port = shape?.inputs.find(({ name }) => name === to[1]);
    const arrival = shape === undefined || port === undefined ? 0.5 : port.y / shape.height;
    const ends = { from: from[0], to: to[0], arrival };
    const written = layout.streams.get(id)?.name ?? (keyBy === undefined ? undefined : `by ${keyBy}`);
    if (written === undefined) return ends;
    return { ...ends, label: Math.min(LONGEST_KEY, AROUND_KEY + LETTER * written.length) };
  });
}

/**
 * Puts nodes in columns along the flow. It moves little: within a column nodes keep the order they have on the
 * canvas unless that would cross more streams, and the whole stays where it was.
 */
import dagre from '@dagrejs/dagre';
import { type Box, onGrid } from './geometry.ts';

export interface LayoutNode extends Box {
  readonly id: string;
}

export interface LayoutEdge {
  readonly from: string;
  readonly to: string;
  /** How far down its consumer it arrives: 0 at the top, 1 at the bottom. */
  readonly arrival?: number;
  /** Length of what is written on it. */
  readonly label?: number;
}

export type Places = ReadonlyMap<string, readonly [x: number, y: number]>;

const BETWEEN_COLUMNS = 64;
const BETWEEN_ROWS = 40;
/** What is written on a stream ends so far from its nodes. */
const BESIDE_LABEL = 16;

/** Upper left corners, on the grid. Edges to nodes that are not given are ignored. */
export function autoLayout(nodes: readonly LayoutNode[], edges: readonly LayoutEdge[]): Places {
  if (nodes.length === 0) return new Map();
  const inner = edges.filter(({ from, to }) =>
    [from, to].every((id) => nodes.some((node) => node.id === id)),
  );
  const columns = columnsOf(nodes, inner);
  const asDrawn = columns.map((column) => [...column].sort((a, b) => a.y - b.y));
  const byConsumers = orderedByConsumers(columns, inner);
  const candidates = [asDrawn, columns, byConsumers].map((order) => ({
    order,
    cost: crossings(order, inner),
  }));
  const least = Math.min(...candidates.map(({ cost }) => cost));
  const order = candidates.find(({ cost }) => cost === least)?.order ?? columns;
  return whereItWas(nodes, order === columns ? dagrePlaces(columns) : stacked(order, columns));
}

interface Placed extends LayoutNode {
  /** Where dagre put its middle. */
  readonly at: readonly [x: number, y: number];
}

function columnsOf(nodes: readonly LayoutNode[], edges: readonly LayoutEdge[]): Placed[][] {
  const graph = new dagre.graphlib.Graph();
  graph.setGraph({ rankdir: 'LR', ranksep: BETWEEN_COLUMNS, nodesep: BETWEEN_ROWS, edgesep: 16 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { id, width, height } of nodes) graph.setNode(id, { width, height });
  for (const { from, to, label } of edges) {
    // A label lies in the room that is there anyway, and asks for what is lacking.
    const lacking = (label ?? 0) + 2 * BESIDE_LABEL - BETWEEN_COLUMNS;
    graph.setEdge(from, to, lacking > 0 ? { width: lacking, height: 18, labelpos: 'c' } : {});
  }
  dagre.layout(graph);
  const byX = new Map<number, Placed[]>();
  for (const node of nodes) {
    const { x, y } = graph.node(node.id);
    const column = Math.round(x);
    byX.set(column, [...(byX.get(column) ?? []), { ...node, at: [x, y] }]);
  }
  return [...byX].sort(([a], [b]) => a - b).map(([, column]) => column.sort((a, b) => a.at[1] - b.at[1]));
}

/** From the last column back: what arrives higher stands higher. */
function orderedByConsumers(
  columns: readonly (readonly Placed[])[],
  edges: readonly LayoutEdge[],
): Placed[][] {
  const rows = new Map<string, number>();
  const ordered: Placed[][] = [];
  for (const column of [...columns].reverse()) {
    const targets = new Map<string, number[]>();
    for (const { from, to, arrival = 0.5 } of edges) {
      const row = rows.get(to);
      if (row !== undefined) targets.set(from, [...(targets.get(from) ?? []), row + arrival]);
    }
    const mean = ({ id }: Placed, usual: number): number => {
      const those = targets.get(id);
      return those === undefined ? usual : those.reduce((sum, row) => sum + row, 0) / those.length;
    };
    const keyed = column.map((node, row) => ({ node, at: mean(node, row) }));
    const sorted = keyed.sort((a, b) => a.at - b.at).map(({ node }) => node);
    sorted.forEach(({ id }, row) => {
      rows.set(id, row);
    });
    ordered.unshift(sorted);
  }
  return ordered;
}

function dagrePlaces(columns: readonly (readonly Placed[])[]): Places {
  return new Map(
    columns.flat().map(({ id, at, width, height }) => [id, [at[0] - width / 2, at[1] - height / 2]]),
  );
}

/** The slots dagre found, filled in another order; columns of unequal heights are stacked anew. */
function stacked(order: readonly (readonly Placed[])[], slots: readonly (readonly Placed[])[]): Places {
  const places = new Map<string, readonly [number, number]>();
  order.forEach((column, i) => {
    const first = slots[i]?.[0];
    let y = first === undefined ? 0 : first.at[1] - first.height / 2;
    column.forEach((node, row) => {
      const slot = slots[i]?.[row];
      if (slot !== undefined) y = Math.max(y, slot.at[1] - slot.height / 2);
      places.set(node.id, [node.at[0] - node.width / 2, y]);
      y += node.height + BETWEEN_ROWS;
    });
  });
  return places;
}

function whereItWas(nodes: readonly LayoutNode[], places: Places): Places {
  const shift = [0, 0];
  for (const { id, x, y } of nodes) {
    const [newX = x, newY = y] = places.get(id) ?? [];
    shift[0] = (shift[0] ?? 0) + (x - newX) / nodes.length;
    shift[1] = (shift[1] ?? 0) + (y - newY) / nodes.length;
  }
  const [dx = 0, dy = 0] = shift;
  return new Map([...places].map(([id, [x, y]]) => [id, [onGrid(x + dx), onGrid(y + dy)]]));
}

/** Between columns that follow each other; streams that skip one are left out: an estimate decides an order. */
function crossings(columns: readonly (readonly LayoutNode[])[], edges: readonly LayoutEdge[]): number {
  const rank = new Map<string, readonly [column: number, row: number]>();
  columns.forEach((column, c) => {
    column.forEach(({ id }, row) => {
      rank.set(id, [c, row]);
    });
  });
  const spans = new Map<number, (readonly [number, number])[]>();
  for (const { from, to, arrival = 0.5 } of edges) {
    const [a, b] = [rank.get(from), rank.get(to)];
    if (a === undefined || b === undefined || b[0] !== a[0] + 1) continue;
    spans.set(a[0], [...(spans.get(a[0]) ?? []), [a[1], b[1] + arrival]]);
  }
  let count = 0;
  for (const span of spans.values()) {
    span.forEach(([a1, b1], i) => {
      for (const [a2, b2] of span.slice(i + 1)) if ((a1 - a2) * (b1 - b2) < 0) count++;
    });
  }
  return count;
}

/**
 * What runs and is gone from the draft, drawn where the version had it: with its numbers, without ports to draw from.
 * A ghost is no part of the document: it cannot be selected, moved or deleted.
 */
import type { NodeTypes } from '@millrace/graph';
import type { Edge, Node as RawNode } from '@xyflow/react';
import { lookOf } from '../node-words.ts';
import type { Standings } from '../versions/standings.ts';
import type { FlowEdge, FlowElements, FlowNode } from './flow-elements.ts';
import type { NodeShape } from './geometry.ts';
import { handlesOf } from './handles.ts';
import { placesOf } from './places.ts';

export type GhostContent = {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly look: ReturnType<typeof lookOf>;
  readonly shape: NodeShape;
  readonly version: number;
};
export type GhostNode = RawNode<GhostContent, 'ghost'>;
export type GhostEdge = Edge<{ readonly isGhost: true }, 'ghost'>;

export interface Ghosts {
  readonly nodes: readonly GhostNode[];
  readonly edges: readonly GhostEdge[];
}

const NONE: Ghosts = { nodes: [], edges: [] };
const STILL = { draggable: false, selectable: false, connectable: false, deletable: false, focusable: false };

/** `draft`: what is drawn of the draft; a ghost's stream ends there only at ports that are still there. */
export function ghostsOf(standings: Standings | undefined, types: NodeTypes, draft: FlowElements): Ghosts {
  if (standings === undefined || standings.goneNodes.length === 0) return NONE;
  const { running, version } = standings;
  const { shapes, boxes } = placesOf(running, types);
  const nodes = standings.goneNodes.flatMap((id): GhostNode[] => {
    const [node, shape, box] = [running.pipeline.nodes.get(id), shapes.get(id), boxes.get(id)];
    if (node === undefined || shape === undefined || box === undefined) return [];
    const size = { width: shape.width, height: shape.height };
    const { name, type } = node;
    const data: GhostContent = { id, name, type, look: lookOf(type), shape, version };
    const handles = handlesOf(shape);
    const place = { x: box.x, y: box.y };
    return [
      { id, type: 'ghost', position: place, data, ...size, measured: size, handles, zIndex: 0, ...STILL },
    ];
  });
  const ports = new Set([...nodes, ...draft.nodes].flatMap((node) => portsOf(node)));
  const ghosts = new Set(nodes.map(({ id }) => id));
  const edges = standings.goneStreams.flatMap((id): GhostEdge[] => {
    const stream = running.pipeline.streams.get(id);
    if (stream === undefined) return [];
    const { from, to } = stream;
    const isOfGhost = ghosts.has(from[0]) || ghosts.has(to[0]);
    const isWhole = ports.has(key('source', from)) && ports.has(key('target', to));
    if (!isOfGhost || !isWhole) return [];
    const ends = { source: from[0], sourceHandle: from[1], target: to[0], targetHandle: to[1] };
    return [{ id: `ghost ${id}`, type: 'ghost', data: { isGhost: true }, ...ends, ...STILL }];
  });
  return { nodes, edges };
}

/** Behind what is the draft's. */
export function withGhosts(elements: FlowElements, ghosts: Ghosts): FlowElements {
  if (ghosts.nodes.length === 0) return elements;
  return {
    nodes: [...(ghosts.nodes as readonly RawNode[] as readonly FlowNode[]), ...elements.nodes],
    edges: [...(ghosts.edges as readonly Edge[] as readonly FlowEdge[]), ...elements.edges],
  };
}

const key = (side: 'source' | 'target', [node, port]: readonly [string, string]): string =>
  JSON.stringify([side, node, port]);

function portsOf(node: FlowNode | GhostNode): string[] {
  return (node.handles ?? []).map(({ id, type }) => key(type, [node.id, id ?? '']));
}

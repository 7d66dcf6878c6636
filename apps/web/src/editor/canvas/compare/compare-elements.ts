/** One side of a comparison as React Flow draws it. Pure. */
import type { Edge, Node as RawNode } from '@xyflow/react';
import { type Look, lookOf } from '../../node-words.ts';
import type {
  ChangeKind,
  ComparedNode,
  ComparedStream,
  Comparison,
} from '../../versions/compare/compare-graphs.ts';
import type { NodeShape } from '../geometry.ts';
import { handlesOf } from '../handles.ts';

export type SideName = 'before' | 'after';
export type ComparedContent = {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly look: Look;
  readonly shape: NodeShape;
  readonly kind: ChangeKind;
  readonly isRenamed: boolean;
};
export type CompareNode = RawNode<ComparedContent, 'compared'>;
export type CompareEdge = Edge<{ readonly kind: ChangeKind }, 'compared'>;

export interface CompareElements {
  readonly nodes: CompareNode[];
  readonly edges: CompareEdge[];
}

const STILL = { draggable: false, connectable: false, deletable: false, focusable: false };

export function compareElements(
  { nodes, streams }: Comparison,
  side: SideName,
  picked: string | undefined,
): CompareElements {
  const made = nodes.flatMap((node) => compareNode(node, side, picked));
  const there = new Set(made.map(({ id }) => id));
  return { nodes: made, edges: streams.flatMap((stream) => compareEdge(stream, side, there)) };
}

function compareNode(node: ComparedNode, side: SideName, picked: string | undefined): CompareNode[] {
  const shape = node.shapes[side];
  if (shape === undefined) return [];
  const { id, type, kind, isRenamed, box } = node;
  const name = side === 'before' ? (node.nameBefore ?? node.name) : node.name;
  const size = { width: shape.width, height: shape.height };
  const data = { id, name, type, look: lookOf(type), shape, kind, isRenamed };
  const place = { x: box.x, y: box.y };
  return [
    {
      id,
      type: 'compared',
      position: place,
      data,
      ...size,
      measured: size,
      handles: handlesOf(shape),
      selected: id === picked,
      ...STILL,
    },
  ];
}

function compareEdge(
  { id, kind, before, after }: ComparedStream,
  side: SideName,
  there: ReadonlySet<string>,
): CompareEdge[] {
  const stream = side === 'before' ? before : after;
  if (stream === undefined || !there.has(stream.from[0]) || !there.has(stream.to[0])) return [];
  const [source, sourceHandle] = stream.from;
  const [target, targetHandle] = stream.to;
  const ends = { source, sourceHandle, target, targetHandle };
  return [{ id, type: 'compared', data: { kind }, ...ends, selectable: false, ...STILL }];
}

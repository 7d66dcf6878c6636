/**
 * The draft as React Flow draws it. React Flow's state is a view of the document: elements are made here, and an
 * element whose content is the same stays the same object, so that only what changed is drawn again.
 */
import type { Note, Reading } from '@millrace/document';
import type { Issue, Node, NodeTypes, Stream } from '@millrace/graph';
import type { Edge, Node as RawNode } from '@xyflow/react';
import { canvasWords } from '../../text/strings/canvas.ts';
import type { Selection } from '../editor-store.ts';
import { type Look, lookOf, nodeWords } from '../node-words.ts';
import { issueWords } from '../problems/issue-words.ts';
import type { Box, NodeShape } from './geometry.ts';
import { groupsOf, standIns } from './groups.ts';
import { handlesOf } from './handles.ts';
import { placesOf } from './places.ts';

export interface Marks {
  readonly errors: number;
  readonly warnings: number;
  /** The first of them, to be said where there is room for one. */
  readonly first: string | undefined;
}

export type NodeContent = {
  readonly node: Node;
  readonly shape: NodeShape;
  readonly look: Look;
  readonly title: string;
  readonly words: string;
  readonly marks: Marks;
};
export type NoteContent = { readonly note: Note; readonly box: Box };
export type GroupContent = {
  readonly name: string;
  readonly color: string | undefined;
  readonly isCollapsed: boolean;
  readonly members: readonly string[];
  /** Streams from outside into it, and out of it. */
  readonly into: readonly string[];
  readonly outOf: readonly string[];
  readonly marks: Marks;
};
export type StreamContent = {
  readonly stream: Stream;
  /** Its own; most have none. */
  readonly name: string | undefined;
  readonly label: string;
  readonly marks: Marks;
};

export type FlowNode =
  | RawNode<NodeContent, 'node'>
  | RawNode<NoteContent, 'note'>
  | RawNode<GroupContent, 'group'>;
export type FlowEdge = Edge<StreamContent, 'stream'>;

export interface FlowElements {
  readonly nodes: readonly FlowNode[];
  readonly edges: readonly FlowEdge[];
}

export interface FlowSource {
  readonly reading: Reading;
  readonly types: NodeTypes;
  readonly issues: readonly Issue[];
  readonly selection: Selection;
  /** Where a gesture that is not over has things now. */
  readonly dragged: ReadonlyMap<string, readonly [x: number, y: number]>;
}

/** Of a collapsed group: one for all that comes, one for all that goes. */
const GROUP_PORT = { y: 32, isNew: false };

export function flowElements(source: FlowSource, before: FlowElements): FlowElements {
  const { reading, types } = source;
  const places = placesOf(reading, types);
  const marks = marksOf(source.issues);
  const was = new Map(before.nodes.map((node) => [node.id, node]));
  const standIn = standIns(reading);
  const nodes: FlowNode[] = [];
  for (const node of reading.pipeline.nodes.values()) {
    if (standIn(node.id) !== node.id) continue;
    const shape = places.shapes.get(node.id);
    const box = boxNow(source, places.boxes, node.id);
    if (shape === undefined || box === undefined) continue;
    const content: NodeContent = {
      node,
      shape,
      look: lookOf(node.type),
      title: types.get(node.type)?.title ?? node.type,
      words: nodeWords(node),
      marks: marks.nodes.get(node.id) ?? NO_MARKS,
    };
    nodes.push(kept(was.get(node.id), content, flowNode(source, content, box)));
  }
  for (const [id, note] of reading.layout.notes) {
    const box = boxNow(source, places.boxes, id);
    if (box === undefined) continue;
    nodes.push(kept(was.get(id), { note, box }, flowNote(source, id, { note, box })));
  }
  const groups = groupNodes(source, places.boxes, marks.nodes).map((group) =>
    kept(was.get(group.id), group.data, group),
  );
  return { nodes: [...groups, ...nodes], edges: flowEdges(source, marks.streams, before.edges) };
}

function boxNow({ dragged }: FlowSource, boxes: ReadonlyMap<string, Box>, id: string): Box | undefined {
  const box = boxes.get(id);
  const at = dragged.get(id);
  return box === undefined || at === undefined ? box : { ...box, x: at[0], y: at[1] };
}

function flowNode({ selection }: FlowSource, data: NodeContent, { x, y }: Box): FlowNode {
  const { shape, node } = data;
  const size = { width: shape.width, height: shape.height };
  return {
    id: node.id,
    type: 'node',
    position: { x, y },
    data,
    selected: selection.nodes.has(node.id),
    ...size,
    measured: size,
    zIndex: 1,
    handles: handlesOf(shape),
  };
}

function flowNote({ selection }: FlowSource, id: string, data: NoteContent): FlowNode {
  const { x, y, width, height } = data.box;
  const size = { width, height };
  return {
    id,
    type: 'note',
    position: { x, y },
    data,
    selected: selection.notes.has(id),
    ...size,
    measured: size,
    zIndex: 0,
  };
}

function groupNodes(
  source: FlowSource,
  boxes: ReadonlyMap<string, Box>,
  marks: ReadonlyMap<string, Marks>,
): FlowNode[] {
  const { reading, selection } = source;
  const streams = [...reading.pipeline.streams.values()];
  return groupsOf(reading, (node) => boxNow(source, boxes, node)).map((group): FlowNode => {
    const { id, name, color, isCollapsed, members, box } = group;
    const inside = new Set(members);
    const crossing = (into: boolean): string[] =>
      streams
        .filter(({ from, to }) => inside.has(from[0]) !== into && inside.has(to[0]) === into)
        .map((stream) => stream.id);
    const data: GroupContent = {
      name,
      color,
      isCollapsed,
      members,
      into: crossing(true),
      outOf: crossing(false),
      marks: summed(members.map((member) => marks.get(member) ?? NO_MARKS)),
    };
    const size = { width: box.width, height: box.height };
    return {
      id,
      type: 'group',
      position: { x: box.x, y: box.y },
      data,
      ...size,
      measured: size,
      selectable: false,
      selected: isCollapsed && members.every((member) => selection.nodes.has(member)),
      // A frame lets through to what is behind it; it is taken by its head.
      ...(isCollapsed
        ? { zIndex: 1 }
        : { zIndex: -1, dragHandle: '[data-group-head]', style: { pointerEvents: 'none' as const } }),
      handles: handlesOf({
        ...size,
        inputs: [{ ...GROUP_PORT, name: 'in' }],
        outputs: [{ ...GROUP_PORT, name: 'out' }],
      }),
    };
  });
}

const summed = (all: readonly Marks[]): Marks => ({
  errors: all.reduce((sum, { errors }) => sum + errors, 0),
  warnings: all.reduce((sum, { warnings }) => sum + warnings, 0),
  first: all.find(({ errors }) => errors > 0)?.first ?? all.find(({ first }) => first !== undefined)?.first,
});

function flowEdges(
  { reading, selection }: FlowSource,
  marks: ReadonlyMap<string, Marks>,
  before: readonly FlowEdge[],
): FlowEdge[] {
  const was = new Map(before.map((edge) => [edge.id, edge]));
  const { nodes, streams } = reading.pipeline;
  const nameOf = (id: string): string => nodes.get(id)?.name ?? id;
  const standIn = standIns(reading);
  return [...streams.values()]
    .filter(({ from, to }) => nodes.has(from[0]) && nodes.has(to[0]))
    .filter(({ from, to }) => standIn(from[0]) === from[0] || standIn(from[0]) !== standIn(to[0]))
    .map((stream): FlowEdge => {
      const { id, from, to } = stream;
      const label = canvasWords.fromTo(`${nameOf(from[0])}.${from[1]}`, `${nameOf(to[0])}.${to[1]}`);
      const name = reading.layout.streams.get(id)?.name;
      const data = { stream, name, label, marks: marks.get(id) ?? NO_MARKS };
      const [out, into] = [standIn(from[0]), standIn(to[0])];
      const isWhole = out === from[0] && into === to[0];
      const ends = {
        source: out,
        sourceHandle: out === from[0] ? from[1] : 'out',
        target: into,
        targetHandle: into === to[0] ? to[1] : 'in',
      };
      const isSelected = selection.streams.has(id);
      const edge: FlowEdge = {
        id,
        type: 'stream',
        data,
        ...ends,
        selected: isSelected,
        reconnectable: isWhole,
      };
      const old = was.get(id);
      const isSame =
        old !== undefined &&
        old.selected === edge.selected &&
        old.source === edge.source &&
        old.target === edge.target &&
        old.data?.stream === stream &&
        old.data.label === label &&
        old.data.name === name &&
        sameMarks(old.data.marks, data.marks);
      return isSame ? old : edge;
    });
}

/** The old element where nothing one sees of it has changed; its content too where only the place has. */
function kept<C extends object>(old: FlowNode | undefined, content: C, next: FlowNode): FlowNode {
  if (old === undefined || old.type !== next.type) return next;
  const isSameContent = sameContent(old.data, content);
  const isSamePlace =
    old.position.x === next.position.x &&
    old.position.y === next.position.y &&
    old.width === next.width &&
    old.height === next.height &&
    old.selected === next.selected &&
    old.zIndex === next.zIndex;
  if (isSameContent && isSamePlace) return old;
  return isSameContent ? ({ ...next, data: old.data } as FlowNode) : next;
}

function sameContent(old: object, next: object): boolean {
  const [a, b] = [old as Record<string, unknown>, next as Record<string, unknown>];
  return Object.keys(b).every(
    (key) =>
      a[key] === b[key] ||
      (typeof b[key] === 'object' && key !== 'node' && key !== 'note' && isEqual(a[key], b[key])),
  );
}

const isEqual = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

const NO_MARKS: Marks = { errors: 0, warnings: 0, first: undefined };

const sameMarks = (a: Marks, b: Marks): boolean =>
  a.errors === b.errors && a.warnings === b.warnings && a.first === b.first;

export function marksOf(issues: readonly Issue[]): {
  readonly nodes: ReadonlyMap<string, Marks>;
  readonly streams: ReadonlyMap<string, Marks>;
} {
  const marks = { nodes: new Map<string, Marks>(), streams: new Map<string, Marks>() };
  for (const issue of issues) {
    const { severity, node, stream } = issue;
    const [of, id] = stream !== undefined ? [marks.streams, stream] : [marks.nodes, node];
    if (id === undefined) continue;
    const { errors, warnings, first } = of.get(id) ?? NO_MARKS;
    const isError = severity === 'error';
    of.set(id, {
      errors: errors + (isError ? 1 : 0),
      warnings: warnings + (isError ? 0 : 1),
      first: first === undefined || (isError && errors === 0) ? issueWords(issue) : first,
    });
  }
  return marks;
}

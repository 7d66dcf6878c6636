/**
 * The one place where what React Flow reports becomes commands. A gesture is shown while it lasts and written once,
 * when it ends; selection goes to the editor's store.
 */
import { connectionHints, type Reading } from '@millrace/document';
import type { NodeTypes, Stream } from '@millrace/graph';
import type {
  Connection,
  EdgeChange,
  FinalConnectionState,
  NodeChange,
  OnConnectStartParams,
} from '@xyflow/react';
import { canvasWords as words } from '../../text/strings/canvas.ts';
import type { EditorActions } from '../editor-actions.ts';
import { type Connecting, type EditorStore, type Point, portKey } from '../editor-store.ts';
import { asOneStep } from '../gesture.ts';
import type { FlowEdge, FlowNode } from './flow-elements.ts';
import { type Box, onGrid } from './geometry.ts';
import { placesOf } from './places.ts';
import { type StreamCurve, spliceTarget } from './splice-target.ts';

export type Dragged = ReadonlyMap<string, Point>;

export interface FlowWorld {
  readonly read: () => Reading;
  readonly types: NodeTypes;
  readonly store: EditorStore;
  readonly actions: EditorActions;
}

/** Where dragged things are now; undefined where the changes are about something else. A group moves what is in it. */
export function draggedBy(
  changes: readonly NodeChange<FlowNode>[],
  before: Dragged,
  boxOf: (id: string) => Box | undefined,
  shown: readonly FlowNode[],
): Dragged | undefined {
  const next = new Map(before);
  let isDrag = false;
  for (const change of changes) {
    if (change.type !== 'position' || change.dragging !== true || change.position === undefined) continue;
    const { x, y } = change.position;
    const group = shown.find(({ id, type }) => id === change.id && type === 'group');
    isDrag = true;
    if (group?.type !== 'group') {
      next.set(change.id, [x, y]);
      continue;
    }
    for (const member of group.data.members) {
      const box = boxOf(member);
      const at = before.get(member) ?? (box && ([box.x, box.y] as const));
      if (at !== undefined) next.set(member, [at[0] + x - group.position.x, at[1] + y - group.position.y]);
    }
  }
  return isDrag ? next : undefined;
}

export function takeSelection(
  { store, read }: FlowWorld,
  changes: readonly (NodeChange<FlowNode> | EdgeChange<FlowEdge>)[],
): void {
  const { nodes, streams, notes, active } = store.getState();
  const next = { nodes: new Set(nodes), streams: new Set(streams), notes: new Set(notes) };
  const { pipeline, layout } = read();
  let newest = active;
  let isSelection = false;
  for (const change of changes) {
    if (change.type !== 'select') continue;
    isSelection = true;
    const set = pipeline.streams.has(change.id)
      ? next.streams
      : layout.notes.has(change.id)
        ? next.notes
        : next.nodes;
    if (change.selected) set.add(change.id);
    else set.delete(change.id);
    if (change.selected && set !== next.streams) newest = change.id;
  }
  if (isSelection) store.setState({ ...next, active: newest });
}

/** Writes a drag that has ended: into a stream where the node lies on one. */
export function endDrag({ read, types, store, actions }: FlowWorld, dragged: Dragged): void {
  const { spliceInto } = store.getState();
  store.setState({ spliceInto: undefined });
  const { boxes } = placesOf(read(), types);
  const moved = [...dragged]
    .map(([id, [x, y]]) => [id, [onGrid(x), onGrid(y)]] as const)
    .filter(([id, [x, y]]) => boxes.get(id)?.x !== x || boxes.get(id)?.y !== y);
  const [only] = dragged.keys();
  asOneStep(() => {
    actions.move(moved);
    if (spliceInto !== undefined && only !== undefined) actions.splice(only, spliceInto);
  });
}

/** The stream under a dragged node that could take it: a node between, with no stream of its own yet. */
export function spliceUnder({ read, types }: FlowWorld, dragged: Dragged): string | undefined {
  const [entry, another] = dragged;
  if (entry === undefined || another !== undefined) return undefined;
  const [id, [x, y]] = entry;
  const { pipeline } = read();
  if (types.get(pipeline.nodes.get(id)?.type ?? '')?.kind !== 'computation') return undefined;
  for (const { from, to } of pipeline.streams.values()) if (from[0] === id || to[0] === id) return undefined;
  const box = placesOf(read(), types).boxes.get(id);
  return box && spliceTarget(curvesOf(read(), types), { ...box, x, y }, id)?.id;
}

export function spliceAt(reading: Reading, types: NodeTypes, box: Box): string | undefined {
  return spliceTarget(curvesOf(reading, types), box)?.id;
}

function* curvesOf(reading: Reading, types: NodeTypes): Generator<StreamCurve> {
  const { boxes, shapes } = placesOf(reading, types);
  for (const stream of reading.pipeline.streams.values()) {
    const [source, target] = [boxes.get(stream.from[0]), boxes.get(stream.to[0])];
    const out = shapes.get(stream.from[0])?.outputs.find(({ name }) => name === stream.from[1]);
    const into = shapes.get(stream.to[0])?.inputs.find(({ name }) => name === stream.to[1]);
    if (!source || !target || !out || !into) continue;
    yield { stream, from: [source.x + source.width, source.y + out.y], to: [target.x, target.y + into.y] };
  }
}

export function beginConnecting(
  { read, types }: FlowWorld,
  start: OnConnectStartParams,
): Connecting | undefined {
  if (start.nodeId === null || start.handleId === null) return undefined;
  const end = start.handleType === 'source' ? 'output' : 'input';
  const port = [start.nodeId, start.handleId] as const;
  const side = end === 'output' ? 'input' : 'output';
  const hints = connectionHints(read().pipeline, types, port, end);
  return { port, end, hints: new Map(hints.map((hint) => [portKey(hint.port, side), hint])) };
}

/** Dragging an end of a stream: from the end that stays, with the stream itself out of the way. */
export function beginRewiring(
  { read, types }: FlowWorld,
  stream: Stream,
  stays: 'source' | 'target',
): Connecting {
  const { pipeline } = read();
  const streams = new Map([...pipeline.streams].filter(([id]) => id !== stream.id));
  const [port, end] =
    stays === 'source' ? ([stream.from, 'output'] as const) : ([stream.to, 'input'] as const);
  const side = end === 'output' ? 'input' : 'output';
  const hints = connectionHints({ ...pipeline, streams }, types, port, end);
  return {
    port,
    end,
    rewires: stream.id,
    hints: new Map(hints.map((hint) => [portKey(hint.port, side), hint])),
  };
}

export function rewire({ read, actions }: FlowWorld, id: string, connection: Connection): void {
  const { source, sourceHandle, target, targetHandle } = connection;
  const stream = read().pipeline.streams.get(id);
  if (stream === undefined || sourceHandle === null || targetHandle === null) return;
  const isSame =
    [source, sourceHandle, target, targetHandle].join() === [...stream.from, ...stream.to].join();
  if (isSame) return;
  actions.run({ kind: 'rewire', stream: id, from: [source, sourceHandle], to: [target, targetHandle] });
}

export function canConnect(
  { store }: FlowWorld,
  { target, targetHandle, source, sourceHandle }: Connection | FlowEdge,
): boolean {
  const { connecting } = store.getState();
  if (connecting === undefined) return false;
  const key =
    connecting.end === 'output'
      ? portKey([target, targetHandle ?? ''], 'input')
      : portKey([source, sourceHandle ?? ''], 'output');
  const hint = connecting.hints.get(key);
  return hint !== undefined && hint.fault === undefined;
}

export function connect(
  { actions }: FlowWorld,
  { source, sourceHandle, target, targetHandle }: Connection,
): void {
  if (sourceHandle !== null && targetHandle !== null)
    actions.connect([source, sourceHandle], [target, targetHandle]);
}

/** A stream let go away from any port: at a node it takes the node's first port that fits, else it is a question. */
export function endConnecting(
  world: FlowWorld,
  { isValid, toHandle }: FinalConnectionState,
  nodeUnder: string | undefined,
): 'done' | 'ask' {
  const { store, actions } = world;
  const { connecting } = store.getState();
  if (connecting === undefined || isValid === true || toHandle !== null) return 'done';
  // An end that is let go anywhere stays where it was.
  if (connecting.rewires !== undefined) return 'done';
  if (nodeUnder === undefined) return 'ask';
  if (nodeUnder === connecting.port[0]) return 'done';
  const port = actions.bestPort(nodeUnder, connecting.port, connecting.end);
  if (port !== undefined) {
    if (connecting.end === 'output') actions.connect(connecting.port, port);
    else actions.connect(port, connecting.port);
    return 'done';
  }
  const any = [...connecting.hints.values()].find((hint) => hint.port[0] === nodeUnder);
  if (any?.fault !== undefined) actions.refuse(words.cannotConnect(any.fault.reason));
  return 'done';
}

/** Joins React Flow with the draft: elements in, reports out. */
import {
  type Connection,
  type EdgeChange,
  type NodeChange,
  type OnConnectEnd,
  type OnConnectStart,
  type ReactFlowProps,
  useReactFlow,
} from '@xyflow/react';
import { type MouseEvent, type RefObject, useCallback, useMemo, useRef, useState } from 'react';
import type { SharedDraft } from '../../document/shared-draft.ts';
import { useEditor, useEditorState, useProblems, useReading, useStandings } from '../editor-context.tsx';
import { select } from '../editor-store.ts';
import type { Drags } from '../peers/peer-drags.ts';
import { usePeerDrags } from '../peers/use-peers.ts';
import { type DrawnStream, drawnStreams } from './drawn-streams.ts';
import {
  beginConnecting,
  beginRewiring,
  canConnect,
  connect,
  type Dragged,
  draggedBy,
  endConnecting,
  endDrag,
  type FlowWorld,
  rewire,
  spliceUnder,
  takeSelection,
} from './flow-commands.ts';
import { type FlowEdge, type FlowElements, type FlowNode, flowElements } from './flow-elements.ts';
import { NODE_WIDTH } from './geometry.ts';
import { ghostsOf, withGhosts } from './ghosts.ts';
import { openKey } from './open-key.ts';
import { placesOf } from './places.ts';

type FlowProps = ReactFlowProps<FlowNode, FlowEdge>;

const NOT_DRAGGED: Dragged = new Map();

/** Beyond so many, streams are drawn on a canvas, and by React Flow only those one is at. */
const MANY_STREAMS = 60;

export interface Flow {
  readonly props: FlowProps;
  readonly elements: FlowElements;
  /** So many streams that they are drawn on a canvas. */
  readonly isMany: boolean;
  /** All nodes, notes and groups. */
  readonly nodes: readonly FlowNode[];
  /** For the layer that draws many; none where React Flow draws them. */
  readonly streams: readonly DrawnStream[];
  /** Of those, the ones that React Flow draws. */
  readonly elsewhere: ReadonlySet<string>;
}

/** As many as the protocol takes. */
const MOST_SHOWN = 40;
const NO_STREAMS: readonly DrawnStream[] = [];

export function useFlow(frame: RefObject<HTMLDivElement | null>): Flow {
  const { draft, types, store, actions, code, canEdit } = useEditor();
  const world = useMemo<FlowWorld>(
    () => ({ read: draft.document.read, types, store, actions }),
    [draft, types, store, actions],
  );
  const [dragged, setDragged] = useState<Dragged>(NOT_DRAGGED);
  const now = useRef<Dragged>(NOT_DRAGGED);
  const elements = useElements(dragged, usePeerDrags());
  const shown = useRef(elements.nodes);
  shown.current = elements.nodes;
  const connecting = useConnecting(frame, world);

  const onNodesChange = useCallback(
    (changes: NodeChange<FlowNode>[]) => {
      takeSelection(world, changes);
      const { boxes } = placesOf(world.read(), types);
      const next = draggedBy(changes, now.current, (id) => boxes.get(id), shown.current);
      if (next === undefined) return;
      now.current = next;
      setDragged(next);
      showDragging(draft, next);
      const spliceInto = spliceUnder(world, next);
      if (store.getState().spliceInto !== spliceInto) store.setState({ spliceInto });
    },
    [world, store, draft, types],
  );
  const onDragStop = useCallback(() => {
    const last = now.current;
    now.current = NOT_DRAGGED;
    endDrag(world, last);
    setDragged(NOT_DRAGGED);
    draft.presence.show({ dragging: undefined });
  }, [world, draft]);

  const { edges, streams, elsewhere } = useStreams(elements);
  const props: FlowProps = {
    nodes: elements.nodes as FlowNode[],
    edges: edges as FlowEdge[],
    onNodesChange,
    onEdgesChange: useCallback((changes: EdgeChange<FlowEdge>[]) => takeSelection(world, changes), [world]),
    onNodeDragStop: onDragStop,
    onSelectionDragStop: onDragStop,
    // React Flow leaves several selected when one of them is clicked: a Delete then would take them all.
    onNodeClick: useCallback(
      (event: MouseEvent, { id, type }: FlowNode) => {
        if (event.shiftKey || event.metaKey || event.ctrlKey) return;
        if (type === 'group') actions.selectGroup(id);
        else if (type === 'note') select(store, { notes: [id] });
        // Ghosts cannot be selected.
        else if (type === 'node') select(store, { nodes: [id] });
      },
      [store, actions],
    ),
    onNodeDoubleClick: useCallback(
      (_: unknown, { id, type }: FlowNode) => {
        if (draft.document.read().pipeline.nodes.get(id)?.type === 'code') code.open(id);
        else if (type === 'group') actions.toggleGroup(id);
        else if (canEdit && (type === 'node' || type === 'note')) store.setState({ renaming: id });
      },
      [store, actions, canEdit, draft, code],
    ),
    // A stream has no name of its own: what one gives it is the key.
    onEdgeDoubleClick: useCallback((_: unknown, { id }: FlowEdge) => openKey(store, id), [store]),
    onEdgeMouseEnter: useCallback(
      (_: unknown, { id }: FlowEdge) => store.setState({ hoveredStream: id }),
      [store],
    ),
    onEdgeMouseLeave: useCallback(() => store.setState({ hoveredStream: undefined }), [store]),
    ...connecting,
  };
  const isMany = elements.edges.length > MANY_STREAMS;
  return { props, elements, isMany, nodes: elements.nodes, streams, elsewhere };
}

function useStreams(
  elements: FlowElements,
): Pick<Flow, 'streams' | 'elsewhere'> & Pick<FlowElements, 'edges'> {
  const hovered = useEditorState((state) => state.hoveredStream);
  const target = useEditorState((state) => state.spliceInto);
  const many = elements.edges.length > MANY_STREAMS;
  const streams = useMemo(() => (many ? drawnStreams(elements) : NO_STREAMS), [elements, many]);
  return useMemo(() => {
    if (!many) return { edges: elements.edges, streams, elsewhere: new Set<string>() };
    const edges = elements.edges.filter(
      ({ id, type, selected }) => type !== 'stream' || selected === true || id === hovered || id === target,
    );
    return { edges, streams, elsewhere: new Set(edges.map(({ id }) => id)) };
  }, [elements, streams, many, hovered, target]);
}

/** Shown to others while it lasts; written once, when it ends. */
function showDragging({ presence }: SharedDraft, dragged: Dragged): void {
  if (presence.peers().length === 0) return;
  const dragging = [...dragged]
    .slice(0, MOST_SHOWN)
    .map(([id, [x, y]]): [string, number, number] => [id, x, y]);
  presence.show({ dragging });
}

function useElements(own: Dragged, peers: Drags): FlowElements {
  const { types } = useEditor();
  const reading = useReading();
  const issues = useProblems();
  const nodes = useEditorState((state) => state.nodes);
  const streams = useEditorState((state) => state.streams);
  const notes = useEditorState((state) => state.notes);
  // What one drags oneself is where one has it.
  const dragged = useMemo(() => (peers.size === 0 ? own : new Map([...peers, ...own])), [own, peers]);
  const before = useRef<FlowElements>({ nodes: [], edges: [] });
  const elements = useMemo(() => {
    const selection = { nodes, streams, notes };
    before.current = flowElements({ reading, types, issues, selection, dragged }, before.current);
    return before.current;
  }, [reading, types, issues, nodes, streams, notes, dragged]);
  const standings = useStandings((state) => state.standings);
  return useMemo(
    () => withGhosts(elements, ghostsOf(standings, types, elements)),
    [elements, standings, types],
  );
}

type Handlers = Pick<
  FlowProps,
  'onConnectStart' | 'onConnect' | 'onConnectEnd' | 'isValidConnection' | 'onReconnectStart' | 'onReconnect'
>;

function useConnecting(frame: RefObject<HTMLDivElement | null>, world: FlowWorld): Handlers {
  const { store } = world;
  const { screenToFlowPosition } = useReactFlow();
  const onConnectStart = useCallback<OnConnectStart>(
    (_, start) => {
      // Told after `onReconnectStart` of the same gesture.
      if (store.getState().connecting?.rewires === undefined)
        store.setState({ connecting: beginConnecting(world, start) });
    },
    [store, world],
  );
  const onConnectEnd = useCallback<OnConnectEnd>(
    (event, state) => {
      const { clientX, clientY } =
        'changedTouches' in event ? (event.changedTouches[0] ?? { clientX: 0, clientY: 0 }) : event;
      const under = document.elementFromPoint(clientX, clientY)?.closest('.react-flow__node-node');
      const { connecting } = store.getState();
      const outcome = endConnecting(world, state, under?.getAttribute('data-id') ?? undefined);
      store.setState({ connecting: undefined });
      const box = frame.current?.getBoundingClientRect();
      if (outcome === 'done' || connecting === undefined || box === undefined) return;
      const { x, y } = screenToFlowPosition({ x: clientX, y: clientY });
      const isForward = connecting.end === 'output';
      store.setState({
        quickAdd: {
          place: [clientX - box.left, clientY - box.top],
          at: isForward ? [x, y - 32] : [x - NODE_WIDTH, y - 32],
          from: { port: connecting.port, end: connecting.end },
        },
      });
    },
    [frame, store, world, screenToFlowPosition],
  );
  return {
    onConnectStart,
    onConnectEnd,
    onReconnectStart: useCallback(
      (_: unknown, { id }: FlowEdge, stays: 'source' | 'target') => {
        const stream = world.read().pipeline.streams.get(id);
        if (stream !== undefined) store.setState({ connecting: beginRewiring(world, stream, stays) });
      },
      [store, world],
    ),
    onReconnect: useCallback(
      ({ id }: FlowEdge, connection: Connection) => rewire(world, id, connection),
      [world],
    ),
    onConnect: useCallback((connection: Connection) => connect(world, connection), [world]),
    isValidConnection: useCallback(
      (connection: Connection | FlowEdge) => canConnect(world, connection),
      [world],
    ),
  };
}

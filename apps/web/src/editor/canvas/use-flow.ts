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
import { useEditor, useEditorState, useProblems, useReading, useStandings } from '../editor-context.tsx';
import { select } from '../editor-store.ts';
import {
  beginConnecting,
  canConnect,
  connect,
  type Dragged,
  draggedBy,
  endConnecting,
  endDrag,
  type FlowWorld,
  spliceUnder,
  takeSelection,
} from './flow-commands.ts';
import { type FlowEdge, type FlowElements, type FlowNode, flowElements } from './flow-elements.ts';
import { NODE_WIDTH } from './geometry.ts';
import { ghostsOf, withGhosts } from './ghosts.ts';

type FlowProps = ReactFlowProps<FlowNode, FlowEdge>;

const NOT_DRAGGED: Dragged = new Map();

export function useFlow(frame: RefObject<HTMLDivElement | null>): FlowProps {
  const { draft, types, store, actions, code, canEdit } = useEditor();
  const world = useMemo<FlowWorld>(
    () => ({ read: draft.document.read, types, store, actions }),
    [draft, types, store, actions],
  );
  const [dragged, setDragged] = useState<Dragged>(NOT_DRAGGED);
  const now = useRef<Dragged>(NOT_DRAGGED);
  const elements = useElements(dragged);
  const connecting = useConnecting(frame, world);

  const onNodesChange = useCallback(
    (changes: NodeChange<FlowNode>[]) => {
      takeSelection(world, changes);
      const next = draggedBy(changes, now.current);
      if (next === undefined) return;
      now.current = next;
      setDragged(next);
      const spliceInto = spliceUnder(world, next);
      if (store.getState().spliceInto !== spliceInto) store.setState({ spliceInto });
    },
    [world, store],
  );
  const onDragStop = useCallback(() => {
    const last = now.current;
    now.current = NOT_DRAGGED;
    endDrag(world, last);
    setDragged(NOT_DRAGGED);
  }, [world]);

  return {
    nodes: elements.nodes as FlowNode[],
    edges: elements.edges as FlowEdge[],
    onNodesChange,
    onEdgesChange: useCallback((changes: EdgeChange<FlowEdge>[]) => takeSelection(world, changes), [world]),
    onNodeDragStop: onDragStop,
    onSelectionDragStop: onDragStop,
    // React Flow leaves several selected when one of them is clicked: a Delete then would take them all.
    onNodeClick: useCallback(
      (event: MouseEvent, { id, type }: FlowNode) => {
        if (event.shiftKey || event.metaKey || event.ctrlKey) return;
        // Groups and ghosts cannot be selected.
        if (type !== 'node' && type !== 'note') return;
        select(store, type === 'note' ? { notes: [id] } : { nodes: [id] });
      },
      [store],
    ),
    onNodeDoubleClick: useCallback(
      (_: unknown, { id, type }: FlowNode) => {
        if (draft.document.read().pipeline.nodes.get(id)?.type === 'code') code.open(id);
        else if (canEdit && type !== 'group') store.setState({ renaming: id });
      },
      [store, canEdit, draft, code],
    ),
    onEdgeMouseEnter: useCallback(
      (_: unknown, { id }: FlowEdge) => store.setState({ hoveredStream: id }),
      [store],
    ),
    onEdgeMouseLeave: useCallback(() => store.setState({ hoveredStream: undefined }), [store]),
    ...connecting,
  };
}

function useElements(dragged: Dragged): FlowElements {
  const { types } = useEditor();
  const reading = useReading();
  const issues = useProblems();
  const nodes = useEditorState((state) => state.nodes);
  const streams = useEditorState((state) => state.streams);
  const notes = useEditorState((state) => state.notes);
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

type Handlers = Pick<FlowProps, 'onConnectStart' | 'onConnect' | 'onConnectEnd' | 'isValidConnection'>;

function useConnecting(frame: RefObject<HTMLDivElement | null>, world: FlowWorld): Handlers {
  const { store } = world;
  const { screenToFlowPosition } = useReactFlow();
  const onConnectStart = useCallback<OnConnectStart>(
    (_, start) => store.setState({ connecting: beginConnecting(world, start) }),
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
    onConnect: useCallback((connection: Connection) => connect(world, connection), [world]),
    isValidConnection: useCallback(
      (connection: Connection | FlowEdge) => canConnect(world, connection),
      [world],
    ),
  };
}

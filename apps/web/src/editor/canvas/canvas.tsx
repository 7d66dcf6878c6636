import '@xyflow/react/dist/base.css';
import { MiniMap, ReactFlow, ReactFlowProvider, useStoreApi } from '@xyflow/react';
import { useEffect, useRef, useState } from 'react';
import { canvasWords as words } from '../../text/strings/canvas.ts';
import { useEditor, useEditorState, useReading } from '../editor-context.tsx';
import { ConnectPicker } from '../palette/connect-picker.tsx';
import { QuickAddPicker } from '../palette/quick-add-picker.tsx';
import styles from './canvas.module.css';
import { CanvasMenu } from './canvas-menu.tsx';
import { CanvasToolbar } from './canvas-toolbar.tsx';
import type { CanvasSlot } from './canvas-view.ts';
import { ConnectionLine } from './connection-line.tsx';
import { DotsLayer } from './dots-layer.tsx';
import { EmptyCanvas } from './empty-canvas.tsx';
import type { FlowNode } from './flow-elements.ts';
import { GhostStreamView, GhostView } from './ghost-view.tsx';
import { GroupView } from './group-view.tsx';
import { NodeView } from './node-view.tsx';
import { NoteView } from './note-view.tsx';
import { PeerCursorsLayer, useOwnCursor } from './peer-cursors-layer.tsx';
import { StreamLayer } from './stream-layer.tsx';
import { StreamView } from './stream-view.tsx';
import { useCanvasClipboard } from './use-canvas-clipboard.ts';
import { useCanvasKeys } from './use-canvas-keys.ts';
import { useCanvasView } from './use-canvas-view.ts';
import { useDrop } from './use-drop.ts';
import { useFlow } from './use-flow.ts';
import { useContextMenu } from './use-menu.ts';
import { SightProvider, useOwnSight } from './use-sight.ts';
import { StreamPlacesProvider, useOwnStreamPlaces } from './use-stream-places.ts';
import { useStreamUnderPointer } from './use-stream-under-pointer.ts';

const NODES = { node: NodeView, note: NoteView, group: GroupView, ghost: GhostView };
const EDGES = { stream: StreamView, ghost: GhostStreamView };
const MORE = ['Shift', 'Meta', 'Control'];

export interface CanvasProps {
  readonly slot: CanvasSlot;
  readonly hasMap: boolean;
  readonly onToggleMap: () => void;
}

export const Canvas = (props: CanvasProps) => (
  <ReactFlowProvider>
    <Flow {...props} />
  </ReactFlowProvider>
);

function Flow({ slot, hasMap, onToggleMap }: CanvasProps) {
  const { canEdit } = useEditor();
  const frame = useRef<HTMLDivElement>(null);
  useKnownSizes();
  const { view, defaultViewport, onMove, onInit } = useCanvasView(frame);
  const flow = useFlow(frame);
  const sight = useOwnSight(flow.nodes);
  const places = useOwnStreamPlaces(flow.elements, flow.isMany);
  const lookUnder = useStreamUnderPointer(flow.streams);
  const showCursor = useOwnCursor();
  const drop = useDrop(frame);
  const onKeyDown = useCanvasKeys(view);
  const onContextMenu = useContextMenu();
  useCanvasClipboard(view);
  useEffect(() => {
    slot.current = view;
    return () => {
      slot.current = undefined;
    };
  }, [slot, view]);
  const active = useEditorState((state) => state.active);
  const isConnecting = useEditorState(({ connecting }) => connecting !== undefined);
  const isEmpty = useReading().pipeline.nodes.size === 0;
  return (
    <div
      ref={frame}
      className={styles.canvas}
      role="application"
      aria-label={words.about}
      aria-activedescendant={active === undefined ? undefined : `node-${active}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the canvas is one tab stop with a roving active node
      tabIndex={0}
      data-canvas
      data-zoom="near"
      data-connecting={isConnecting}
      data-active={active !== undefined}
      onKeyDown={onKeyDown}
      onContextMenu={onContextMenu}
      {...drop}
      onPointerMove={(event) => {
        lookUnder(event);
        showCursor.onPointerMove(event);
      }}
      onPointerLeave={showCursor.onPointerLeave}
    >
      <SightProvider value={sight}>
        <StreamPlacesProvider value={places}>
          <ReactFlow
            {...flow.props}
            nodeTypes={NODES}
            edgeTypes={EDGES}
            connectionLineComponent={ConnectionLine}
            {...(defaultViewport ? { defaultViewport } : {})}
            onInit={onInit}
            onMove={onMove}
            minZoom={0.1}
            maxZoom={2}
            snapToGrid
            snapGrid={[8, 8]}
            connectionRadius={28}
            panOnScroll
            zoomOnDoubleClick={false}
            multiSelectionKeyCode={MORE}
            deleteKeyCode={null}
            nodesFocusable={false}
            edgesFocusable={false}
            disableKeyboardA11y
            nodesDraggable={canEdit}
            nodesConnectable={canEdit}
            edgesReconnectable={canEdit}
            reconnectRadius={14}
            elevateNodesOnSelect={false}
            nodeDragThreshold={3}
            proOptions={{ hideAttribution: true }}
          >
            <DotsLayer />
            {flow.streams.length > 0 && (
              <StreamLayer streams={flow.streams} elsewhere={flow.elsewhere} places={places} />
            )}
            {hasMap && !isEmpty && (
              <MiniMap<FlowNode>
                pannable
                zoomable
                ariaLabel={words.map}
                className={styles.map ?? ''}
                nodeClassName={(node) =>
                  `${styles.mapNode} ${node.type === 'node' ? (styles[node.data.look] ?? '') : (styles.mapNote ?? '')}`
                }
                nodeBorderRadius={8}
                maskColor="color-mix(in srgb, var(--ground) 72%, transparent)"
              />
            )}
          </ReactFlow>
        </StreamPlacesProvider>
      </SightProvider>
      <PeerCursorsLayer />
      {isEmpty && <EmptyCanvas view={view} />}
      <CanvasToolbar view={view} hasMap={hasMap} onToggleMap={onToggleMap} />
      <QuickAddPicker frame={frame} />
      <ConnectPicker frame={frame} />
      <CanvasMenu view={view} />
    </div>
  );
}

/** How large everything is and where its ports are is known before it is drawn: React Flow need not measure it. */
function useKnownSizes(): void {
  const internals = useStoreApi();
  useState(() => internals.setState({ updateNodeInternals: () => undefined }));
}

import '@xyflow/react/dist/base.css';
import {
  Background,
  BackgroundVariant,
  ReactFlow,
  type ReactFlowInstance,
  type Viewport,
} from '@xyflow/react';
import { Maximize } from 'lucide-react';
import { useCallback, useEffect, useMemo, useRef } from 'react';
import { compareWords as words } from '../../../text/strings/compare.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import type { Comparison } from '../../versions/compare/compare-graphs.ts';
import { zoomLevel } from '../zoom-level.ts';
import styles from './compare-canvas.module.css';
import { type CompareEdge, type CompareNode, compareElements, type SideName } from './compare-elements.ts';
import { ComparedNodeView, ComparedStreamView } from './compared-node.tsx';

const NODES = { compared: ComparedNodeView };
const EDGES = { compared: ComparedStreamView };
const MANY = 80;
/** Changes that are named from afar. */
const FEW = 16;
const GAP = 24;
const NOTHING = { x: 0, y: 0, width: 0, height: 0 };

export interface CompareCanvasesProps {
  readonly comparison: Comparison;
  /** What the two sides are called. */
  readonly titles: Readonly<Record<SideName, string>>;
  readonly picked: string | undefined;
  readonly onPick: (node: string | undefined) => void;
}

type Flow = ReactFlowInstance<CompareNode, CompareEdge>;

/** Two versions side by side in one layout: moving one moves the other. */
export function CompareCanvases({ comparison, titles, picked, onPick }: CompareCanvasesProps) {
  const flows = useRef<Partial<Record<SideName, Flow>>>({});
  const frames = useRef<Partial<Record<SideName, HTMLElement>>>({});
  const { x: left, y: top, width, height } = comparison.bounds ?? NOTHING;
  const fit = useCallback(
    (flow: Flow | undefined) => {
      if (width > 0) void flow?.fitBounds({ x: left, y: top, width, height }, { padding: 0.12 });
    },
    [left, top, width, height],
  );
  // Other sides lie elsewhere.
  useEffect(() => {
    fit(flows.current.before);
    fit(flows.current.after);
  }, [fit]);
  const moved = (side: SideName, event: unknown, viewport: Viewport): void => {
    const frame = frames.current[side];
    frame?.setAttribute('data-zoom', zoomLevel(viewport.zoom));
    frame?.style.setProperty('--unzoom', String(1 / viewport.zoom));
    // Without an event it was us: answering would never end.
    if (event === null) return;
    void flows.current[side === 'before' ? 'after' : 'before']?.setViewport(viewport);
  };
  const sides = useMemo(
    () =>
      (['before', 'after'] as const).map((side) => ({ side, ...compareElements(comparison, side, picked) })),
    [comparison, picked],
  );
  const changes = comparison.nodes.filter(({ kind, isRenamed }) => kind !== 'kept' || isRenamed).length;
  return (
    <div className={styles.canvases}>
      {sides.map(({ side, nodes, edges }) => (
        <section
          key={side}
          ref={(element) => {
            if (element !== null) frames.current[side] = element;
          }}
          className={styles.canvas}
          aria-label={words.canvas(titles[side])}
          data-zoom="near"
          data-few={changes <= FEW}
        >
          <ReactFlow<CompareNode, CompareEdge>
            nodes={nodes}
            edges={edges}
            nodeTypes={NODES}
            edgeTypes={EDGES}
            onInit={(flow) => {
              flows.current[side] = flow;
              fit(flow);
            }}
            // A turn of the wheel may be all of start, move and end.
            onMoveStart={(event, viewport) => moved(side, event, viewport)}
            onMove={(event, viewport) => moved(side, event, viewport)}
            onMoveEnd={(event, viewport) => moved(side, event, viewport)}
            onNodeClick={(_, { id }) => onPick(id)}
            onPaneClick={() => onPick(undefined)}
            minZoom={0.04}
            maxZoom={2}
            panOnScroll
            zoomOnDoubleClick={false}
            nodesDraggable={false}
            nodesConnectable={false}
            nodesFocusable={false}
            edgesFocusable={false}
            elementsSelectable={false}
            disableKeyboardA11y
            onlyRenderVisibleElements={nodes.length > MANY}
            proOptions={{ hideAttribution: true }}
          >
            <Background variant={BackgroundVariant.Dots} gap={GAP} size={1.5} color="var(--canvas-dot)" />
          </ReactFlow>
          <h3 className={styles.title}>{titles[side]}</h3>
        </section>
      ))}
      <span className={styles.tools}>
        <IconButton
          icon={Maximize}
          size="small"
          label={words.fit}
          onClick={() => {
            fit(flows.current.before);
            fit(flows.current.after);
          }}
        />
      </span>
    </div>
  );
}

/** Where one looks: kept over a reload, and moved by other parts of the editor. */
import { getViewportForBounds, type OnMove, useReactFlow, useStoreApi, type Viewport } from '@xyflow/react';
import { type RefObject, useCallback, useMemo, useRef } from 'react';
import { useEditor } from '../editor-context.tsx';
import type { CanvasView } from './canvas-view.ts';
import { middleOf } from './geometry.ts';
import { isInView } from './keep-in-view.ts';
import { useBounds } from './use-bounds.ts';
import { useKeptInView } from './use-kept-in-view.ts';
import { zoomLevel } from './zoom-level.ts';

const MOVE_MS = 180;
const MARGIN = 48;
/** One node alone is not shown larger than it is. */
const MOST_ZOOM_TO_FIT = 1.25;
const LEAST_ZOOM = 0.1;
/** Without a move for this long the canvas is at rest. */
const REST_MS = 250;
/** From farther away names are left out. */
const LEAST_NAME = 0.22;

export function useCanvasView(frame: RefObject<HTMLDivElement | null>): {
  readonly view: CanvasView;
  readonly defaultViewport: Viewport | undefined;
  readonly onMove: OnMove;
  readonly onInit: () => void;
} {
  const { pipeline, draft } = useEditor();
  const flow = useReactFlow();
  const internals = useStoreApi();
  const key = `viewport:${pipeline}`;
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const defaultViewport = useMemo(() => storedViewport(key), [key]);
  const onMove = useCallback<OnMove>(
    (_, viewport) => {
      const { dataset } = frame.current ?? {};
      if (dataset === undefined) return;
      tellZoom(dataset, viewport.zoom);
      if (dataset.moving === undefined) dataset.moving = '';
      clearTimeout(timer.current);
      timer.current = setTimeout(() => {
        delete frame.current?.dataset.moving;
        sessionStorage.setItem(key, JSON.stringify(viewport));
      }, REST_MS);
    },
    [frame, key],
  );
  const bounds = useBounds();
  const { fit } = useKeptInView(bounds);
  const view = useMemo<CanvasView>(() => {
    const duration = matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : MOVE_MS;
    return {
      fit: (ids) => {
        const box = ids === undefined || ids.length === 0 ? undefined : bounds.of(ids);
        if (box === undefined) fit(duration);
        else {
          const { width, height } = internals.getState();
          const near = getViewportForBounds(box, width, height, LEAST_ZOOM, MOST_ZOOM_TO_FIT, 0.3);
          void flow.setViewport(near, { duration });
        }
      },
      reveal: (ids) => {
        const box = bounds.of(ids);
        if (box === undefined) return;
        const { transform, ...size } = internals.getState();
        const [x, y, zoom] = transform;
        if (isInView(box, { x, y, zoom }, size, MARGIN)) return;
        void flow.setCenter(...middleOf(box), { zoom: Math.max(zoom, 0.6), duration });
      },
      zoomBy: (factor) => void flow.zoomTo(flow.getZoom() * factor, { duration }),
      middle: () => {
        const { width, height, transform } = internals.getState();
        return [(width / 2 - transform[0]) / transform[2], (height / 2 - transform[1]) / transform[2]];
      },
      focus: () => frame.current?.focus({ preventScroll: true }),
    };
  }, [bounds, fit, flow, internals, frame]);
  const onInit = useCallback(() => {
    // What is kept from the last visit is no move: nobody else would tell how far away that is.
    if (frame.current !== null) tellZoom(frame.current.dataset, flow.getZoom());
    const isEmpty = draft.document.read().pipeline.nodes.size === 0;
    if (defaultViewport === undefined && !isEmpty) fit(0);
  }, [draft, flow, fit, frame, defaultViewport]);
  return { view, defaultViewport, onMove, onInit };
}

/** Styles of the canvas leave out what could not be read from so far. */
function tellZoom(dataset: DOMStringMap, zoom: number): void {
  const level = zoomLevel(zoom);
  if (dataset.zoom !== level) dataset.zoom = level;
  const hasNames = String(zoom >= LEAST_NAME);
  if (dataset.names !== hasNames) dataset.names = hasNames;
}

function storedViewport(key: string): Viewport | undefined {
  try {
    const value = JSON.parse(sessionStorage.getItem(key) ?? 'null') as Partial<Viewport> | null;
    const isSound = [value?.x, value?.y, value?.zoom].every((part) => Number.isFinite(part));
    return isSound ? (value as Viewport) : undefined;
  } catch {
    return undefined;
  }
}

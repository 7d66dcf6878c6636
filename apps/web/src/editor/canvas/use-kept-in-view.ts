/** Shows all, and keeps in sight what one looks at while the canvas gets another size. */
import { getViewportForBounds, useReactFlow, useStoreApi } from '@xyflow/react';
import { useCallback, useEffect, useRef } from 'react';
import { boundsOf } from './geometry.ts';
import { keptInView, MARGINS } from './keep-in-view.ts';
import type { Bounds } from './use-bounds.ts';

const PADDING = {
  top: `${MARGINS.top}px`,
  right: `${MARGINS.right}px`,
  bottom: `${MARGINS.bottom}px`,
  left: `${MARGINS.left}px`,
} as const;
const LEAST_ZOOM = 0.1;
const MOST_ZOOM = 1;

export function useKeptInView(bounds: Bounds): { readonly fit: (duration: number) => void } {
  const flow = useReactFlow();
  const internals = useStoreApi();
  /** Where the canvas was after all was shown; as long as nobody moves it, all is shown. */
  const fitted = useRef<string>(undefined);
  const fit = useCallback(
    (duration: number) => {
      const all = boundsOf([flow.getNodesBounds(flow.getNodes()), ...bounds.swungOut()]);
      const { width, height } = internals.getState();
      if (all === undefined || all.width === 0 || width === 0) return;
      const next = getViewportForBounds(all, width, height, LEAST_ZOOM, MOST_ZOOM, PADDING);
      void flow.setViewport(next, { duration }).then(() => {
        fitted.current = internals.getState().transform.join();
      });
    },
    [flow, internals, bounds],
  );
  useEffect(() => {
    let before = sizeOf(internals.getState());
    return internals.subscribe((state) => {
      const after = sizeOf(state);
      const was = before;
      before = after;
      if (was.width === 0 || (was.width === after.width && was.height === after.height)) return;
      const [x, y, zoom] = state.transform;
      if (fitted.current === state.transform.join()) return fit(0);
      const seen = { all: bounds.all(), chosen: bounds.chosen() };
      const kept = keptInView(seen, { x, y, zoom }, was, after);
      if (kept === 'all') fit(0);
      else if (kept !== undefined) void flow.setViewport(kept);
    });
  }, [internals, flow, bounds, fit]);
  return { fit };
}

const sizeOf = ({ width, height }: { readonly width: number; readonly height: number }) => ({
  width,
  height,
});

/** Joins what is drawn of a large pipeline with where one looks. */
import { useStoreApi } from '@xyflow/react';
import { createContext, useCallback, useContext, useEffect, useState, useSyncExternalStore } from 'react';
import type { FlowNode } from './flow-elements.ts';
import { createSight, type Detail, type Sight } from './sight.ts';
import { zoomLevel } from './zoom-level.ts';

const REST_MS = 400;

const Context = createContext<Sight | undefined>(undefined);
export const SightProvider = Context.Provider;

export function useSight(): Sight {
  const sight = useContext(Context);
  if (sight === undefined) throw new Error('used outside the canvas');
  return sight;
}

export function useDetail(id: string): Detail {
  const sight = useSight();
  return useSyncExternalStore(
    useCallback((listener) => sight.subscribe(id, listener), [sight, id]),
    () => sight.detailOf(id),
  );
}

export function useOwnSight(nodes: readonly FlowNode[]): Sight {
  const internals = useStoreApi();
  const [sight] = useState(() => {
    const made = createSight((step) => void requestAnimationFrame(step));
    made.setBoxes(boxesOf(nodes));
    return made;
  });
  useEffect(() => sight.setBoxes(boxesOf(nodes)), [sight, nodes]);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let last: unknown;
    const look = (): void => {
      const { transform, width, height } = internals.getState();
      const now = `${transform.join()} ${width} ${height}`;
      if (now === last || width === 0) return;
      last = now;
      const [x, y, zoom] = transform;
      const view = { x: -x / zoom, y: -y / zoom, width: width / zoom, height: height / zoom };
      sight.look(view, zoomLevel(zoom) === 'far');
      clearTimeout(timer);
      timer = setTimeout(sight.rest, REST_MS);
    };
    look();
    const stop = internals.subscribe(look);
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [sight, internals]);
  return sight;
}

const boxesOf = (nodes: readonly FlowNode[]) =>
  new Map(
    nodes
      .filter(({ type }) => type === 'node')
      .map(({ id, position, width = 0, height = 0 }) => [id, { ...position, width, height }]),
  );

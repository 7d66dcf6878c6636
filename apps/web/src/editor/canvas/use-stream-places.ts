/** Keeps where labels and figures of streams stand, as the graph and how near one looks change. */
import { useStore as useFlowStore } from '@xyflow/react';
import { createContext, useContext, useEffect, useLayoutEffect, useState } from 'react';
import { useStore } from 'zustand';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { drawnStreams } from './drawn-streams.ts';
import type { FlowElements } from './flow-elements.ts';
import { streamObstacles } from './stream-obstacles.ts';
import { type FigureZoom, type StreamPlace, streamPlaces } from './stream-places.ts';
import { zoomLevel } from './zoom-level.ts';

type Places = ReadonlyMap<string, StreamPlace>;

/** Finding places for hundreds takes longer than a frame: it is done once nothing moves. */
const REST_MS = 120;
const NONE: Places = new Map();

const Context = createContext<StoreApi<Places>>(createStore<Places>(() => NONE));
export const StreamPlacesProvider = Context.Provider;

export const useStreamPlace = (id: string): StreamPlace | undefined =>
  useStore(useContext(Context), (places) => places.get(id));

/** From far away nothing is written along streams, and what was known is kept. */
export const useFigureZoom = (): FigureZoom =>
  useFlowStore(({ transform }) => (zoomLevel(transform[2]) === 'near' ? 'near' : 'middle'));

export function useOwnStreamPlaces(elements: FlowElements, isMany: boolean): StoreApi<Places> {
  const [store] = useState(() => createStore<Places>(() => NONE));
  const seen = useFigureZoom();
  // Of many nothing is written from farther away.
  const zoom = isMany ? 'near' : seen;
  useLayoutEffect(() => {
    if (!isMany) store.setState(placed(elements, zoom, store.getState()), true);
  }, [store, elements, zoom, isMany]);
  useEffect(() => {
    if (!isMany) return;
    const timer = setTimeout(() => store.setState(placed(elements, zoom, store.getState()), true), REST_MS);
    return () => clearTimeout(timer);
  }, [store, elements, zoom, isMany]);
  return store;
}

/** The same object where a place is the same, so that only streams whose place changed are drawn again. */
function placed(elements: FlowElements, zoom: FigureZoom, before: Places): Places {
  const places = streamPlaces(drawnStreams(elements), streamObstacles(elements.nodes), zoom);
  return new Map(
    [...places].map(([id, place]) => {
      const old = before.get(id);
      return [id, old !== undefined && JSON.stringify(old) === JSON.stringify(place) ? old : place];
    }),
  );
}

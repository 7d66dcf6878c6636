/** What part of the canvas things take: all of them, some, those that are selected. */
import { useMemo } from 'react';
import { useEditor } from '../editor-context.tsx';
import { type Box, boundsOf } from './geometry.ts';
import { seenBoxes, standIns } from './groups.ts';
import { placesOf } from './places.ts';

export interface Bounds {
  readonly all: () => Box | undefined;
  /** Of nodes, notes and the ends of streams. */
  readonly of: (ids: readonly string[]) => Box | undefined;
  readonly chosen: () => Box | undefined;
}

export function useBounds(): Bounds {
  const { draft, types, store } = useEditor();
  return useMemo(() => {
    const boxes = () => {
      const reading = draft.document.read();
      return seenBoxes(reading, placesOf(reading, types).boxes);
    };
    const of = (ids: readonly string[]) => {
      const reading = draft.document.read();
      const standIn = standIns(reading);
      const ends = ids.flatMap((id) => {
        const stream = reading.pipeline.streams.get(id);
        return stream === undefined ? [id] : [stream.from[0], stream.to[0]];
      });
      const seen = boxes();
      return boundsOf(ends.map((id) => seen.get(standIn(id))).filter((box) => box !== undefined));
    };
    return {
      of,
      all: () => boundsOf(boxes().values()),
      chosen: () => {
        const { nodes, notes, streams } = store.getState();
        return of([...nodes, ...notes, ...streams]);
      },
    };
  }, [draft, types, store]);
}

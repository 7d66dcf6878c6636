/** What part of the canvas things take: all of them, some, those that are selected. */
import type { Stream } from '@millrace/graph';
import { useMemo } from 'react';
import { useEditor } from '../editor-context.tsx';
import { curveBox } from './curve.ts';
import { type Box, boundsOf } from './geometry.ts';
import { seenBoxes, standIns } from './groups.ts';
import { placesOf } from './places.ts';

export interface Bounds {
  readonly all: () => Box | undefined;
  /** What streams that lead back take beside the nodes they join. */
  readonly swungOut: () => readonly Box[];
  /** Of nodes, notes and the ends of streams. */
  readonly of: (ids: readonly string[]) => Box | undefined;
  readonly chosen: () => Box | undefined;
}

function swungOut(streams: Iterable<Stream>, boxes: ReadonlyMap<string, Box>): Box[] {
  return [...streams].flatMap(({ from, to }) => {
    const [source, target] = [boxes.get(from[0]), boxes.get(to[0])];
    if (source === undefined || target === undefined) return [];
    const right = source.x + source.width;
    if (right <= target.x) return [];
    return [curveBox({ from: [right, source.y], to: [target.x, target.y + target.height] })];
  });
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
    const swung = () => swungOut(draft.document.read().pipeline.streams.values(), boxes());
    return {
      of,
      swungOut: swung,
      all: () => boundsOf([...boxes().values(), ...swung()]),
      chosen: () => {
        const { nodes, notes, streams } = store.getState();
        return of([...nodes, ...notes, ...streams]);
      },
    };
  }, [draft, types, store]);
}

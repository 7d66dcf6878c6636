import { type Computation, computation } from '../api.ts';
import type { Row } from './aggregates/row.ts';
import type { AnyStream } from './input.ts';
import { SlidingWindows } from './windows/sliding-windows.ts';
import type { SlidingWindow } from './windows/window.ts';

export interface SlidingReduction<T> {
  readonly operator: string;
  readonly row: Row<T>;
  readonly window: SlidingWindow;
  readonly latenessMs: number;
}

/** Windows as `aggregate` makes them, whose results are values of the type that comes in. */
export function slidingReduction<T>({
  operator,
  row,
  window,
  latenessMs,
}: SlidingReduction<T>): Computation<AnyStream<T>, { out: T; late: T }> {
  const windows = new SlidingWindows<T>({ row, window, latenessMs, discarding: false });
  return {
    ...computation<AnyStream<T>, { out: T; late: T }>({
      processRecord: (record, ctx) => windows.processRecord(record as never, ctx as never),
      processTimer: (timer, ctx) => windows.processTimer(timer, ctx as never),
    }),
    stateShape: JSON.stringify({ operator, window, reduction: row.shape }),
  };
}

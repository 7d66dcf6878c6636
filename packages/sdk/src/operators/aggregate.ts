/**
 * `aggregate`: windows of event time over the records of each key, on the public API alone (model.md §6).
 *
 * The default trigger fires a window once the watermark has passed its end; with allowed lateness every late
 * record then gives a pane of its own. Panes are produced at `end - 1`.
 */

import { type Computation, computation, type Duration } from '../api.ts';
import { type Aggregates, type ResultsOf, rowOf } from './aggregates/row.ts';
import { nonNegativeMs } from './duration.ts';
import type { AnyStream, Input } from './input.ts';
import { refuseUnknownOptions } from './refuse-unknown-options.ts';
import type { AggregateOutputs } from './windows/pane-output.ts';
import { SessionWindows } from './windows/session-windows.ts';
import { SlidingWindows } from './windows/sliding-windows.ts';
import { requireWindow, type Window } from './windows/window.ts';

export interface AggregateOptions<A> {
  readonly window: Window;
  /** Name in the output → aggregate. */
  readonly aggregates: A;
  /** How long after its end a window still takes late records; default 0. */
  readonly allowedLateness?: Duration | undefined;
  /** Whether a pane holds all of its window (default) or only what no pane has shown (N3). */
  readonly accumulation?: 'accumulating' | 'discarding' | undefined;
}

const OPTIONS = ['window', 'aggregates', 'allowedLateness', 'accumulation'];

export function aggregate<T, A extends Aggregates<T>>(
  _input: Input<T>,
  options: AggregateOptions<A & Aggregates<T>>,
): Computation<AnyStream<T>, AggregateOutputs<T, ResultsOf<A>>> {
  refuseUnknownOptions(options, OPTIONS, 'aggregate');
  const { window, accumulation = 'accumulating' } = options;
  requireWindow(window);
  if (accumulation !== 'accumulating' && accumulation !== 'discarding') {
    throw new TypeError(
      `aggregate has the accumulation ${JSON.stringify(accumulation)}; it is "accumulating" or "discarding".`,
    );
  }
  const row = rowOf<T>(options.aggregates ?? {});
  const latenessMs = nonNegativeMs(options.allowedLateness ?? 0, 'allowedLateness');
  const settings = { row, latenessMs, discarding: accumulation === 'discarding' };
  const windows =
    window.type === 'session'
      ? new SessionWindows<T>({ ...settings, window })
      : new SlidingWindows<T>({ ...settings, window });
  return {
    ...computation<AnyStream<T>, AggregateOutputs<T, ResultsOf<A>>>({
      processRecord: (record, ctx) => windows.processRecord(record as never, ctx as never),
      processTimer: (timer, ctx) => windows.processTimer(timer, ctx as never),
    }),
    // Accumulators are values, and whatever holds one is made anew when it changes.
    sharesValues: true,
    stateShape: JSON.stringify({ operator: 'aggregate', window, aggregates: row.shape }),
  };
}

/**
 * `aggregate`: windows of event time over the records of each key, on the public API alone (model.md §6).
 *
 * The default trigger fires a window once the watermark has passed its end; with allowed lateness every late
 * record then gives a pane of its own. Panes are produced at `end - 1`.
 */

import { type Computation, computation, type Duration, type StreamRecord, type Timer } from '../api.ts';
import { countedRow } from './aggregates/counted-row.ts';
import { type Aggregates, notTakenOff, type ResultsOf, rowOf } from './aggregates/row.ts';
import { nonNegativeMs } from './duration.ts';
import type { AnyStream, Input } from './input.ts';
import { refuseUnknownOptions } from './refuse-unknown-options.ts';
import type { AggregateOutputs } from './windows/pane-output.ts';
import { SessionWindows } from './windows/session-windows.ts';
import { SlidingWindows } from './windows/sliding-windows.ts';
import { requireTrigger, type Trigger } from './windows/trigger.ts';
import { TriggeredSessions } from './windows/triggered-sessions.ts';
import { TriggeredWindows } from './windows/triggered-windows.ts';
import { requireFewWindows, requireWindow, type Window } from './windows/window.ts';
import type { TriggeredAggregate } from './windows/windowed-aggregate.ts';

export interface AggregateOptions<A> {
  readonly window: Window;
  /** Name in the output → aggregate. */
  readonly aggregates: A;
  /** How long after its end a window still takes late records; default 0. */
  readonly allowedLateness?: Duration | undefined;
  /** When a window shows what it has; default: at its end, and for every late record. */
  readonly trigger?: Trigger | undefined;
  /**
   * Whether a pane holds all of its window (default), only what no pane has shown, or all, after a record that takes
   * back the pane before it (N3).
   */
  readonly accumulation?: Accumulation | undefined;
  /** Records that take back others (`pane.retracts`) are taken off again; default false: they are errors. */
  readonly retractions?: boolean | undefined;
}

export type Accumulation = 'accumulating' | 'discarding' | 'accumulating-and-retracting';

const ACCUMULATIONS: readonly Accumulation[] = ['accumulating', 'discarding', 'accumulating-and-retracting'];
const OPTIONS = ['window', 'aggregates', 'allowedLateness', 'trigger', 'accumulation', 'retractions'];

export function aggregate<T, A extends Aggregates<T>>(
  _input: Input<T>,
  options: AggregateOptions<A & Aggregates<T>>,
): Computation<AnyStream<T>, AggregateOutputs<T, ResultsOf<A>>> {
  const { window, retractions = false } = options ?? {};
  const settings = settingsOf<T>(options);
  const windows = windowsOf(settings);
  const { shape } = settings.row;
  return {
    ...computation<AnyStream<T>, AggregateOutputs<T, ResultsOf<A>>>({
      processRecord: (record, ctx) => windows.processRecord(record as never, ctx as never),
      processTimer: (timer, ctx) => windows.processTimer(timer, ctx as never),
    }),
    // Accumulators are values, and whatever holds one is made anew when it changes.
    sharesValues: true,
    stateShape: JSON.stringify({
      operator: 'aggregate',
      window,
      aggregates: shape,
      ...(retractions && { retractions }),
    }),
  };
}

interface Settings<T> extends TriggeredAggregate<T, Window> {
  /** Its panes are those that the windows without triggers make, which cost less. */
  readonly isPlain: boolean;
}

function settingsOf<T>(options: AggregateOptions<Aggregates<T>>): Settings<T> {
  refuseUnknownOptions(options, OPTIONS, 'aggregate');
  const { window, accumulation = 'accumulating', trigger = {}, retractions = false } = options;
  requireWindow(window, 'aggregate');
  if (!ACCUMULATIONS.includes(accumulation)) {
    const known = ACCUMULATIONS.map((each) => JSON.stringify(each)).join(' or ');
    throw new TypeError(`aggregate has the accumulation ${JSON.stringify(accumulation)}; it is ${known}.`);
  }
  const latenessMs = nonNegativeMs(options.allowedLateness ?? 0, 'allowedLateness');
  const discarding = accumulation === 'discarding';
  requireTrigger(trigger, { latenessMs, discarding, isEndless: window.type === 'global' });
  const row = rowOf<T>(options.aggregates ?? {});
  if (retractions) refuseRetractions(window, discarding, options.aggregates);
  const retracting = accumulation === 'accumulating-and-retracting';
  const isPlain = !retracting && !retractions && Object.values(trigger).every((each) => each === undefined);
  if (!isPlain) requireFewWindows(window, 'aggregate with a trigger or retractions');
  return {
    window,
    row: retractions ? countedRow(row) : row,
    latenessMs,
    discarding,
    trigger,
    retracting,
    isPlain,
  };
}

function refuseRetractions({ type }: Window, discarding: boolean, aggregates: Aggregates<never>): void {
  for (const [name, { kind, remove, subtract }] of Object.entries(aggregates))
    if (remove === undefined && subtract === undefined) throw new TypeError(notTakenOff(name, kind));
  if (type === 'session') {
    throw new TypeError(
      'Sessions cannot take retractions: without the record that is taken back one session might have been two.',
    );
  }
  if (discarding) {
    throw new TypeError(
      'Panes that discard cannot take retractions: what is taken back may be in an earlier pane.',
    );
  }
}

interface Windows {
  processRecord(record: StreamRecord<never>, ctx: never): void;
  processTimer(timer: Timer, ctx: never): void;
}

function windowsOf<T>(settings: Settings<T>): Windows {
  const { window, isPlain } = settings;
  if (window.type === 'session') {
    const own = { ...settings, window };
    return isPlain ? new SessionWindows<T>(own) : new TriggeredSessions<T>(own);
  }
  const own = { ...settings, window };
  return isPlain ? new SlidingWindows<T>(own) : new TriggeredWindows<T>(own);
}

/**
 * `track`: a state for each key that is there, made of its first record, carried on by the following ones and
 * dropped by one of them or after a silence (D8; Discretized Streams §3.2).
 *
 * A key's records are taken in the order in which they come; put `sortByTime` in front where they must be in that
 * of their times. A record behind the silence begins anew, also where the watermark has not passed that yet.
 */
import {
  type Computation,
  type Context,
  computation,
  type DeepReadonly,
  type Duration,
  type StreamRecord,
} from '../api.ts';
import { positiveMs } from './duration.ts';
import type { AnyStream, Input } from './input.ts';
import { refuseRetracted } from './refuse-retracted.ts';
import { refuseUnknownOptions } from './refuse-unknown-options.ts';
import { requireFunction } from './require-function.ts';
import { dropLate } from './windows/pane-output.ts';

export interface TrackOptions<T, S> {
  /** The state of a key from its first record; null: this record begins nothing. */
  readonly init: (value: DeepReadonly<T>, record: StreamRecord<T>) => S | null;
  /** The state after another record; null drops the key. */
  readonly update: (
    state: DeepReadonly<NoInfer<S>>,
    value: DeepReadonly<T>,
    record: StreamRecord<T>,
  ) => DeepReadonly<NoInfer<S>> | null;
  /** A key without a record for so long, in event time, is dropped. */
  readonly timeout: Duration;
}

export interface TrackOutputs<T, S> {
  /** The state after each record that made or changed it, at the record's time. */
  out: S;
  /** The last state of a key that was dropped: by a record, at its time, or after the silence. */
  ended: S;
  /** A record of a key that is not tracked, so old that it would be dropped at once. */
  late: T;
}

const OPTIONS = ['init', 'update', 'timeout'];

interface Tracked<S> {
  readonly state: S;
  /** Time of the newest record. */
  readonly last: number;
}

export function track<T, S>(
  _input: Input<T>,
  options: TrackOptions<T, S>,
): Computation<AnyStream<T>, TrackOutputs<T, S>> {
  refuseUnknownOptions(options, OPTIONS, 'track');
  const { init, update } = options;
  requireFunction(init, 'The function init of track');
  requireFunction(update, 'The function update of track');
  const timeoutMs = positiveMs(options.timeout, 'timeout');
  return {
    ...computation<AnyStream<T>, TrackOutputs<T, S>, Tracked<S>, { timers: 'silence' }>({
      processRecord(record, ctx) {
        refuseRetracted(record, 'track');
        const before = ctx.state.get();
        const isOver = before !== undefined && record.timestamp >= before.last + timeoutMs;
        // The silence has passed although the watermark has not told yet: it must not depend on that.
        if (isOver) drop(before.state, ctx, before.last + timeoutMs);
        const known = isOver ? undefined : before;
        const value = record.value as DeepReadonly<T>;
        const given = record as unknown as StreamRecord<T>;
        const last = Math.max(record.timestamp, known?.last ?? record.timestamp);
        if (known === undefined && ctx.watermark !== undefined && last + timeoutMs <= ctx.watermark) {
          dropLate(ctx as never, record);
          return;
        }
        const state = (
          known === undefined ? init(value, given) : update(known.state as DeepReadonly<S>, value, given)
        ) as S | null;
        if (state === null || state === undefined) {
          if (known !== undefined) drop(known.state, ctx, record.timestamp);
          return;
        }
        ctx.state.set({ state, last });
        // The hold is above the watermark as long as the timer has not fired: it holds up nothing, and lets `ended` be told.
        ctx.setTimer('silence', last + timeoutMs, { hold: last + timeoutMs });
        ctx.produce('out', state);
      },
      processTimer(_timer, ctx) {
        const known = ctx.state.get();
        if (known === undefined) return;
        ctx.state.clear();
        ctx.produce('ended', known.state);
      },
    }),
    stateShape: JSON.stringify({ operator: 'track' }),
  };
}

function drop<T, S>(
  state: S,
  ctx: Context<TrackOutputs<T, S>, Tracked<S>, { timers: 'silence' }>,
  timestamp: number,
): void {
  ctx.produce('ended', state, { timestamp });
  ctx.state.clear();
  ctx.clearTimer('silence');
}

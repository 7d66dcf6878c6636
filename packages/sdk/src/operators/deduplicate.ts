/**
 * `deduplicate`: of records that mean the same, the first one.
 *
 * Two records with one id are the same if their times are nearer than `within`, whichever came first. The time of one
 * that was passed on is remembered until the watermark has passed it by `within`: then nothing on time can be the same
 * any more. What is late and like nothing that is remembered goes to `late`: what it is like may be forgotten.
 */
import {
  type Computation,
  computation,
  type DeepReadonly,
  type Duration,
  type StreamRecord,
} from '../api.ts';
import { positiveMs } from './duration.ts';
import type { AnyStream, Input } from './input.ts';
import { keyText } from './key-text.ts';
import { refuseRetracted } from './refuse-retracted.ts';
import { refuseUnknownOptions } from './refuse-unknown-options.ts';
import { requireFunction } from './require-function.ts';
import { dropLate } from './windows/pane-output.ts';

export interface DeduplicateOptions<T> {
  /** What makes two records of one key the same; default: that they have one key. */
  readonly by?: ((value: DeepReadonly<T>, record: StreamRecord<T>) => string | number | bigint) | undefined;
  /** How long before or after a record that was passed on, in event time, another one is taken for the same. */
  readonly within: Duration;
}

const OPTIONS = ['by', 'within'];

interface Extras {
  /** By id: the times of what was passed on, the oldest first. */
  maps: { readonly seen: readonly number[] };
  timers: string;
}

export function deduplicate<T>(
  _input: Input<T>,
  options: DeduplicateOptions<T>,
): Computation<AnyStream<T>, { out: T; late: T }> {
  refuseUnknownOptions(options, OPTIONS, 'deduplicate');
  const { by } = options;
  if (by !== undefined) requireFunction(by, 'The function by of deduplicate');
  const withinMs = positiveMs(options.within, 'within');
  return {
    ...computation<AnyStream<T>, { out: T; late: T }, unknown, Extras>({
      processRecord(record, ctx) {
        refuseRetracted(record, 'deduplicate');
        const id =
          by === undefined
            ? ''
            : keyText(by(record.value as DeepReadonly<T>, record as never), 'The function by of deduplicate');
        const seen = ctx.map('seen');
        const { timestamp, late, pane } = record;
        const times = seen.get(id) ?? [];
        if (times.some((time) => Math.abs(timestamp - time) < withinMs)) return;
        if (late) {
          dropLate(ctx, record);
          return;
        }
        const all = [...times, timestamp].sort((one, other) => one - other);
        seen.set(id, all);
        if (all[0] === timestamp) ctx.setTimer(id, timestamp + withinMs);
        ctx.produce('out', record.value as T, { pane });
      },
      processTimer({ tag, time }, ctx) {
        const seen = ctx.map('seen');
        const left = (seen.get(tag) ?? []).filter((each) => each + withinMs > time);
        if (left[0] === undefined) seen.delete(tag);
        else {
          seen.set(tag, left);
          ctx.setTimer(tag, left[0] + withinMs);
        }
      },
    }),
    stateShape: JSON.stringify({ operator: 'deduplicate', seen: 'times' }),
  };
}

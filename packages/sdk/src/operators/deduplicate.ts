/**
 * `deduplicate`: of records that mean the same, the first one.
 *
 * An id is remembered from its first record until the watermark has passed that record's time by `within`; keys
 * that hold nothing any more are gone. A record so old that its id may have been forgotten is late: it is not
 * passed on as if it were new.
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

export interface DeduplicateOptions<T> {
  /** What makes two records of one key the same; default: that they have one key. */
  readonly by?: ((value: DeepReadonly<T>, record: StreamRecord<T>) => string | number | bigint) | undefined;
  /** How long after a record, in event time, another one is taken for the same. */
  readonly within: Duration;
}

const OPTIONS = ['by', 'within'];

interface Extras {
  maps: { readonly seen: number };
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
        if (seen.has(id)) return;
        const pane = record.pane === undefined ? undefined : { pane: record.pane };
        const forgetAt = record.timestamp + withinMs;
        if (ctx.watermark !== undefined && forgetAt <= ctx.watermark) {
          ctx.produce('late', record.value as T, pane);
          ctx.dropLate();
          return;
        }
        seen.set(id, record.timestamp);
        ctx.setTimer(id, forgetAt);
        ctx.produce('out', record.value as T, pane);
      },
      processTimer: ({ tag }, ctx) => ctx.map('seen').delete(tag),
    }),
    stateShape: JSON.stringify({ operator: 'deduplicate' }),
  };
}

/**
 * `table`: a stream of rows as a table that changes, one row a key, and its changes as a stream (upsert and delete).
 *
 * The row of a key is the one with the latest event time, of several the one that came last, whatever order they
 * come in: an older one changes nothing any more. A deletion is remembered until no older row can come on time.
 *
 * Invariants
 *   TB1  the changes of a key follow each other: `before` is what the last one had as `after`.
 *   TB2  after all records of a key its row is that of the latest one, and none if that was a deletion.
 */
import { type Computation, computation, type DeepReadonly, type StreamRecord } from '../api.ts';
import type { AnyStream, Input } from './input.ts';
import { refuseRetracted } from './refuse-retracted.ts';
import { refuseUnknownOptions } from './refuse-unknown-options.ts';
import { requireFunction } from './require-function.ts';
import { dropLate } from './windows/pane-output.ts';

/** A change of one row: null before it was there, null after it is gone. */
export interface Change<T> {
  readonly before: T | null;
  readonly after: T | null;
}

export interface TableOptions<T> {
  /** True for a record that takes the row of its key away. Default: every record puts a row in its place. */
  readonly deletes?: ((value: DeepReadonly<T>, record: StreamRecord<T>) => boolean) | undefined;
}

interface Held<T> {
  /** Null: deleted at this time. */
  readonly row: T | null;
  readonly at: number;
}

export function table<T>(
  _input: Input<T>,
  options: TableOptions<T> = {},
): Computation<AnyStream<T>, { out: Change<T>; late: T }> {
  refuseUnknownOptions(options, ['deletes'], 'table');
  const { deletes } = options;
  if (deletes !== undefined) requireFunction(deletes, 'The function deletes of table');
  return {
    ...computation<AnyStream<T>, { out: Change<T>; late: T }, Held<T>, { timers: 'forget' }>({
      processRecord(record, ctx) {
        refuseRetracted(record, 'table');
        const held = ctx.state.get();
        // With nothing held, a row below the watermark may be older than a deletion that is forgotten.
        if (held === undefined ? record.late : record.timestamp < held.at) {
          if (record.late) dropLate(ctx, record);
          else ctx.produce('late', record.value as T);
          return;
        }
        const isDeleted = deletes?.(record.value as DeepReadonly<T>, record as never) === true;
        const [before, after] = [held?.row ?? null, isDeleted ? null : (record.value as T)];
        ctx.state.set({ row: after, at: record.timestamp });
        if (isDeleted) ctx.setTimer('forget', record.timestamp + 1);
        else if (held?.row === null) ctx.clearTimer('forget');
        if (before !== null || after !== null) ctx.produce('out', { before, after });
      },
      processTimer(_timer, ctx) {
        if (ctx.state.get()?.row === null) ctx.state.clear();
      },
    }),
    stateShape: JSON.stringify({ operator: 'table' }),
  };
}

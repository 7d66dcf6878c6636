/**
 * `sortByTime`: the records of each key in the order of their event times. A record waits until the watermark says
 * that none on time comes before it; those of one time keep the order in which they came, or take that of `by`.
 */
import { type Computation, computation, type DeepReadonly, type Pane, type StreamRecord } from '../api.ts';
import type { AnyStream, Input } from './input.ts';
import { refuseUnknownOptions } from './refuse-unknown-options.ts';
import { requireFunction } from './require-function.ts';
import { dropLate } from './windows/pane-output.ts';

export interface SortByTimeOptions<T> {
  /** Which of several records of one time comes first: the one with the least. Default: the one that came first. */
  readonly by?: ((value: DeepReadonly<T>, record: StreamRecord<T>) => string | number | bigint) | undefined;
}

type Rank = string | number | bigint;
interface Row {
  readonly value: unknown;
  readonly rank?: Rank;
  readonly pane?: Pane;
}
interface Extras {
  /** By time. */
  maps: { readonly rows: readonly Row[] };
  timers: string;
}

export function sortByTime<T>(
  _input: Input<T>,
  options: SortByTimeOptions<T> = {},
): Computation<AnyStream<T>, { out: T; late: T }> {
  refuseUnknownOptions(options, ['by'], 'sortByTime');
  const { by } = options;
  if (by !== undefined) requireFunction(by, 'The function by of sortByTime');
  return {
    ...computation<AnyStream<T>, { out: T; late: T }, unknown, Extras>({
      processRecord(record, ctx) {
        if (record.late) {
          dropLate(ctx, record);
          return;
        }
        const { value, timestamp, pane } = record;
        // Now, not when it is due: a function that fails must set this record aside, not all of its time.
        const rank = by === undefined ? {} : { rank: rankOf(by(value as DeepReadonly<T>, record as never)) };
        const row: Row = { value, ...rank, ...(pane === undefined ? {} : { pane }) };
        const rows = ctx.map('rows');
        rows.set(timestamp, placed(row, rows.get(timestamp) ?? []));
        ctx.setTimer(String(timestamp), timestamp + 1, { hold: timestamp });
      },
      processTimer({ tag }, ctx) {
        const timestamp = Number(tag);
        const rows = ctx.map('rows');
        for (const { value, pane } of rows.get(timestamp) ?? [])
          ctx.produce('out', value as T, { timestamp, pane });
        rows.delete(timestamp);
      },
    }),
    stateShape: JSON.stringify({ operator: 'sortByTime' }),
  };
}

/** Behind all that are not above it. */
function placed(row: Row, rows: readonly Row[]): Row[] {
  const { rank } = row;
  if (rank === undefined) return [...rows, row];
  const at = rows.findIndex((other) => other.rank !== undefined && compare(other.rank, rank) > 0);
  return at === -1 ? [...rows, row] : [...rows.slice(0, at), row, ...rows.slice(at)];
}

function compare(one: Rank, other: Rank): number {
  if (typeof one === 'string' || typeof other === 'string')
    return String(one) < String(other) ? -1 : String(one) > String(other) ? 1 : 0;
  return one < other ? -1 : one > other ? 1 : 0;
}

function rankOf(rank: unknown): Rank {
  if (typeof rank === 'string' || typeof rank === 'bigint') return rank;
  if (typeof rank === 'number' && !Number.isNaN(rank)) return rank;
  throw new TypeError(
    `The function by of sortByTime gave ${typeof rank === 'number' ? rank : `a value of type ${typeof rank}`}; it must give a string, a number or a bigint.`,
  );
}

/**
 * `intervalJoin`: pairs of a left and a right record of one key whose times are no further apart than allowed (N6).
 *
 * A pair is made when the later arriving record of the two arrives, at the later of their times. A row is kept
 * until the watermark says that nothing on time can pair with it any more.
 *
 * Invariants
 *   IJ1  every pair of on-time records with `lower <= right − left <= upper` is made exactly once.
 *   IJ2  a kept row goes when the watermark has passed the last time at which it could pair.
 */
import {
  type Computation,
  type Context,
  computation,
  type DeepReadonly,
  type Duration,
  type StreamRecord,
} from '../api.ts';
import { durationMs } from './duration.ts';
import type { Input } from './input.ts';
import { refuseRetracted } from './refuse-retracted.ts';
import { refuseUnknownOptions } from './refuse-unknown-options.ts';
import { requireFunction } from './require-function.ts';

export interface IntervalJoinOptions<L, R, O> {
  /** Least time from the left record to the right one, inclusive; negative: the right one may come before. */
  readonly lower: Duration;
  /** Greatest time from the left record to the right one, inclusive. */
  readonly upper: Duration;
  /** What a pair becomes; default `{ left, right }`. */
  readonly join?: ((left: DeepReadonly<L>, right: DeepReadonly<R>) => O) | undefined;
}

const OPTIONS = ['lower', 'upper', 'join'];

type Side = 'left' | 'right';
type Outputs<L, R, O> = { out: O; late: L | R };
interface Extras {
  /** By time; rows of one time in the order in which they came. */
  maps: { readonly left: readonly unknown[]; readonly right: readonly unknown[] };
  timers: string;
}

export function intervalJoin<L, R, O = { readonly left: L; readonly right: R }>(
  _left: Input<L>,
  _right: Input<R>,
  options: IntervalJoinOptions<L, R, O>,
): Computation<{ left: L; right: R }, Outputs<L, R, O>> {
  refuseUnknownOptions(options, OPTIONS, 'intervalJoin');
  const bounds = boundsOf(options);
  const { join = (left, right) => ({ left, right }) as O } = options;
  requireFunction(join, 'The function join of intervalJoin');
  return {
    ...computation<{ left: L; right: R }, Outputs<L, R, O>, unknown, Extras>({
      processRecord(record, ctx) {
        refuseRetracted(record, 'intervalJoin');
        if (record.late) {
          ctx.produce('late', record.value as L | R);
          ctx.dropLate();
          return;
        }
        pairUp(record as StreamRecord<unknown, Side>, ctx, bounds, join as never);
        keep(record as StreamRecord<unknown, Side>, ctx, bounds);
      },
      processTimer({ tag }, ctx) {
        const side: Side = tag.startsWith('left') ? 'left' : 'right';
        ctx.map(side).delete(Number(tag.slice(side.length)));
      },
    }),
    stateShape: JSON.stringify({ operator: 'intervalJoin' }),
  };
}

interface Bounds {
  readonly lower: number;
  readonly upper: number;
}

function boundsOf(options: Pick<IntervalJoinOptions<unknown, unknown, unknown>, 'lower' | 'upper'>): Bounds {
  const lower = durationMs(options.lower, 'lower');
  const upper = durationMs(options.upper, 'upper');
  if (lower > upper)
    throw new RangeError(
      `intervalJoin has a lower bound of ${lower} ms above its upper bound of ${upper} ms.`,
    );
  return { lower, upper };
}

type JoinContext = Context<Outputs<unknown, unknown, unknown>, unknown, Extras>;

/** With every row of the other side that is near enough, in the order of their times. */
function pairUp(
  { stream, value, timestamp }: StreamRecord<unknown, Side>,
  ctx: JoinContext,
  { lower, upper }: Bounds,
  join: (left: unknown, right: unknown) => unknown,
): void {
  const isLeft = stream === 'left';
  const from = timestamp + (isLeft ? lower : -upper);
  const to = timestamp + (isLeft ? upper : -lower) + 1;
  for (const [time, rows] of ctx.map(isLeft ? 'right' : 'left').entries({ from, to }))
    for (const row of rows)
      ctx.produce('out', isLeft ? join(value, row) : join(row, value), {
        timestamp: Math.max(timestamp, Number(time)),
      });
}

function keep(
  { stream, value, timestamp }: StreamRecord<unknown, Side>,
  ctx: JoinContext,
  { lower, upper }: Bounds,
): void {
  // What may still pair with it is on time, so at or above the watermark.
  const lastPartner = timestamp + (stream === 'left' ? upper : -lower);
  if (ctx.watermark !== undefined && lastPartner < ctx.watermark) return;
  const rows = ctx.map(stream);
  rows.set(timestamp, [...(rows.get(timestamp) ?? []), value]);
  ctx.setTimer(`${stream}${timestamp}`, lastPartner + 1);
}

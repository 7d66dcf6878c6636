/**
 * `lookup`: each left record with the row that a table had for its key at the record's time (N6).
 *
 * The right input is a table that is read as a whole, again and again: each of its rows carries, as its pane, from when
 * to when it stands for the table. A record whose row is there goes out at once. One without waits until the row has
 * come, or until the watermark says that the table of its time is whole and has none.
 *
 * Owns: map `rows` (from when it stands → row and until when), map `waiting` (time → left rows), for each row the
 * watermark timer `x<start>` at its end, for each time that waits the timer `w<time>` on the watermark, and on the wall
 * clock once its row is there. Of timers of one time `w` fires before `x`: the row is there as long as it is asked for.
 *
 * Invariants
 *   LK1  what a key has at a time is decided once: a row that has stood for a time stays for that time, so the result
 *        of a record depends on neither when it came nor what came beside it.
 *   LK2  every left record on time comes out exactly once, those without a row if the kind asks for it. A late one does
 *        where its row is still there; else it cannot be told any more whether it had one, and it goes to `late`.
 *   LK3  of a row that stays the same one entry is kept, however often the table is read; it goes with its last reading.
 */
import {
  type Computation,
  type Context,
  computation,
  type DeepReadonly,
  type EventTime,
  type Pane,
  type StreamRecord,
} from '../api.ts';
import { sameData } from '../same-data.ts';
import type { Input } from './input.ts';
import type { RightOf } from './join-kind.ts';
import { refuseRetracted } from './refuse-retracted.ts';
import { refuseUnknownOptions } from './refuse-unknown-options.ts';
import { requireFunction } from './require-function.ts';
import { dropLate } from './windows/pane-output.ts';

export type LookupKind = 'inner' | 'left';

export interface LookupOptions<L, R, K extends LookupKind, O> {
  /** `left`: records without a row come out, too, with null in its place; default `inner`. */
  readonly kind?: K | undefined;
  /** What a record and its row become; default `{ left, right }`. */
  readonly join?: ((left: DeepReadonly<L>, right: DeepReadonly<RightOf<R, K>>) => O) | undefined;
}

interface Standing {
  readonly row: unknown;
  readonly end: EventTime;
}
interface Waiting {
  readonly value: unknown;
  readonly pane?: Pane;
}
interface Extras {
  maps: { readonly rows: Standing; readonly waiting: readonly Waiting[] };
  timers: string;
}
type LookupContext = Context<{ out: unknown; late: unknown }, unknown, Extras>;

export function lookup<
  L,
  R,
  K extends LookupKind = 'inner',
  O = { readonly left: L; readonly right: RightOf<R, K> },
>(
  _left: Input<L>,
  _right: Input<R>,
  options: LookupOptions<L, R, K, O> = {},
): Computation<{ left: L; right: R }, { out: O; late: L }> {
  refuseUnknownOptions(options, ['kind', 'join'], 'lookup');
  const { kind = 'inner', join = (left: unknown, right: unknown) => ({ left, right }) } = options;
  if (kind !== 'inner' && kind !== 'left')
    throw new TypeError(`lookup has the kind ${JSON.stringify(kind)}; it is "inner" or "left".`);
  requireFunction(join, 'The function join of lookup');
  const settings: Settings = { join: join as Settings['join'], outer: kind === 'left' };
  return {
    ...computation<{ left: L; right: R }, { out: O; late: L }, unknown, Extras>({
      processRecord(record, ctx) {
        const context = ctx as unknown as LookupContext;
        // It may be late where what it takes back was not, and would then not find what that found.
        refuseRetracted(record, 'lookup');
        if (record.stream === 'right') takeRow(record.value, paneOf(record.pane), context);
        else lookUp(record, context, settings);
      },
      processTimer({ tag }, ctx) {
        const [what, at] = [tag[0], Number(tag.slice(1))];
        if (what === 'x') ctx.map('rows').delete(at);
        else answer(at, ctx as unknown as LookupContext, settings);
      },
    }),
    stateShape: JSON.stringify({ operator: 'lookup' }),
  };
}

interface Settings {
  readonly join: (left: unknown, right: unknown) => unknown;
  readonly outer: boolean;
}

function lookUp(record: StreamRecord, ctx: LookupContext, settings: Settings): void {
  const { value, timestamp: time, pane, late } = record;
  const found = standingAt(time, ctx);
  if (found !== undefined) {
    ctx.produce('out', settings.join(value, found.row), { pane });
    return;
  }
  if (late) {
    dropLate(ctx, record);
    return;
  }
  const waiting = ctx.map('waiting');
  const others = waiting.get(time);
  waiting.set(time, [...(others ?? []), pane === undefined ? { value } : { value, pane }]);
  if (others === undefined) ctx.setTimer(`w${time}`, time + 1, { hold: time });
}

/** What has waited: each time in a call of its own, so that code that fails fails for its records only. */
function answer(time: EventTime, ctx: LookupContext, { join, outer }: Settings): void {
  const waiting = ctx.map('waiting');
  const found = standingAt(time, ctx);
  if (found !== undefined || outer)
    for (const { value, pane } of waiting.get(time) ?? [])
      ctx.produce('out', join(value, found?.row ?? null), { timestamp: time, pane });
  waiting.delete(time);
  ctx.clearTimer(`w${time}`);
  ctx.clearTimer(`w${time}`, 'wall');
}

function standingAt(time: EventTime, ctx: LookupContext): Standing | undefined {
  for (const [, standing] of ctx.map('rows').entries({ to: time + 1, reverse: true, limit: 1 }))
    return time < standing.end ? standing : undefined;
  return undefined;
}

function takeRow(
  row: unknown,
  { start, end }: { start: EventTime; end: EventTime },
  ctx: LookupContext,
): void {
  const rows = ctx.map('rows');
  let last: readonly [EventTime, Standing] | undefined;
  for (const [from, standing] of rows.entries({ reverse: true, limit: 1 })) last = [Number(from), standing];
  if (last !== undefined && last[1].end >= end) {
    if (!sameData(last[1].row, row))
      ctx.log.warn(
        `The table has several rows for the key ${JSON.stringify(ctx.key)}; the first one counts.`,
      );
    return;
  }
  if (ctx.watermark !== undefined && ctx.watermark >= end) return;
  const stays = last !== undefined && last[1].end >= start && sameData(last[1].row, row);
  // LK1: what the last one has stood for it keeps.
  const from = stays ? (last as readonly [EventTime, Standing])[0] : Math.max(start, last?.[1].end ?? start);
  rows.set(from, { row, end });
  ctx.setTimer(`x${from}`, Math.min(end, Number.MAX_SAFE_INTEGER));
  for (const [time] of ctx.map('waiting').entries({ from: Math.max(from, start), to: end })) {
    ctx.setTimer(`w${time}`, ctx.now, { clock: 'wall', hold: Number(time) });
  }
}

function paneOf(pane: { readonly start: EventTime; readonly end: EventTime } | undefined) {
  if (pane !== undefined) return pane;
  throw new TypeError(
    'lookup takes rows of a table that is read as a whole, and this one does not say from when to when it stands. Wire a "Postgres table" or a "File as table" to its right input, at most with map, filter, flatMap or union between them.',
  );
}

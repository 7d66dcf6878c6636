/**
 * `lookup`: each left record with the row that a table had for its key at the record's time (N6).
 *
 * The right input is a table that is read as a whole, again and again. Of each row it says once from when it stands and,
 * once it has gone, until when (`table-rows.ts`); how far the table is known `ctx.table` says. A record of a known time
 * goes out at once, with its row or without one. Any other waits: it asks again on the wall clock, less and less often,
 * and the watermark decides at last.
 *
 * Owns: map `rows` and its timers (`table-rows.ts`), map `waiting` (time → left rows), for each time that waits the timer
 * `w<time>` on the watermark and on the wall clock. Of timers of one time `w` fires before those of rows: a row is there
 * as long as it is asked for.
 *
 * Invariants
 *   LK1  what a key has at a time is decided once: a row that has stood for a time stays for that time, so the result
 *        of a record depends on neither when it came nor what came beside it.
 *   LK2  every left record on time comes out exactly once, those without a row if the kind asks for it. A late one does
 *        where its row is still there; else it cannot be told any more whether it had one, and it goes to `late`.
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
import type { Input } from './input.ts';
import type { RightOf } from './join-kind.ts';
import { refuseRetracted } from './refuse-retracted.ts';
import { refuseUnknownOptions } from './refuse-unknown-options.ts';
import { requireFunction } from './require-function.ts';
import { forgetRows, type Row, rowAt, takeRow } from './table-rows.ts';
import { dropLate } from './windows/pane-output.ts';

export type LookupKind = 'inner' | 'left';

export interface LookupOptions<L, R, K extends LookupKind, O> {
  /** `left`: records without a row come out, too, with null in its place; default `inner`. */
  readonly kind?: K | undefined;
  /** What a record and its row become; default `{ left, right }`. */
  readonly join?: ((left: DeepReadonly<L>, right: DeepReadonly<RightOf<R, K>>) => O) | undefined;
}

interface Waiting {
  readonly value: unknown;
  readonly pane?: Pane;
  /** Wall time since when it waits. */
  readonly since?: EventTime;
}
interface Extras {
  maps: { readonly rows: readonly Row[]; readonly waiting: readonly Waiting[] };
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
        if (record.stream === 'left') lookUp(record, context, settings);
        else {
          const pane: Pane = paneOf(record.pane);
          takeRow(record.value, pane, ctx.table('right'), context);
          // It may have been waited for: those who did are asked at once.
          for (const [time] of pane.index > 0
            ? []
            : context.map('waiting').entries({ from: pane.start, to: pane.end }))
            askAgain(Number(time), ctx.now, context);
        }
      },
      processTimer({ tag, clock, time }, ctx) {
        const context = ctx as unknown as LookupContext;
        const at = Number(tag.slice(1));
        if (tag[0] === 'x') forgetRows(at, time, ctx.table('right'), context);
        else answer(at, clock === 'watermark', context, settings);
      },
    }),
    stateShape: JSON.stringify({ operator: 'lookup', rows: 'changes' }),
  };
}

interface Settings {
  readonly join: (left: unknown, right: unknown) => unknown;
  readonly outer: boolean;
}

function lookUp(record: StreamRecord, ctx: LookupContext, { join, outer }: Settings): void {
  const { value, timestamp: time, pane, late } = record;
  const { row, isSure } = rowAt(time, ctx.table('right'), ctx);
  if (isSure && row !== undefined) {
    ctx.produce('out', join(value, row.row), { pane });
    return;
  }
  if (late) {
    dropLate(ctx, record);
    return;
  }
  if (isSure) {
    if (outer) ctx.produce('out', join(value, null), { pane });
    return;
  }
  const waiting = ctx.map('waiting');
  const others = waiting.get(time);
  const since = others?.[0]?.since ?? ctx.now;
  waiting.set(time, [...(others ?? []), { value, since, ...(pane && { pane }) }]);
  if (others !== undefined) return;
  ctx.setTimer(`w${time}`, time + 1, { hold: time });
  askAgain(time, ctx.now + SOON_MS, ctx);
}

/** So long after it has begun to wait, and later ever less often. */
const SOON_MS = 25;
const SELDOM_MS = 5_000;

function askAgain(time: EventTime, at: EventTime, ctx: LookupContext): void {
  ctx.setTimer(`w${time}`, at, { clock: 'wall', hold: time });
}

/** What has waited: each time in a call of its own, so that code that fails fails for its records only. */
function answer(time: EventTime, isLast: boolean, ctx: LookupContext, { join, outer }: Settings): void {
  const waiting = ctx.map('waiting');
  const those = waiting.get(time) ?? [];
  const { row, isSure } = rowAt(time, ctx.table('right'), ctx);
  if (!isSure && !isLast) {
    const waited = ctx.now - (those[0]?.since ?? ctx.now);
    askAgain(time, ctx.now + Math.min(SELDOM_MS, Math.max(SOON_MS, Math.ceil(waited / 4))), ctx);
    return;
  }
  if (row !== undefined || outer)
    for (const { value, pane } of those)
      ctx.produce('out', join(value, row?.row ?? null), { timestamp: time, pane });
  waiting.delete(time);
  ctx.clearTimer(`w${time}`);
  ctx.clearTimer(`w${time}`, 'wall');
}

function paneOf(pane: Pane | undefined): Pane {
  if (pane !== undefined) return pane;
  throw new TypeError(
    'lookup takes rows of a table that is read as a whole, and this one does not say from when to when it stands. Wire a "Postgres table" or a "File as table" to its right input, at most with map, filter, flatMap or union between them.',
  );
}

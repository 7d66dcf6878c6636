/**
 * `save`: what came in an interval of event time, as one record, so that the sink behind it writes whole intervals (D8).
 *
 * Owns: map `rows` (time → values, as they came), map `shown` (end → panes so far, only with allowed lateness), the
 * timer `<end>` of each interval, and with lateness `c<end>`, which forgets it.
 *
 * Invariant SV1: each record that is not dropped late is in exactly one output, that of its interval: in the order of
 * event times, those of one time as they came; a late one by itself.
 */
import { type Computation, type Context, computation, type Duration, type EventTime } from '../api.ts';
import { nonNegativeMs, positiveMs } from './duration.ts';
import type { AnyStream, Input } from './input.ts';
import { refuseRetracted } from './refuse-retracted.ts';
import { refuseUnknownOptions } from './refuse-unknown-options.ts';
import { dropLate, holdOf, isExpired } from './windows/pane-output.ts';
import { slidingSlices } from './windows/slices.ts';
import { tumbling } from './windows/window.ts';

export interface SaveOptions {
  /** One record a key for each stretch of event time of this length that has any of it. */
  readonly every: Duration;
  /** How long after its end a stretch still takes late records; default 0. */
  readonly allowedLateness?: Duration | undefined;
}

interface Extras {
  maps: { readonly rows: readonly unknown[]; readonly shown: number };
  timers: string;
}
type SaveContext = Context<{ out: unknown; late: unknown }, unknown, Extras>;

export function save<T>(
  _input: Input<T>,
  options: SaveOptions,
): Computation<AnyStream<T>, { out: readonly T[]; late: T }> {
  refuseUnknownOptions(options, ['every', 'allowedLateness'], 'save');
  const everyMs = positiveMs(options.every, 'every');
  const latenessMs = nonNegativeMs(options.allowedLateness ?? 0, 'allowedLateness');
  const slices = slidingSlices(tumbling(everyMs));
  return {
    ...computation<AnyStream<T>, { out: readonly T[]; late: T }, unknown, Extras>({
      processRecord(record, given) {
        const ctx = given as unknown as SaveContext;
        refuseRetracted(record, 'save');
        const { timestamp: time, value, late } = record;
        const end = slices.lastEnd(slices.sliceOf(time) as EventTime);
        if (late && isExpired(end, latenessMs, ctx.watermark)) dropLate(ctx, record);
        else if (late && ctx.map('shown').has(end)) show([value], end, 'late', ctx);
        else {
          const rows = ctx.map('rows');
          rows.set(time, [...(rows.get(time) ?? []), value]);
          ctx.setTimer(String(end), end, holdOf(end));
        }
      },
      processTimer({ tag, time }, given) {
        const ctx = given as unknown as SaveContext;
        const end = Number(tag.replace('c', ''));
        if (!tag.startsWith('c')) showAll(end, ctx);
        else if (isExpired(end, latenessMs, time)) ctx.map('shown').delete(end);
        else armForgetting(end, ctx);
      },
    }),
    stateShape: JSON.stringify({ operator: 'save', everyMs }),
  };

  function showAll(end: EventTime, ctx: SaveContext): void {
    const values: unknown[] = [];
    for (const [, each] of ctx.map('rows').entries({ from: end - everyMs, to: end })) values.push(...each);
    if (values.length > 0) show(values, end, 'on-time', ctx);
    ctx.map('rows').deleteRange(end - everyMs, end);
  }

  function show(
    values: readonly unknown[],
    end: EventTime,
    timing: 'on-time' | 'late',
    ctx: SaveContext,
  ): void {
    const shown = ctx.map('shown');
    const index = shown.get(end) ?? 0;
    const last = isExpired(end, latenessMs, ctx.watermark);
    ctx.produce('out', values, {
      timestamp: end - 1,
      pane: { start: end - everyMs, end, index, timing, last },
    });
    if (last) return;
    shown.set(end, index + 1);
    if (index === 0) armForgetting(end, ctx);
  }

  function armForgetting(end: EventTime, ctx: SaveContext): void {
    ctx.setTimer(`c${end}`, Math.min(end + latenessMs, Number.MAX_SAFE_INTEGER));
  }
}

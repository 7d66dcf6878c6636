/** The watermark strip: where all watermarks are on one axis of event time, and where the clock on the wall is. */
import type { View } from '@millrace/protocol/api';

export interface Tick {
  readonly node: string;
  /** UTC ms of event time. */
  readonly time: number;
  /** 0 at the axis's left end, 1 at its right. */
  readonly at: number;
}

export interface Strip {
  readonly ticks: readonly Tick[];
  readonly from: number;
  /** Event time at the right end; where that is the clock on the wall, `nowAt` is 1. */
  readonly to: number;
  /** Where the clock on the wall is; undefined where it would push all watermarks into a corner. */
  readonly nowAt: number | undefined;
  /** The node whose watermark is the oldest; undefined where all are level. */
  readonly slowest: string | undefined;
  readonly apartMs: number;
  /** How many have no place on the axis (W4). */
  readonly idle: number;
  readonly notYet: number;
  readonly ended: number;
}

/** However small the differences are, this much of event time is shown: else noise would fill the strip. */
const LEAST_SPAN_MS = 10_000;
/** Less apart than this, nobody is slow. */
const APART_MS = 1_000;
/** So far behind the clock on the wall, data is of another time, and its own newest is the axis's end. */
const OTHER_TIME_MS = 60_000;

/** Undefined while nothing runs. */
export function stripOf(view: View | undefined): Strip | undefined {
  if (view === undefined || view.nodes.length === 0) return undefined;
  const counts = { idle: 0, 'not-yet': 0, ended: 0, at: 0 };
  const known: { readonly node: string; readonly time: number }[] = [];
  for (const { node, watermark } of view.nodes) {
    counts[watermark.kind]++;
    if (watermark.kind === 'at') known.push({ node, time: watermark.time });
  }
  const rest = { idle: counts.idle, notYet: counts['not-yet'], ended: counts.ended };
  const [first] = known;
  if (first === undefined)
    return { ticks: [], from: 0, to: 0, nowAt: undefined, slowest: undefined, apartMs: 0, ...rest };
  const slowest = known.reduce((a, b) => (b.time < a.time ? b : a), first);
  const newest = Math.max(...known.map(({ time }) => time));
  const apartMs = newest - slowest.time;
  const now = view.at;
  const isOfNow = now !== undefined && now - newest <= Math.max(OTHER_TIME_MS, apartMs);
  const to = isOfNow ? Math.max(newest, now) : newest;
  const from = Math.min(slowest.time, to - LEAST_SPAN_MS);
  const placeOf = (time: number): number => (time - from) / (to - from);
  return {
    ticks: known.map(({ node, time }) => ({ node, time, at: placeOf(time) })),
    from,
    to,
    nowAt: isOfNow ? placeOf(now) : undefined,
    slowest: apartMs >= APART_MS ? slowest.node : undefined,
    apartMs,
    ...rest,
  };
}

/** The ticks so near to a place on the axis that they are meant by it; the nearest first. */
export function ticksNear({ ticks }: Pick<Strip, 'ticks'>, at: number, reach: number): readonly Tick[] {
  const away = (tick: Tick): number => Math.abs(tick.at - at);
  return ticks.filter((tick) => away(tick) <= reach).sort((a, b) => away(a) - away(b));
}

/** Ticks of the watermark strip: one event-time axis, the newest watermark at the right. */
import type { View } from '@millrace/protocol/api';

export interface Tick {
  readonly node: string;
  /** 0 at the oldest shown, 1 at the newest. */
  readonly at: number;
}

export interface Strip {
  readonly ticks: readonly Tick[];
  readonly from: number;
  readonly to: number;
  /** The node whose watermark is the oldest. */
  readonly slowest: string | undefined;
}

/** However small the differences are, this much of event time is shown: else noise would fill the strip. */
const LEAST_SPAN_MS = 10_000;

export function stripOf(view: View | undefined): Strip | undefined {
  const known = (view?.nodes ?? []).flatMap(({ node, watermark }) =>
    watermark.kind === 'at' ? [{ node, time: watermark.time }] : [],
  );
  const [first] = known;
  if (first === undefined) return undefined;
  const slowest = known.reduce((a, b) => (b.time < a.time ? b : a), first);
  const to = Math.max(...known.map(({ time }) => time));
  const from = Math.min(slowest.time, to - LEAST_SPAN_MS);
  const ticks = known.map(({ node, time }) => ({ node, at: (time - from) / (to - from) }));
  return { ticks, from, to, slowest: slowest.time === to ? undefined : slowest.node };
}

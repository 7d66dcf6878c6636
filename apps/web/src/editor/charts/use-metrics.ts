/** The numbers of some time back, and when was deployed; asked for again as they are stored. */
import { useCallback, useEffect } from 'react';
import { call } from '../../api/call.ts';
import { type Loading, useLoad } from '../../api/use-load.ts';
import type { MetricsAnswer } from './metric-charts.ts';

export const RANGES = {
  quarter: { ms: 15 * 60_000, per: 'second', stepMs: 1_000 },
  hour: { ms: 60 * 60_000, per: 'second', stepMs: 1_000 },
  day: { ms: 24 * 60 * 60_000, per: 'minute', stepMs: 60_000 },
  week: { ms: 7 * 24 * 60 * 60_000, per: 'minute', stepMs: 60_000 },
} as const;
export type RangeId = keyof typeof RANGES;

export interface DeployMark {
  /** UTC ms. */
  readonly at: number;
  readonly version: number;
}

export interface Metrics {
  /** What it was asked of. */
  readonly of: string;
  readonly range: RangeId;
  readonly answer: MetricsAnswer;
  readonly deploys: readonly DeployMark[];
}

/** As often as the server stores what it has seen. */
const EVERY_MS = 10_000;
const EVERY_LONG_MS = 60_000;

/** `of`: a node, a stream, or `pipeline`. */
export function useMetrics(pipeline: string, range: RangeId, of: string): Loading<Metrics> {
  const metrics = useLoad(
    useCallback(
      async (signal: AbortSignal): Promise<Metrics> => {
        const { ms, per } = RANGES[range];
        const to = Date.now();
        const params = { pipeline };
        const [answer, { items }] = await Promise.all([
          call('deployments.metrics', { params, query: { from: to - ms, to, per, of }, signal }),
          call('deployments.history', { params, query: { limit: 50 }, signal }),
        ]);
        return {
          of,
          range,
          answer,
          deploys: items.map(({ deployedAt, version }) => ({ at: deployedAt, version })),
        };
      },
      [pipeline, range, of],
    ),
  );
  const { reload } = metrics;
  useEffect(() => {
    const timer = setInterval(reload, RANGES[range].per === 'second' ? EVERY_MS : EVERY_LONG_MS);
    return () => clearInterval(timer);
  }, [range, reload]);
  return metrics;
}

/** Numbers of the last days: one opaque blob per deployment and span, never a row per value. */
import { DELETE_SPANS, GET_SPANS, PUT_SPAN } from '../queries/metrics.ts';
import type { Database } from '../sql/database.ts';

/** In s: what a blob covers. */
export type Resolution = 10 | 60;

export interface Span {
  /** Wall time in ms, a multiple of the resolution. */
  readonly startsAt: number;
  readonly body: Uint8Array;
}

export interface MetricsStore {
  put(pipeline: string, resolution: Resolution, span: Span): Promise<void>;
  /** `from <= startsAt < to`, oldest first. */
  read(
    pipeline: string,
    resolution: Resolution,
    range: { readonly from: number; readonly to: number; readonly limit: number },
  ): Promise<readonly Span[]>;
  forget(resolution: Resolution, before: number): Promise<void>;
}

export function metricsStore(database: Database): MetricsStore {
  return {
    async put(pipeline, resolution, { startsAt, body }) {
      await database.change(PUT_SPAN, [pipeline, resolution, new Date(startsAt), Buffer.from(body)]);
    },
    async read(pipeline, resolution, { from, to, limit }) {
      const values = [pipeline, resolution, new Date(from), new Date(to), limit];
      const rows = await database.rows<{ startsAt: Date; body: Buffer }>(GET_SPANS, values);
      return rows.map(({ startsAt, body }) => ({ startsAt: startsAt.getTime(), body }));
    },
    async forget(resolution, before) {
      await database.change(DELETE_SPANS, [resolution, new Date(before)]);
    },
  };
}

/** Stored numbers over HTTP: the spans of a range joined into one series a node and measure. */
import type { MetricsStore, Store } from '@millrace/store';
import type { Feature } from '../http/handler.ts';
import { notFound, Problem } from '../http/problem.ts';
import { MEASURES, unpackColumns, unpackRolled, WHOLE } from './metric-columns.ts';

/** An answer of a second's resolution has at most so many spans: an hour. */
const MOST_SPANS = 360;
const MOST_MINUTES = 7 * 24 * 60;

export interface MetricsOptions {
  readonly metrics: MetricsStore;
  readonly store: Pick<Store, 'catalog'>;
}

type Series = Record<string, Record<string, (number | null)[]>>;

export function metricsFeature({ metrics, store }: MetricsOptions): Feature {
  return (bind) => {
    bind('deployments.metrics', async ({ workspace, params: { pipeline }, query: { from, to, per } }) => {
      if ((await store.catalog.entries.get(workspace, pipeline)) === undefined) throw notFound('pipeline');
      if (![from, to].every((time) => Math.abs(time) < 8e15))
        throw new Problem(400, 'invalid', 'from and to are times in UTC ms.');
      return per === 'second'
        ? seconds(metrics, pipeline, { from, to, limit: MOST_SPANS })
        : minutes(metrics, pipeline, { from, to, limit: MOST_MINUTES });
    });
  };
}

type Range = Parameters<MetricsStore['read']>[2];

async function seconds(metrics: MetricsStore, pipeline: string, range: Range) {
  const at: number[] = [];
  const nodes: Series = {};
  for (const { body } of await metrics.read(pipeline, 10, range)) {
    const span = unpackColumns(body);
    for (const [node, measures] of Object.entries(span.nodes))
      for (const measure of MEASURES)
        if (measures[measure] !== undefined) append(nodes, node, measure, at.length, measures[measure]);
    at.push(...span.at);
    fill(nodes, at.length);
  }
  return { at, ...split(nodes) };
}

async function minutes(metrics: MetricsStore, pipeline: string, range: Range) {
  const at: number[] = [];
  const [nodes, least, greatest]: Series[] = [{}, {}, {}];
  for (const { startsAt, body } of await metrics.read(pipeline, 60, range)) {
    const { samples, nodes: rolled } = unpackRolled(body);
    for (const [node, measures] of Object.entries(rolled))
      for (const measure of MEASURES) {
        const known = measures[measure];
        if (known === undefined) continue;
        append(nodes!, node, measure, at.length, [known.sum / (known.known ?? samples)]);
        append(least!, node, measure, at.length, [known.min]);
        append(greatest!, node, measure, at.length, [known.max]);
      }
    at.push(startsAt);
    for (const series of [nodes!, least!, greatest!]) fill(series, at.length);
  }
  return {
    at,
    ...split(nodes!),
    least: split(least!).nodes,
    greatest: split(greatest!).nodes,
    leastOfStreams: split(least!).streams,
    greatestOfStreams: split(greatest!).streams,
  };
}

/** Ids say what they are of. */
function split(all: Series): { nodes: Series; streams: Series; pipeline: Series[string] } {
  const { [WHOLE]: pipeline = {}, ...rest } = all;
  const entries = Object.entries(rest);
  return {
    nodes: Object.fromEntries(entries.filter(([id]) => !id.startsWith('s_'))),
    streams: Object.fromEntries(entries.filter(([id]) => id.startsWith('s_'))),
    pipeline,
  };
}

/** A node that came later has nothing before. */
function append(series: Series, node: string, measure: string, before: number, values: (number | null)[]) {
  series[node] ??= {};
  series[node][measure] ??= [];
  const list = series[node][measure];
  // Of a span in between nothing may be known.
  while (list.length < before) list.push(null);
  list.push(...values);
}

/** A node that is gone has nothing after. */
function fill(series: Series, length: number): void {
  for (const measures of Object.values(series))
    for (const list of Object.values(measures)) while (list.length < length) list.push(null);
}

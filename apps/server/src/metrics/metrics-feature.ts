/** Stored numbers over HTTP: the spans of a range joined into one series a node and measure. */
import type { MetricsStore, Span, Store } from '@millrace/store';
import type { Feature } from '../http/handler.ts';
import { notFound, Problem } from '../http/problem.ts';
import { type Columns, MEASURES, unpackColumns, unpackRolled, WHOLE } from './metric-columns.ts';
import type { MetricsRecorder } from './metrics-recorder.ts';

/** An answer of a second's resolution has at most so many spans: an hour. */
const MOST_SPANS = 360;
const SPAN_MS = 10_000;
const MOST_MINUTES = 7 * 24 * 60;

export interface MetricsOptions {
  readonly metrics: MetricsStore;
  readonly store: Pick<Store, 'catalog'>;
  /** What is not stored yet, so that a series goes on to now. */
  readonly recent: MetricsRecorder['recent'];
}

type Series = Record<string, Record<string, (number | null)[]>>;

export function metricsFeature({ metrics, store, recent }: MetricsOptions): Feature {
  return (bind) => {
    bind('deployments.metrics', async ({ workspace, params: { pipeline }, query: { from, to, per, of } }) => {
      if ((await store.catalog.entries.get(workspace, pipeline)) === undefined) throw notFound('pipeline');
      if (![from, to].every((time) => Math.abs(time) < 8e15))
        throw new Problem(400, 'invalid', 'from and to are times in UTC ms.');
      const ids = of?.split(',');
      if (per === 'minute')
        return minutes(await metrics.read(pipeline, 60, { from, to, limit: MOST_MINUTES }), ids);
      const stored = await metrics.read(pipeline, 10, { from, to, limit: MOST_SPANS });
      const last = (stored.at(-1)?.startsAt ?? Number.NEGATIVE_INFINITY) + SPAN_MS;
      const unstored = recent(pipeline).filter(
        ({ at: [first = 0] }) => first >= Math.max(from, last) && first < to,
      );
      return seconds(stored, unstored, ids);
    });
  };
}

async function seconds(
  stored: readonly Span[],
  unstored: readonly Columns[],
  ids: readonly string[] | undefined,
) {
  const at: number[] = [];
  const nodes: Series = {};
  const add = (span: Columns): void => {
    for (const [node, measures] of Object.entries(span.nodes))
      for (const measure of MEASURES)
        if (measures[measure] !== undefined) append(nodes, node, measure, at.length, measures[measure]);
    at.push(...span.at);
    fill(nodes, at.length);
  };
  for (const [i, { body }] of stored.entries()) {
    add(unpackColumns(body, ids));
    await othersTurn(i);
  }
  for (const span of unstored) add(onlyOf(span, ids));
  return { at, ...split(nodes) };
}

async function minutes(stored: readonly Span[], ids: readonly string[] | undefined) {
  const at: number[] = [];
  const [nodes, least, greatest]: Series[] = [{}, {}, {}];
  for (const [i, { startsAt, body }] of stored.entries()) {
    await othersTurn(i);
    const { samples, nodes: rolled } = unpackRolled(body, ids);
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

/** Spans of many nodes take their time: whoever else asks the server something is not to wait for all of them. */
async function othersTurn(done: number): Promise<void> {
  if (done % 20 === 19) await new Promise((resolve) => setImmediate(resolve));
}

const onlyOf = ({ at, nodes }: Columns, ids: readonly string[] | undefined): Columns => ({
  at,
  nodes:
    ids === undefined ? nodes : Object.fromEntries(Object.entries(nodes).filter(([id]) => ids.includes(id))),
});

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

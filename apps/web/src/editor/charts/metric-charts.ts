/** Which charts there are of a node, a stream or the whole pipeline, and their numbers out of an answer. Pure. */
import type { AnswerOf, RouteOf } from '@millrace/protocol/api';
import type { chartWords } from '../../text/strings/charts.ts';

export type MetricsAnswer = Pick<
  AnswerOf<RouteOf<'deployments.metrics'>>,
  'at' | 'nodes' | 'streams' | 'pipeline'
>;
export type Measure = keyof typeof chartWords.series;
export type ChartId = keyof typeof chartWords.charts;
export type Unit = 'rate' | 'span' | 'count' | 'bytes';

export interface ChartSpec {
  readonly id: ChartId;
  readonly unit: Unit;
  readonly measures: readonly Measure[];
}

export type Subject =
  | { readonly kind: 'node' | 'stream'; readonly id: string }
  | { readonly kind: 'pipeline' };

export const CHARTS: Readonly<Record<Subject['kind'], readonly ChartSpec[]>> = {
  node: [
    { id: 'rates', unit: 'rate', measures: ['inRate', 'outRate'] },
    { id: 'lag', unit: 'span', measures: ['lagMs', 'workLagMs'] },
    { id: 'latency', unit: 'span', measures: ['latencyP50Ms', 'latencyP95Ms', 'latencyP99Ms'] },
    { id: 'backlog', unit: 'count', measures: ['backlog'] },
  ],
  stream: [
    { id: 'flow', unit: 'rate', measures: ['rate'] },
    { id: 'inFlight', unit: 'count', measures: ['inFlight'] },
  ],
  pipeline: [
    { id: 'bundles', unit: 'rate', measures: ['bundleRate'] },
    { id: 'commit', unit: 'span', measures: ['commitP50Ms', 'commitP95Ms', 'commitP99Ms'] },
    { id: 'unfolded', unit: 'bytes', measures: ['unfoldedBytes'] },
  ],
};

type Values = readonly (number | null)[];

export interface Curves {
  /** UTC ms, going up. */
  readonly at: readonly number[];
  readonly of: ReadonlyMap<Measure, Values>;
}

/** Of one subject, with a place for nothing wherever samples are missing: a gap is shown as a gap. */
export function curvesOf(answer: MetricsAnswer, subject: Subject, stepMs: number): Curves {
  const measured = measuredOf(answer, subject) ?? {};
  const at: number[] = [];
  /** For each entry of `at`, where its numbers stand; -1: nowhere. */
  const from: number[] = [];
  answer.at.forEach((time, i) => {
    const before = answer.at[i - 1];
    if (before !== undefined && time - before > MISSING_AFTER_STEPS * stepMs) {
      at.push(before + stepMs);
      from.push(-1);
    }
    at.push(time);
    from.push(i);
  });
  const of = new Map<Measure, Values>();
  for (const [measure, values] of Object.entries(measured))
    of.set(
      measure as Measure,
      from.map((i) => values[i] ?? null),
    );
  return { at, of };
}

/** Samples are not taken on the dot. */
const MISSING_AFTER_STEPS = 4;

function measuredOf({ nodes, streams, pipeline }: MetricsAnswer, subject: Subject) {
  if (subject.kind === 'pipeline') return pipeline;
  return (subject.kind === 'node' ? nodes : streams)[subject.id];
}

/** The charts of which there is anything to show. */
export const chartsThatShow = ({ of }: Curves, kind: Subject['kind']): readonly ChartSpec[] =>
  CHARTS[kind].filter(({ measures }) =>
    measures.some((measure) => of.get(measure)?.some((value) => value !== null)),
  );

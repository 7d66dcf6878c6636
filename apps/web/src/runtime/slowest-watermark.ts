/** What of a worker's figures is worked out in the page. Pure. */
import type { AnswerOf, RouteOf } from '@millrace/protocol/api';

export type Runtime = AnswerOf<RouteOf<'runtime.get'>>;
export type WorkerRuntime = Runtime['workers'][number];
type Watermark = WorkerRuntime['watermarks'][string];

export interface SlowestWatermark {
  readonly node: string;
  readonly watermark: Watermark;
}

/**
 * The one that everything behind it waits for: not yet before any time, the earliest time before idle and ended.
 * `nodes`: those to look at; a sink's watermark is the engine host's, and a worker never has one.
 */
export function slowestWatermark(
  { watermarks }: WorkerRuntime,
  nodes: ReadonlyMap<string, string>,
): SlowestWatermark | undefined {
  const own = Object.entries(watermarks).filter(([node]) => nodes.has(node));
  const all = own.map(([node, watermark]) => ({ node, watermark }));
  return all.sort(
    (a, b) => rank(a.watermark) - rank(b.watermark) || timeOf(a.watermark) - timeOf(b.watermark),
  )[0];
}

const RANKS = { 'not-yet': 0, at: 1, idle: 2, ended: 3 } as const;
const rank = ({ kind }: Watermark): number => RANKS[kind];
const timeOf = (watermark: Watermark): number => (watermark.kind === 'at' ? watermark.time : 0);

/** Share of one processor between two answers; undefined where that cannot be said of the same process. */
export function cpuShare(before: Runtime | undefined, now: Runtime, slot: number): number | undefined {
  const of = (runtime: Runtime | undefined) => runtime?.workers.find((worker) => worker.slot === slot);
  const [was, is] = [of(before), of(now)];
  if (was?.cpuSeconds === undefined || is?.cpuSeconds === undefined || before === undefined) return undefined;
  const seconds = (now.at - before.at) / 1_000;
  if (was.startedAt !== is.startedAt || seconds <= 0) return undefined;
  return Math.max(0, (is.cpuSeconds - was.cpuSeconds) / seconds);
}

import type { RuntimeView, WorkerView } from '@millrace/engine';
import type { HostAnswer, HostRequest } from '@millrace/protocol/control';
import { processUsage } from './process-usage.ts';
import { Refusal, type RequestContext } from './request-context.ts';

type Answer = HostAnswer<'runtime'>;

export async function runtimeOf(
  { pipeline }: HostRequest<'runtime'>,
  { runner }: RequestContext,
): Promise<Answer> {
  const active = runner(pipeline)?.active;
  const view = active?.run.runtime();
  const progress = active?.run.progress();
  if (active === undefined || view === undefined || progress === undefined)
    throw new Refusal('not-running', 'The pipeline does not run.');
  const { commits, nodes } = progress;
  const read = nodes.filter(({ kind }) => kind === 'injector').reduce((sum, { outRate }) => sum + outRate, 0);
  return {
    at: progress.at,
    since: active.beganAt,
    version: active.version,
    ...totals(view),
    imbalances: [...view.imbalances],
    busiestKeys: view.busiestKeys.flatMap(({ node, ...key }) => {
      const found = nodes[node];
      return found === undefined ? [] : [{ node: found.node, ...key }];
    }),
    remembered: view.remembered.flatMap(({ node, ...counts }) => {
      const found = nodes[node];
      return found === undefined ? [] : [{ node: found.node, ...counts }];
    }),
    ...(view.weak !== undefined && { weak: view.weak }),
    commits: {
      ...commits,
      ...(commits.bundleRate > 0 ? { recordsPerBundle: read / commits.bundleRate } : {}),
    },
    ...intervalsOf(
      view,
      nodes.map(({ node }) => node),
    ),
    workers: await Promise.all(
      view.workers.map((worker) =>
        told(
          worker,
          // A sink promises nothing on a worker.
          nodes.map(({ node, kind }) => (kind === 'sink' ? undefined : node)),
        ),
      ),
    ),
  };
}

function totals({ hostSequencer, position, unfoldedBytes, undeliveredBytes, folds }: RuntimeView) {
  const { count, lastAt, lastMs } = folds;
  return {
    sequencer: hostSequencer,
    position,
    unfoldedBytes,
    undeliveredBytes,
    folds: {
      count,
      ...(lastAt === undefined ? {} : { lastAt }),
      ...(lastMs === undefined ? {} : { lastMs }),
    },
  };
}

/** Hashes as people write them; where all end nothing is written. */
const hashOf = (high: number): string => high.toString(16).padStart(8, '0');
const endOf = (high: number): { to?: string } => (high >= 2 ** 32 ? {} : { to: hashOf(high) });

function intervalsOf(
  { intervals, move, goal }: RuntimeView,
  nodes: readonly string[],
): Pick<Answer, 'intervals' | 'move' | 'goal'> {
  const named = (indices: readonly number[]) => indices.flatMap((index) => nodes[index] ?? []);
  return {
    intervals: intervals.map((group) => ({
      nodes: named(group.nodes),
      cut: group.cut,
      intervals: group.intervals.map(({ from, to, slot }) => ({ from: hashOf(from), ...endOf(to), slot })),
    })),
    ...(goal !== undefined && { goal }),
    ...(move !== undefined && {
      move: { ...move, nodes: named(move.nodes), from: hashOf(move.from), to: undefined, ...endOf(move.to) },
    }),
  };
}

async function told(
  { pid, sequencer, startedAt, lastEnd, watermarks, ...worker }: WorkerView,
  nodes: readonly (string | undefined)[],
): Promise<Answer['workers'][number]> {
  const usage = pid === undefined ? undefined : await processUsage(pid);
  return {
    ...worker,
    ...(sequencer === undefined ? {} : { sequencer }),
    ...(startedAt === undefined ? {} : { startedAt }),
    ...(lastEnd === undefined ? {} : { lastEnd }),
    ...usage,
    watermarks: Object.fromEntries(
      nodes.flatMap((node, index) => {
        const watermark = watermarks[index];
        return node === undefined || watermark === undefined ? [] : [[node, watermark]];
      }),
    ),
  };
}

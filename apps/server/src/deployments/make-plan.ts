/**
 * The plan of a deploy (Y1): what happens to each node and its state, with counts of what is stored. User code is
 * asked about itself in a worker without permissions; counts and sources are looked at by the engine host.
 */
import { builtOf, openUserCode, planDeploy } from '@millrace/deployment';
import type { StoredVersion } from '@millrace/engine';
import { readFolder } from '@millrace/graph';
import type { AnswerOf, RouteOf } from '@millrace/protocol/api';
import type { HostAnswer } from '@millrace/protocol/control';
import type { Store } from '@millrace/store';
import { notFound } from '../http/problem.ts';
import type { EngineHost } from '../supervisor/engine-host-supervisor.ts';

export type PlanAnswer = AnswerOf<RouteOf<'deployments.plan'>>;

export interface Planning {
  readonly store: Pick<Store, 'beside'>;
  readonly host: Pick<EngineHost, 'request'>;
}

export interface PlanPlace {
  readonly pipeline: string;
  readonly workspace: string;
  readonly folder: string | undefined;
}

type NodePlan = PlanAnswer['nodes'][number];
type Decided = Omit<NodePlan, 'stored'>;

export async function makePlan(planning: Planning, place: PlanPlace, number: number): Promise<PlanAnswer> {
  const stored = await planning.store.beside(place.pipeline);
  const version = await stored?.versions.get(number);
  if (stored === undefined || version === undefined) throw notFound('version');
  const current = await stored.versions.current();
  const hasRun = current !== undefined && (await stored.lastPosition()) > 0;
  const nodes = hasRun ? await decide(current, version) : allNew(version);
  const [counts, trouble] = await Promise.all([
    hasRun ? countsOf(planning, place.pipeline, nodes) : new Map<string, NodePlan['stored']>(),
    troubleOf(planning, place, number),
  ]);
  return {
    from: current?.number ?? null,
    to: number,
    nodes: nodes.map((node) => ({ ...node, stored: counts.get(node.id) ?? null })),
    losing: nodes.filter(({ losesState }) => losesState).map(({ id }) => id),
    trouble: trouble ?? null,
  };
}

async function decide(current: StoredVersion, version: StoredVersion): Promise<Decided[]> {
  const userCode = await openUserCode();
  const plan = await planDeploy(current, builtOf(version), userCode).finally(() => userCode.close());
  return plan.nodes.map((node) => ({ ...node, changes: [...node.changes] }));
}

/** Nothing was ever committed: there is nothing to keep and nothing to lose. */
function allNew(version: StoredVersion): Decided[] {
  const { nodes } = readFolder(new Map(JSON.parse(version.folder) as [string, string][])).pipeline;
  return [...nodes].map(([id, { name }]) => ({
    id,
    name,
    kind: 'new',
    changes: [],
    note: '',
    losesState: false,
  }));
}

async function countsOf(
  { host }: Planning,
  pipeline: string,
  nodes: readonly Decided[],
): Promise<ReadonlyMap<string, HostAnswer<'state-counts'>['nodes'][number]>> {
  const known = nodes.filter(({ kind }) => kind !== 'new').map(({ id }) => id);
  const reply = await host.request('state-counts', { pipeline, nodes: known });
  return new Map(reply.kind === 'answer' ? reply.body.nodes.map((counts) => [counts.node, counts]) : []);
}

async function troubleOf({ host }: Planning, place: PlanPlace, version: number): Promise<string | undefined> {
  const { pipeline, workspace, folder } = place;
  const where = folder === undefined ? {} : { folder };
  const reply = await host.request('try-sources', { pipeline, version, workspace, ...where });
  if (reply.kind === 'answer') return reply.body.trouble;
  return reply.kind === 'refused' ? reply.message : 'the engine host is being started; ask again in a moment';
}

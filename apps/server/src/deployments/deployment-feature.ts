/**
 * Deployments over HTTP. A handler writes a wish, as a row, and tells the engine host where to look; what comes of
 * it is observed there. Every wish is in the audit log, in the transaction of the wish.
 */
import type { DesiredState } from '@millrace/protocol/control';
import type { CatalogEntry, Deployment, Sql, Store } from '@millrace/store';
import { audit } from '../accounts/account-services.ts';
import type { Actor } from '../http/actor.ts';
import { may } from '../http/actor.ts';
import { decodeCursor, pageFrom } from '../http/cursor.ts';
import { changedMeanwhile } from '../http/entity-tag.ts';
import type { Bind, Call, Feature } from '../http/handler.ts';
import { notFound, Problem } from '../http/problem.ts';
import type { EngineHost } from '../supervisor/engine-host-supervisor.ts';
import { deploymentAnswer } from './deployment-answer.ts';
import { makePlan } from './make-plan.ts';

export interface DeploymentOptions {
  readonly store: Pick<Store, 'beside' | 'catalog' | 'deployments'>;
  readonly host: EngineHost;
}

export function deploymentFeature(options: DeploymentOptions): Feature {
  return (bind) => {
    bindReads(bind, options);
    bind('deployments.plan', async ({ workspace, params, body }) =>
      makePlan(options, placeOf(await entryOf(options, workspace, params.pipeline)), body.version),
    );
    bind('deployments.deploy', (call) => {
      const { version, workers, paused, dropState, message } = call.body;
      return deploy(options, call, { version, workers, paused, dropState, message });
    });
    bind('deployments.rollback', async (call) => {
      const { dropState, message } = call.body;
      const version = call.body.version ?? (await versionBefore(options, call.params.pipeline));
      const paused = (await options.store.deployments.get(call.params.pipeline))?.desired === 'paused';
      return deploy(options, call, { version, workers: undefined, paused, dropState, message });
    });
    bind('deployments.workers', (call) => resize(options, call, call.body.workers));
    bind('deployments.start', (call) => wish(options, call, 'started', 'running'));
    bind('deployments.stop', (call) => wish(options, call, 'stopped', 'stopped'));
    bind('deployments.kill', (call) => wish(options, call, 'killed', 'stopped', true));
    bind('deployments.pause', (call) => wish(options, call, 'paused', 'paused'));
    bind('deployments.resume', (call) => wish(options, call, 'resumed', 'running'));
  };
}

function bindReads(bind: Bind, { store, host }: DeploymentOptions): void {
  bind('deployments.list', async ({ workspace, actor }) => ({
    items: (await store.deployments.list(workspace))
      .filter(({ pipeline }) => may(actor, 'graph.read', pipeline))
      .map((deployment) => deploymentAnswer(deployment, actor, host.isReady)),
  }));
  bind('deployments.get', async ({ actor, workspace, params, etag }) => {
    const deployment = await deploymentOf(store, workspace, params.pipeline);
    etag(deployment.revision);
    return deploymentAnswer(deployment, actor, host.isReady);
  });
  bind('deployments.history', async ({ workspace, params, query }) => {
    await deploymentOf(store, workspace, params.pipeline);
    const [before] = decodeCursor(query.cursor, ['number']) ?? [];
    const page = { limit: query.limit + 1, ...(before === undefined ? {} : { before: Math.trunc(before) }) };
    const rows = await store.deployments.history(params.pipeline, page);
    const items = rows.map((row) => ({ ...row, previous: row.previous ?? null, dropped: [...row.dropped] }));
    return pageFrom(items, query.limit, ({ number }) => [number]);
  });
}

interface Wanted {
  readonly version: number;
  readonly workers: number | undefined;
  readonly paused: boolean;
  readonly dropState: readonly string[];
  readonly message: string;
}

async function deploy(
  options: DeploymentOptions,
  call: Pick<Call<'deployments.deploy'>, 'actor' | 'workspace' | 'params' | 'ifMatch' | 'etag'>,
  wanted: Wanted,
) {
  const { store, host } = options;
  const { actor, workspace } = call;
  const entry = await entryOf(options, workspace, call.params.pipeline);
  const before = await store.deployments.get(entry.id);
  const plan = await makePlan(options, placeOf(entry), wanted.version);
  const unagreed = plan.losing.filter((node) => !wanted.dropState.includes(node));
  if (unagreed.length > 0)
    throw new Problem(
      409,
      'state-would-go',
      `State of ${unagreed.join(', ')} would go. Name these nodes in dropState to agree, or deploy a version that keeps it.`,
      { members: { plan } },
    );
  const dropState = plan.losing;
  const detail = { version: wanted.version, previous: before?.version ?? null, dropState };
  const deployed = await store.deployments.deploy({
    ...placeOf(entry),
    version: wanted.version,
    desired: wanted.paused ? 'paused' : 'running',
    workers: wanted.workers ?? before?.workers ?? 1,
    plannedFrom: plan.from ?? undefined,
    dropState,
    actor: accountOf(actor),
    message: wanted.message,
    ifRevision: revisionOf(call.ifMatch),
    alongside: (sql: Sql) => audit(sql, actor, { action: 'pipeline.deployed', target: entry.id, detail }),
  });
  return answered(host, call, deployed === 'changed' ? throwChanged(before) : deployed);
}

async function wish(
  { store, host }: DeploymentOptions,
  call: Pick<Call<'deployments.start'>, 'actor' | 'workspace' | 'params' | 'ifMatch' | 'etag'>,
  done: string,
  desired: DesiredState,
  abandon = false,
) {
  const { actor, workspace, params } = call;
  const before = await deploymentOf(store, workspace, params.pipeline);
  if (desired !== 'stopped') await liveEntry(store, workspace, params.pipeline);
  const outcome = await store.deployments.setDesired(params.pipeline, {
    desired,
    abandon,
    ifRevision: revisionOf(call.ifMatch),
    alongside: (sql: Sql) =>
      audit(sql, actor, { action: `pipeline.${done}`, target: params.pipeline, detail: {} }),
  });
  if (outcome === 'absent') throw isNotDeployed();
  return answered(host, call, outcome === 'changed' ? throwChanged(before) : outcome);
}

async function resize(
  { store, host }: DeploymentOptions,
  call: Pick<Call<'deployments.workers'>, 'actor' | 'workspace' | 'params' | 'ifMatch' | 'etag'>,
  workers: number,
) {
  const { actor, workspace, params } = call;
  const before = await deploymentOf(store, workspace, params.pipeline);
  await liveEntry(store, workspace, params.pipeline);
  const detail = { workers, previous: before.workers };
  const outcome = await store.deployments.setWorkers(params.pipeline, {
    workers,
    ifRevision: revisionOf(call.ifMatch),
    alongside: (sql: Sql) =>
      audit(sql, actor, { action: 'pipeline.resized', target: params.pipeline, detail }),
  });
  if (outcome === 'absent') throw isNotDeployed();
  return answered(host, call, outcome === 'changed' ? throwChanged(before) : outcome);
}

function answered(
  host: EngineHost,
  { actor, etag }: Pick<Call<'deployments.start'>, 'actor' | 'etag'>,
  deployment: Deployment,
) {
  host.nudge(deployment.pipeline);
  etag(deployment.revision);
  return deploymentAnswer(deployment, actor, host.isReady);
}

function throwChanged(before: Deployment | undefined): never {
  throw changedMeanwhile(before?.revision ?? 0);
}

/** What ran before the last deploy. */
async function versionBefore({ store }: DeploymentOptions, pipeline: string): Promise<number> {
  const [last] = await store.deployments.history(pipeline, { limit: 1 });
  if (last?.previous === undefined)
    throw new Problem(409, 'nothing-before', 'No other version was deployed before this one.');
  return last.previous;
}

async function deploymentOf(
  store: DeploymentOptions['store'],
  workspace: string,
  pipeline: string,
): Promise<Deployment> {
  const deployment = await store.deployments.get(pipeline);
  if (deployment === undefined || deployment.workspace !== workspace) throw isNotDeployed();
  return deployment;
}

const isNotDeployed = (): Problem =>
  new Problem(
    404,
    'not-found',
    'There is no such deployment, or you may not see it. Deploy a version of the pipeline first.',
  );

const entryOf = ({ store }: DeploymentOptions, workspace: string, id: string) =>
  liveEntry(store, workspace, id);

async function liveEntry(
  store: DeploymentOptions['store'],
  workspace: string,
  id: string,
): Promise<CatalogEntry> {
  const entry = await store.catalog.entries.get(workspace, id);
  if (entry === undefined) throw notFound('pipeline');
  if (entry.deletedAt !== undefined)
    throw new Problem(410, 'deleted', 'This pipeline is deleted. Restore it first.');
  return entry;
}

const placeOf = ({ id, workspace, root }: CatalogEntry) => ({
  pipeline: id,
  workspace,
  folder: root === '' ? undefined : root,
});

function accountOf(actor: Actor): string {
  if (actor.kind === 'nobody') throw new Error('a route of deployments is open to nobody');
  return actor.account;
}

/** A tag that is no number is no revision of ours: it matches none. */
const revisionOf = (tag: string | undefined): number | undefined =>
  tag === undefined ? undefined : /^\d{1,15}$/.test(tag) ? Number(tag) : -1;

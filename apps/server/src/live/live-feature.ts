/** Numbers and state over HTTP. */
import { viewOfKey } from '@millrace/engine';
import type { HostAnswer, Observation, WatermarkCause } from '@millrace/protocol/control';
import { type Deployment, listServers, type Store } from '@millrace/store';
import { audit } from '../accounts/account-services.ts';
import { shownObservation, shownReason } from '../deployments/shown-reason.ts';
import { type Actor, may } from '../http/actor.ts';
import type { Bind, Feature } from '../http/handler.ts';
import { notFound } from '../http/problem.ts';
import { bindDeadLetters } from './dead-letter-routes.ts';
import { answered, visible } from './host-answers.ts';
import type { LiveSource } from './live-source.ts';
import { metricsText } from './metrics-text.ts';
import type { ViewBoard } from './view-board.ts';

export interface LiveContext {
  readonly store: Pick<Store, 'database' | 'deployments' | 'catalog'>;
  readonly source: LiveSource;
  readonly board: ViewBoard;
  readonly sockets: () => number;
}

/** A search that finds little goes on by itself for so long. */
const SEARCH_MS = 1_000;
const MOST_PIPELINES = 1_000;
const BIGGEST = 50;

export function liveFeature(context: LiveContext): Feature {
  return (bind) => {
    bind('live.get', async (call) => {
      await visible(context, call);
      const { pipeline } = call.params;
      const { progress, state } = context.board.newest(pipeline);
      const seen = state ?? (await observedOf(context.store, pipeline));
      return { progress: progress ?? null, state: seen ? shownObservation(call.actor, seen) : null };
    });
    bind('runtime.get', async (call) => {
      await visible(context, call);
      const { pipeline } = call.params;
      const { workers, busiestKeys, ...rest } = answered(
        await context.source.request('runtime', { pipeline }),
      );
      const readsData = may(call.actor, 'data.read', pipeline);
      return {
        ...rest,
        servers: await listServers(context.store.database),
        busiestKeys: readsData ? busiestKeys : busiestKeys.map(({ node, share }) => ({ node, share })),
        workers: workers.map((worker) => shownWorker(call.actor, pipeline, worker)),
      };
    });
    bind('runtime.move', async (call) => {
      await visible(context, call);
      const { pipeline } = call.params;
      const { nodes, from, to, slot } = call.body;
      // In front of it: what it does is never without a trace of who did it.
      await audit(context.store.database, call.actor, {
        action: 'keys.moved',
        target: pipeline,
        detail: { slot, from, ...(to !== undefined && { to }), ...(nodes !== undefined && { nodes }) },
      });
      return answered(await context.source.request('move-keys', { pipeline, nodes, from, to, slot }));
    });
    bind('watermark.cause', async (call) => {
      await visible(context, call);
      const { pipeline, node } = call.params;
      const { found } = answered(await context.source.request('watermark-cause', { pipeline, node }));
      if (found === undefined) throw notFound('node');
      return may(call.actor, 'data.read', pipeline) ? found : { ...found, cause: withoutValues(found.cause) };
    });
    bind('records.trace', async (call) => {
      await visible(context, call);
      const question = { pipeline: call.params.pipeline, record: call.body.record };
      return answered(await context.source.request('trace', question));
    });
    bindDeadLetters(bind, context);
    bindState(bind, context);
    bind('metrics.read', async ({ actor, workspace }) => {
      const running = await context.store.deployments.list(workspace);
      const names = new Map(await namesOf(context, workspace));
      return metricsText({
        sockets: context.sockets(),
        process: ownProcess(),
        pipelines: running
          .filter(({ pipeline }) => may(actor, 'live.read', pipeline))
          .slice(0, MOST_PIPELINES)
          .flatMap(({ pipeline }) => {
            const { progress, state } = context.board.newest(pipeline);
            const name = names.get(pipeline) ?? pipeline;
            return progress === undefined ? [] : [{ name, state: state?.state ?? 'running', progress }];
          }),
      });
    });
  };
}

function bindState(bind: Bind, context: LiveContext): void {
  bind('state.search', async (call) => {
    await visible(context, call);
    const { params, body } = call;
    const until = performance.now() + SEARCH_MS;
    let after = body.cursor === undefined ? undefined : new Uint8Array(Buffer.from(body.cursor, 'base64url'));
    for (;;) {
      const { page, unknown } = answered(
        await context.source.request('state-keys', {
          pipeline: params.pipeline,
          node: params.node,
          beginning: body.beginning,
          after,
          limit: body.limit,
        }),
      );
      if (unknown) return notFound('node');
      if (page === undefined) return { position: null, items: [], next: null };
      if (page.keys.length > 0 || page.next === undefined || performance.now() > until)
        return {
          position: page.position,
          items: page.keys,
          next: page.next === undefined ? null : Buffer.from(page.next).toString('base64url'),
        };
      after = new Uint8Array(page.next);
    }
  });
  bind('state.biggest', async (call) => {
    await visible(context, call);
    const question = { pipeline: call.params.pipeline, node: call.params.node, count: BIGGEST };
    const { biggest, unknown } = answered(await context.source.request('state-biggest', question));
    if (unknown) return notFound('node');
    if (biggest === undefined) return { position: null, items: [], lookedAt: 0, complete: true };
    const { keys, ...rest } = biggest;
    return { ...rest, items: keys };
  });
  bind('state.read', async (call) => {
    await visible(context, call);
    const { params, body } = call;
    const question = { pipeline: params.pipeline, node: params.node, key: body.key };
    const { found } = answered(await context.source.request('state-key', question));
    if (found === undefined) return notFound('key');
    const { maps, timers, waiting, ...rest } = viewOfKey(found);
    return {
      key: body.key,
      ...rest,
      maps: maps.map(({ name, entries }) => ({ name, entries: [...entries] })),
      timers: [...timers],
      waiting: [...waiting],
    };
  });
}

/** As the engine host has written it down. */
export async function observedOf(
  { deployments }: Pick<Store, 'deployments'>,
  pipeline: string,
): Promise<Observation | undefined> {
  const row = await deployments.get(pipeline);
  return row && observationOf(row);
}

function observationOf(row: Deployment): Observation {
  const { pipeline, observed, reason, observedAt, retryAt, observedVersion, observedRevision } = row;
  return {
    pipeline,
    state: observed,
    since: observedAt,
    revision: observedRevision,
    ...(reason === undefined ? {} : { reason }),
    ...(retryAt === undefined ? {} : { retryAt }),
    ...(observedVersion === undefined ? {} : { version: observedVersion }),
  };
}

async function namesOf({ store }: LiveContext, workspace: string): Promise<[string, string][]> {
  const rows = await store.database.rows<{ id: string; name: string }>(PIPELINE_NAMES, [
    workspace,
    MOST_PIPELINES,
  ]);
  return rows.map(({ id, name }) => [id, name]);
}

/** $1 workspace, $2 limit. */
const PIPELINE_NAMES = `
select id, name from millrace.catalog_entries where workspace = $1 and deleted_at is null order by id limit $2::int4`;

function ownProcess() {
  const { user, system } = process.cpuUsage();
  return {
    uptimeSeconds: process.uptime(),
    cpuSeconds: (user + system) / 1e6,
    residentBytes: process.memoryUsage.rss(),
  };
}

type Worker = HostAnswer<'runtime'>['workers'][number];

function shownWorker(actor: Actor, pipeline: string, { lastEnd, ...worker }: Worker): Worker {
  if (lastEnd === undefined) return worker;
  return { ...worker, lastEnd: { ...lastEnd, reason: shownReason(actor, pipeline, lastEnd.reason) } };
}

/** Whoever may not read data learns what holds, and not whose. */
function withoutValues(cause: WatermarkCause['cause']): WatermarkCause['cause'] {
  if (cause.kind === 'record') return { ...cause, key: undefined, id: undefined };
  if (cause.kind === 'timer') return { ...cause, key: undefined, tag: undefined };
  return cause.kind === 'state' ? { ...cause, key: undefined } : cause;
}

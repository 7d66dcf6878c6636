/** Pipelines as entries of the catalog: list, make, rename, delete, restore. */

import { readFolder } from '@millrace/graph';
import type { RouteId } from '@millrace/protocol/api';
import type { CatalogEntry, EntryPosition, EntrySort } from '@millrace/store';
import { decodeCursor, encodeCursor } from '../http/cursor.ts';
import { changedMeanwhile } from '../http/entity-tag.ts';
import type { Bind, Call } from '../http/handler.ts';
import { notFound, Problem } from '../http/problem.ts';
import { pipelineAnswer } from './answers.ts';
import {
  type CatalogContext,
  editableEntryOf,
  entryOf,
  isDeleted,
  isReadOnly,
  revisionOf,
  writeOf,
} from './catalog-context.ts';
import { createPipeline, duplicatePipeline } from './create-pipeline.ts';
import { draftOf } from './folder/draft-folder.ts';

export function bindEntries(bind: Bind, context: CatalogContext): void {
  const { entries } = context.store.catalog;
  const answer = async (entry: CatalogEntry, call: Pick<Call<RouteId>, 'etag' | 'actor'>) => {
    call.etag(entry.revision);
    return pipelineAnswer(entry, await context.store.deployments.get(entry.id), call.actor);
  };

  bind('pipelines.list', (call) => list(context, call));
  bind('pipelines.tags', async ({ workspace }) => ({ items: [...(await entries.tags(workspace))] }));
  bind('pipelines.get', async (call) =>
    answer(await entryOf(context, call.workspace, call.params.pipeline), call),
  );
  bind('pipelines.create', async (call) =>
    answer(await createPipeline(context, call.actor, call.body), call),
  );
  bind('pipelines.duplicate', async (call) => {
    const source = await entryOf(context, call.workspace, call.params.pipeline);
    return answer(await duplicatePipeline(context, call.actor, source, call.body.name), call);
  });
  bind('pipelines.change', async (call) => answer(await change(context, call), call));
  bind('pipelines.delete', async ({ workspace, actor, params }) => {
    const target = params.pipeline;
    const write = writeOf({ actor, action: 'pipeline.deleted', target });
    const outcome = await entries.remove(workspace, target, write);
    if (outcome === 'not-found') return notFound('pipeline');
    if (outcome === 'running')
      return new Problem(409, 'running', 'This pipeline runs. Stop it first, then delete it.');
    return undefined;
  });
  bind('pipelines.restore', async (call) => {
    const { workspace, actor, params } = call;
    const target = params.pipeline;
    const write = writeOf({ actor, action: 'pipeline.restored', target });
    if ((await entries.restore(workspace, target, write)) === 'not-found')
      return notFound('deleted pipeline');
    return answer(await entryOf(context, workspace, target), call);
  });
  bind('pipelines.purge', async ({ workspace, actor, params }) => {
    const target = params.pipeline;
    const write = writeOf({ actor, action: 'pipeline.purged', target });
    const outcome = await context.store.catalog.purging.purge(workspace, target, write);
    if (outcome === 'not-found') return notFound('pipeline');
    if (outcome === 'not-deleted') return new Problem(409, 'not-deleted', 'Delete the pipeline first.');
    return undefined;
  });
}

async function list(context: CatalogContext, { actor, query, workspace }: Call<'pipelines.list'>) {
  const { q: search, tag = [], deleted, readOnly, sort, limit } = query;
  const order = query.order ?? (sort === 'name' ? 'asc' : 'desc');
  const page = await context.store.catalog.entries.list({
    workspace,
    search,
    tags: typeof tag === 'string' ? [tag] : tag,
    deleted,
    readOnly,
    sort,
    descending: order === 'desc',
    after: positionOf(query.cursor, sort, order),
    limit,
  });
  const deployments = new Map(
    (await context.store.deployments.list(workspace)).map((deployment) => [deployment.pipeline, deployment]),
  );
  return {
    items: page.entries.map((entry) => pipelineAnswer(entry, deployments.get(entry.id), actor)),
    next: page.next === undefined ? null : encodeCursor([sort, order, page.next.value, page.next.id]),
  };
}

/** A cursor is good for the order it was given in, and says nothing Postgres could choke on. */
function positionOf(cursor: string | undefined, sort: EntrySort, order: string): EntryPosition | undefined {
  const key = decodeCursor(cursor, ['string', 'string', 'string', 'string']);
  if (key === undefined) return undefined;
  const [forSort, forOrder, value, id] = key;
  const sound = sort === 'name' ? !value.includes('\0') : /^-?\d{1,18}$/.test(value);
  if (forSort !== sort || forOrder !== order || !sound || id.includes('\0'))
    throw new Problem(400, 'bad-cursor', 'The cursor is not one this list gave. Start without one.');
  return { value, id };
}

const TRIES = 3;

/** The name stands in the draft's pipeline.json too: one that is saved meanwhile is read again. */
async function change(context: CatalogContext, call: Call<'pipelines.change'>): Promise<CatalogEntry> {
  const { workspace, actor, params, body, ifMatch } = call;
  const target = params.pipeline;
  const revision = revisionOf(ifMatch ?? '');
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const entry = await editableEntryOf(context, workspace, target);
    const { name } = body;
    const draft =
      name === undefined || name === entry.name
        ? undefined
        : await renamedDraft(context, workspace, target, name);
    const detail = { ...body };
    const write = writeOf({ actor, action: 'pipeline.changed', target, detail });
    const done = await context.store.catalog.entries.change(
      workspace,
      target,
      { ...body, revision, draft },
      write,
    );
    if (done.kind === 'changed') return done.entry;
    if (done.kind === 'not-found') throw isDeleted();
    if (done.kind === 'read-only') throw isReadOnly();
    if (done.entry.revision !== revision) throw changedMeanwhile(done.entry.revision);
  }
  throw new Problem(409, 'draft-changes', 'The draft is being edited; try again.');
}

async function renamedDraft(context: CatalogContext, workspace: string, id: string, name: string) {
  const draft = await context.store.catalog.drafts.get(workspace, id);
  if (draft === undefined) throw notFound('pipeline');
  const { files, hash } = await draftOf(readFolder(draft.files), { id, types: context.types, name });
  return { files, hash, revision: draft.revision };
}

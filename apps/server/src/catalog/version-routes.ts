/** Versions: publish a draft, look at what was published, take it back into the draft, compare. */
import { type PipelineFolder, readFolder } from '@millrace/graph';
import { decodeCursor, pageFrom } from '../http/cursor.ts';
import { changedMeanwhile } from '../http/entity-tag.ts';
import type { Bind, Call } from '../http/handler.ts';
import { notFound } from '../http/problem.ts';
import { diffAnswer, doneOrBusy, hasIssues, issuesAnswer, versionAnswer } from './answers.ts';
import {
  accountOf,
  type CatalogContext,
  editableEntryOf,
  entryOf,
  isDeleted,
  revisionOf,
  writeOf,
} from './catalog-context.ts';
import { readDraft, saveDraft, storedDraftOf } from './draft-routes.ts';
import { diffFolders } from './folder/diff-folders.ts';
import { draftOf } from './folder/draft-folder.ts';

export function bindVersions(bind: Bind, context: CatalogContext): void {
  const { versions } = context.store.catalog;
  bind('versions.create', (call) => publish(context, call));
  bind('versions.list', async ({ workspace, params, query }) => {
    await entryOf(context, workspace, params.pipeline);
    const [before] = decodeCursor(query.cursor, ['number']) ?? [];
    const page = { before, limit: query.limit + 1 };
    const rows = await versions.list(workspace, params.pipeline, page);
    return pageFrom(rows.map(versionAnswer), query.limit, ({ number }) => [number]);
  });
  bind('versions.get', async ({ workspace, params }) =>
    versionAnswer(await versionOf(context, workspace, params)),
  );
  bind('versions.files', async ({ workspace, params }) => ({
    files: Object.fromEntries((await versionOf(context, workspace, params)).files),
  }));
  bind('versions.restore', async (call) => {
    const { workspace, params } = call;
    await editableEntryOf(context, workspace, params.pipeline);
    const version = await versionOf(context, workspace, params);
    const purpose = { id: params.pipeline, types: context.types };
    const draft = await draftOf(readFolder(version.files), purpose);
    const detail = { version: version.number };
    return saveDraft(context, call, {
      draft,
      action: 'draft.restored',
      detail,
      baseVersion: version.number,
    });
  });
  bind('pipelines.diff', (call) => diff(context, call));
}

async function publish(context: CatalogContext, call: Call<'versions.create'>) {
  const { workspace, actor, params, body, ifMatch } = call;
  const target = params.pipeline;
  await editableEntryOf(context, workspace, target);
  const stored = await storedDraftOf(context, workspace, target);
  if (ifMatch !== undefined && revisionOf(ifMatch) !== stored.revision)
    throw changedMeanwhile(stored.revision);
  const { folder, hash } = await readDraft(context, target, stored);
  const built = doneOrBusy(await context.compiler.build({ folder, hash, who: accountOf(actor) }));
  if (built.kind === 'issues') return hasIssues(built.issues);
  const detail = { message: body.message, draftRevision: stored.revision };
  const saved = await context.store.catalog.versions.save(
    workspace,
    target,
    {
      built: built.version.stored,
      message: body.message,
      compilerVersion: context.compilerVersion,
      draftRevision: stored.revision,
      parent: stored.baseVersion,
    },
    writeOf({ actor, action: 'version.created', target, detail }),
  );
  if (saved.kind === 'not-found') throw isDeleted();
  const version = await versionOf(context, workspace, { pipeline: target, version: saved.number });
  return { ...versionAnswer(version), isNew: saved.isNew, issues: issuesAnswer(built.issues) };
}

interface VersionPlace {
  readonly pipeline: string;
  readonly version: number;
}

async function versionOf(context: CatalogContext, workspace: string, { pipeline, version }: VersionPlace) {
  const found = await context.store.catalog.versions.get(workspace, pipeline, version);
  if (found === undefined) throw notFound('version');
  return found;
}

async function diff(context: CatalogContext, { workspace, params, query }: Call<'pipelines.diff'>) {
  const entry = await entryOf(context, workspace, params.pipeline);
  const from = query.from ?? String(entry.newestVersion ?? 'draft');
  const sides = [from, query.to ?? 'draft'].map((side) => folderOf(context, workspace, entry.id, side));
  const [old, now] = await Promise.all(sides);
  return diffAnswer(diffFolders(old!, now!));
}

export async function folderOf(
  context: CatalogContext,
  workspace: string,
  pipeline: string,
  side: string,
): Promise<PipelineFolder> {
  if (side === 'draft') return readFolder((await storedDraftOf(context, workspace, pipeline)).files);
  return readFolder((await versionOf(context, workspace, { pipeline, version: Number(side) })).files);
}

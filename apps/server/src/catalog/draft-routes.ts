/** Drafts: read, replace, check. */
import { readFolder } from '@millrace/graph';
import type { DraftSaved, StoredDraft } from '@millrace/store';
import { changedMeanwhile } from '../http/entity-tag.ts';
import type { Bind, Call } from '../http/handler.ts';
import { notFound, Problem } from '../http/problem.ts';
import { doneOrBusy, issuesAnswer, refusedFolder } from './answers.ts';
import {
  accountOf,
  type CatalogContext,
  editableEntryOf,
  isDeleted,
  isReadOnly,
  revisionOf,
  writeOf,
} from './catalog-context.ts';
import { type DraftFolder, draftFolder, draftOf } from './folder/draft-folder.ts';
import { namedSecrets } from './folder/named-secrets.ts';

export function bindDrafts(bind: Bind, context: CatalogContext): void {
  bind('draft.get', async ({ workspace, params, etag }) => {
    const draft = await storedDraftOf(context, workspace, params.pipeline);
    const { folder, issues } = await readDraft(context, params.pipeline, draft);
    etag(draft.revision);
    return {
      revision: draft.revision,
      hash: draft.hash,
      issues: issuesAnswer(issues),
      files: Object.fromEntries(draft.files),
      baseVersion: draft.baseVersion ?? null,
      secrets: namedSecrets(folder.pipeline),
      updatedBy: draft.updatedBy,
      updatedAt: draft.updatedAt.getTime(),
    };
  });
  bind('draft.editors', async ({ workspace, params, query }) => {
    await storedDraftOf(context, workspace, params.pipeline);
    const since = await madeAt(context, workspace, params.pipeline, query.since);
    const editors = await context.store.catalog.drafts.editors(workspace, params.pipeline, since);
    return { items: editors.map(({ name, at }) => ({ name, at: at.getTime() })) };
  });
  bind('draft.put', (call) => put(context, call));
  bind('draft.check', async ({ workspace, actor, params, etag }) => {
    const draft = await storedDraftOf(context, workspace, params.pipeline);
    const { folder } = await readDraft(context, params.pipeline, draft);
    const request = { folder, hash: draft.hash, who: accountOf(actor) };
    const issues = doneOrBusy(await context.compiler.check(request));
    etag(draft.revision);
    return { revision: draft.revision, hash: draft.hash, issues: issuesAnswer(issues) };
  });
}

async function madeAt(
  { store }: CatalogContext,
  workspace: string,
  pipeline: string,
  version: number | undefined,
): Promise<Date> {
  if (version === undefined) return new Date(0);
  const found = await store.catalog.versions.get(workspace, pipeline, version);
  if (found === undefined) throw notFound('version');
  return found.createdAt;
}

async function put(context: CatalogContext, call: Call<'draft.put'>) {
  const { workspace, params, body } = call;
  const id = params.pipeline;
  await editableEntryOf(context, workspace, id);
  const given = new Map(Object.entries(body.files));
  const draft = await draftFolder(given, { id, types: context.types });
  if (draft.kind === 'refused') return refusedFolder(draft.faults);
  if (draft.kind === 'other-pipeline') {
    const detail = `pipeline.json has the id of another pipeline (${draft.id.slice(0, 64)}). To take it over here, import it.`;
    return new Problem(409, 'other-pipeline', detail);
  }
  return saveDraft(context, call, { draft, action: 'draft.saved' });
}

export interface DraftToSave {
  readonly draft: DraftFolder;
  readonly action: string;
  readonly detail?: Readonly<Record<string, unknown>>;
  /** The version it is equal to. */
  readonly baseVersion?: number;
}

/** Saves on the revision that If-Match names and answers with the new one. */
export async function saveDraft(
  context: CatalogContext,
  call: Pick<Call<'draft.put'>, 'workspace' | 'actor' | 'ifMatch' | 'etag'> & {
    readonly params: { readonly pipeline: string };
  },
  { draft, action, detail = {}, baseVersion }: DraftToSave,
) {
  const { workspace, actor } = call;
  const target = call.params.pipeline;
  const { files, hash, name, issues } = draft;
  const saved = await context.store.catalog.drafts.save(
    workspace,
    target,
    { files, hash, name, baseVersion, revision: revisionOf(call.ifMatch ?? '') },
    writeOf({ actor, action, target, detail: { ...detail, hash } }),
  );
  const revision = savedRevision(saved);
  call.etag(revision);
  return { revision, hash, issues: issuesAnswer(issues) };
}

function savedRevision(saved: DraftSaved): number {
  if (saved.kind === 'saved') return saved.revision;
  if (saved.kind === 'conflict') throw changedMeanwhile(saved.revision);
  throw saved.kind === 'read-only' ? isReadOnly() : isDeleted();
}

export async function storedDraftOf(
  context: CatalogContext,
  workspace: string,
  id: string,
): Promise<StoredDraft> {
  const draft = await context.store.catalog.drafts.get(workspace, id);
  if (draft === undefined) throw notFound('pipeline');
  return draft;
}

/** Issues are those of the stored text. */
export const readDraft = (context: CatalogContext, id: string, draft: StoredDraft): Promise<DraftFolder> =>
  draftOf(readFolder(draft.files), { id, types: context.types });

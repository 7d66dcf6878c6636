/** Pipelines as archives: out as a zip, in as a zip that first shows what it would change. */
import { type Issue, isId, LAYOUT_FILE, readFolder, SECRET_LITERAL, validateFolder } from '@millrace/graph';
import type { Bind, Call } from '../http/handler.ts';
import { Problem } from '../http/problem.ts';
import { diffAnswer, issuesAnswer, refusedFolder } from './answers.ts';
import { type CatalogContext, editableEntryOf, entryOf, writeOf } from './catalog-context.ts';
import { saveDraft, storedDraftOf } from './draft-routes.ts';
import { diffFolders } from './folder/diff-folders.ts';
import { type DraftFolder, draftFolder, type Files } from './folder/draft-folder.ts';
import { mintPipelineId } from './folder/mint-pipeline-id.ts';
import { namedSecrets } from './folder/named-secrets.ts';
import { folderOf } from './version-routes.ts';
import { readArchive } from './zip/read-archive.ts';
import { writeZip } from './zip/write-zip.ts';

export function bindArchives(bind: Bind, context: CatalogContext): void {
  bind('pipelines.export', async ({ workspace, params, query, response }) => {
    const entry = await entryOf(context, workspace, params.pipeline);
    const side = query.version === undefined ? 'draft' : String(query.version);
    const folder = await folderOf(context, workspace, entry.id, side);
    const literals = validateFolder(folder, context.types).filter(({ code }) => code === SECRET_LITERAL);
    if (literals.length > 0) return holdsSecrets(literals);
    response.setHeader('Content-Disposition', `attachment; filename="${fileName(entry.name, entry.id)}.zip"`);
    response.setHeader('Millrace-Secrets', namedSecrets(folder.pipeline).map(encodeURIComponent).join(','));
    return writeZip(folder.files);
  });
  bind('pipelines.import', (call) => importNew(context, call));
  bind('pipelines.import-onto', (call) => importOnto(context, call));
}

/** What stands where a secret's name belongs may be the secret: it leaves in no archive. */
const holdsSecrets = (literals: readonly Issue[]): Problem =>
  new Problem(422, 'holds-secrets', 'Settings hold values where only the name of a secret may stand.', {
    members: { pipelineIssues: literals },
  });

async function importNew(context: CatalogContext, call: Call<'pipelines.import'>) {
  const { workspace, actor, query } = call;
  const files = await readArchive(call.request);
  const own = readFolder(files).pipeline.id;
  const kept = own !== undefined && isId('p', own) ? own : undefined;
  const taken = kept !== undefined && (await context.store.catalog.entries.idIsTaken(kept));
  const existing = taken ? await context.store.catalog.entries.get(workspace, kept) : undefined;
  const id = kept === undefined || taken ? mintPipelineId() : kept;
  const draft = await imported(context, files, id);
  const answer = {
    applied: query.apply,
    pipeline: query.apply || id === kept ? id : null,
    existing: existing !== undefined && existing.deletedAt === undefined ? existing.id : null,
    draftRevision: query.apply ? 1 : null,
    diff: diffAnswer(diffFolders(readFolder(new Map()), draft.folder)),
    secrets: namedSecrets(draft.folder.pipeline),
    issues: issuesAnswer(draft.issues),
  };
  if (!query.apply) return answer;
  const name = draft.name ?? 'Imported pipeline';
  const entry = { id, workspace, name, description: '', tags: [], files: draft.files, hash: draft.hash };
  const detail = { name, hash: draft.hash };
  const write = writeOf({ actor, action: 'pipeline.imported', target: id, detail });
  if ((await context.store.catalog.entries.create(entry, write)) === 'id-taken')
    return new Problem(
      409,
      'id-taken',
      'Somebody imported this pipeline meanwhile; look at what is there now.',
    );
  return answer;
}

async function importOnto(context: CatalogContext, call: Call<'pipelines.import-onto'>) {
  const { workspace, params, query } = call;
  const id = params.pipeline;
  await editableEntryOf(context, workspace, id);
  if (query.apply && call.ifMatch === undefined)
    return new Problem(428, 'if-match-missing', 'Send the ETag of the dry run in If-Match.');
  const files = await readArchive(call.request);
  const current = await storedDraftOf(context, workspace, id);
  const draft = await imported(context, withLayout(files, current.files), id);
  const answer = {
    applied: query.apply,
    pipeline: id,
    existing: id,
    files: Object.fromEntries(draft.files),
    diff: diffAnswer(diffFolders(readFolder(current.files), draft.folder)),
    secrets: namedSecrets(draft.folder.pipeline),
    issues: issuesAnswer(draft.issues),
  };
  if (query.apply) {
    const { revision } = await saveDraft(context, call, { draft, action: 'draft.imported' });
    return { ...answer, draftRevision: revision };
  }
  call.etag(current.revision);
  return { ...answer, draftRevision: current.revision };
}

async function imported(context: CatalogContext, files: Files, id: string): Promise<DraftFolder> {
  const draft = await draftFolder(files, { id, types: context.types, takeId: true });
  if (draft.kind === 'refused') throw refusedFolder(draft.faults);
  if (draft.kind === 'other-pipeline') throw new Error('an import takes the id');
  if (!draft.folder.readable) throw unreadable(draft);
  return draft;
}

/** A draft may be broken; an archive without a graph is most likely the wrong archive. */
const unreadable = ({ issues }: DraftFolder): Problem =>
  refusedFolder(issues.map(({ file, message }) => ({ path: file, message })));

/** Who edits the folder by hand has no layout: where things stand on the canvas stays. */
function withLayout(files: Files, current: Files): Files {
  const layout = current.get(LAYOUT_FILE);
  return layout === undefined || files.has(LAYOUT_FILE) ? files : new Map([...files, [LAYOUT_FILE, layout]]);
}

/** Of letters that every file system and every header takes. */
function fileName(name: string, id: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  return plain.slice(0, 80).toLowerCase() || id;
}

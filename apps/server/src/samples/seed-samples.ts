/**
 * Gives a workspace its samples, once. Every step may be the last before a kill: the next start goes on from
 * what it finds.
 *
 * S1 A sample is noted only when all of it is there; one that is noted and gone was deleted by somebody, and
 *    stays deleted.
 * S2 A newer Millrace brings newer samples: draft and version follow, what runs goes on until it is deployed.
 */
import { createHash } from 'node:crypto';
import { hashFolder, hashProgram, readFolder, writeFolder } from '@millrace/graph';
import type { CatalogEntry } from '@millrace/store';
import { recordAudit } from '@millrace/store/accounts';
import type { CatalogContext } from '../catalog/catalog-context.ts';
import type { Sample } from './sample.ts';

const SEEDER = 'system';

export async function seedSamples(context: CatalogContext, workspace: string): Promise<void> {
  for (const sample of context.samples) await seed(context, workspace, sample);
}

async function seed(context: CatalogContext, workspace: string, sample: Sample): Promise<void> {
  const { entries, seededSamples } = context.store.catalog;
  const seeded = await seededSamples.get(workspace, sample.name);
  if (seeded?.contentHash === sample.contentHash) return;
  if (seeded === undefined) {
    const id = await place(context, workspace, sample);
    const version = await publish(context, workspace, id, sample);
    if (sample.runs) await start(context, workspace, id, version);
    await seededSamples.note(workspace, sample.name, { pipeline: id, contentHash: sample.contentHash });
    return;
  }
  const entry = await entries.get(workspace, seeded.pipeline);
  if (entry !== undefined && isSeeded(entry, sample) && entry.deletedAt === undefined)
    await publish(context, workspace, entry.id, sample);
  await seededSamples.note(workspace, sample.name, { ...seeded, contentHash: sample.contentHash });
}

/** The entry's id: the sample's own where it is free, else one that every start finds again. */
async function place(context: CatalogContext, workspace: string, sample: Sample): Promise<string> {
  const { entries } = context.store.catalog;
  for (const id of [
    sample.id,
    `${sample.id}_${digest(workspace)}`,
    `${sample.id}_${digest(`${workspace}+`)}`,
  ]) {
    const entry = await entries.get(workspace, id);
    if (entry !== undefined && isSeeded(entry, sample)) return id;
    if (entry === undefined && (await create(context, workspace, id, sample)) === 'created') return id;
  }
  throw new Error(`no id is free for the sample ${sample.name}`);
}

const isSeeded = (entry: CatalogEntry, sample: Sample): boolean =>
  entry.readOnly && entry.sample === sample.name;

async function create(context: CatalogContext, workspace: string, id: string, sample: Sample) {
  const { files, hash } = await folderFor(sample, id);
  const root = await context.sampleFiles.copy(sample, workspace, sample.name);
  const { name, title, description, tags } = sample;
  return context.store.catalog.entries.create(
    { id, workspace, name: title, description, tags, files, hash, root, sample: name, readOnly: true },
    {
      by: SEEDER,
      alongside: (sql) =>
        recordAudit(sql, {
          workspace,
          actor: { kind: 'system' },
          action: 'pipeline.created',
          target: id,
          detail: { sample: name },
        }),
    },
  );
}

/** Draft and version are those of the sample; neither is made twice. */
async function publish(
  context: CatalogContext,
  workspace: string,
  id: string,
  sample: Sample,
): Promise<number> {
  const { drafts, versions } = context.store.catalog;
  const { files, hash } = await folderFor(sample, id);
  const draft = { files, hash, revision: undefined, name: sample.title, evenReadOnly: true };
  const saved = await drafts.save(workspace, id, draft, { by: SEEDER });
  if (saved.kind !== 'saved') throw new Error(`the draft of the sample ${sample.name} is ${saved.kind}`);
  const plan = JSON.stringify({ ...(JSON.parse(sample.version.plan) as object), pipeline: id });
  const version = await versions.save(
    workspace,
    id,
    {
      built: { ...sample.version, folder: JSON.stringify([...files]), plan, hash: await hashProgram(files) },
      message: 'As it comes with Millrace.',
      compilerVersion: sample.compilerVersion,
      draftRevision: saved.revision,
      parent: undefined,
    },
    { by: SEEDER },
  );
  if (version.kind !== 'saved') throw new Error(`the sample ${sample.name} went while it was seeded`);
  return version.number;
}

async function start(
  context: CatalogContext,
  workspace: string,
  pipeline: string,
  version: number,
): Promise<void> {
  const entry = await context.store.catalog.entries.get(workspace, pipeline);
  // `changed`: an earlier start came this far.
  await context.store.deployments.deploy({
    ...{
      pipeline,
      workspace,
      version,
      desired: 'running',
      workers: 1,
      plannedFrom: undefined,
      dropState: [],
    },
    folder: entry?.root,
    actor: SEEDER,
    message: '',
    ifRevision: 0,
  });
}

async function folderFor(sample: Sample, id: string) {
  const { pipeline, files: read } = readFolder(sample.files);
  const files = writeFolder({ ...pipeline, id }, read);
  return { files, hash: await hashFolder(files) };
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 8);

/** New pipelines: blank, from a sample or template, or a copy of another. */
import { isId, readFolder } from '@millrace/graph';
import type { CatalogEntry } from '@millrace/store';
import type { Actor } from '../http/actor.ts';
import { Problem } from '../http/problem.ts';
import type { Beginning } from '../samples/sample.ts';
import { refusedFolder } from './answers.ts';
import { beginningOf, type CatalogContext, entryOf, writeOf } from './catalog-context.ts';
import { blankFolder, draftFolder, type Files, isName } from './folder/draft-folder.ts';
import { mintPipelineId } from './folder/mint-pipeline-id.ts';

export interface NewPipeline {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly sample?: string | undefined;
  readonly files?: Readonly<Record<string, string>> | undefined;
}

const UNTITLED = 'Untitled pipeline';
const MAX_NAME = 200;

export async function createPipeline(
  context: CatalogContext,
  actor: Actor,
  wanted: NewPipeline,
): Promise<CatalogEntry> {
  if (wanted.files !== undefined) return createFromFolder(context, actor, wanted);
  const sample = wanted.sample === undefined ? undefined : sampleOf(context, wanted.sample);
  const name = wanted.name ?? sample?.title ?? UNTITLED;
  return store(context, actor, {
    name,
    description: wanted.description ?? sample?.description ?? '',
    tags: wanted.tags ?? sample?.tags ?? [],
    files: (id) => sample?.files ?? blankFolder(id, name),
    sample,
    baseVersion: undefined,
    action: 'pipeline.created',
    detail: { name, sample: sample?.name },
  });
}

/** The folder's id is kept: it is the same pipeline, wherever it lies. */
async function createFromFolder(
  context: CatalogContext,
  actor: Actor,
  { name, description = '', tags = [], sample, files = {} }: NewPipeline,
): Promise<CatalogEntry> {
  if (sample !== undefined) throw new Problem(400, 'invalid', 'Give a sample or files, not both.');
  const given = new Map(Object.entries(files));
  const own = readFolder(given).pipeline;
  const kept = own.id !== undefined && isId('p', own.id) ? own.id : undefined;
  return store(context, actor, {
    name: name ?? (isName(own.name) ? own.name : UNTITLED),
    description,
    tags,
    id: kept,
    files: () => given,
    sample: undefined,
    baseVersion: undefined,
    action: 'pipeline.created',
    detail: { name },
  });
}

/** G1: node ids are kept under the new pipeline's id, so nothing of the original's state is reached. */
export async function duplicatePipeline(
  context: CatalogContext,
  actor: Actor,
  source: CatalogEntry,
  name = copyName(source.name),
): Promise<CatalogEntry> {
  const draft = await context.store.catalog.drafts.get(source.workspace, source.id);
  return store(context, actor, {
    name,
    description: source.description,
    tags: source.tags,
    files: () => draft!.files,
    sample: beginningOf(context, source.sample),
    baseVersion: undefined,
    action: 'pipeline.duplicated',
    detail: { from: source.id, name },
  });
}

interface ToStore {
  /** Undefined: a new one. */
  readonly id?: string | undefined;
  readonly name: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly files: (id: string) => Files;
  readonly sample: Beginning | undefined;
  readonly baseVersion: number | undefined;
  readonly action: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

async function store(context: CatalogContext, actor: Actor, wanted: ToStore): Promise<CatalogEntry> {
  const { workspace } = actor;
  const { name, description, tags, sample, baseVersion, action, detail } = wanted;
  const id = wanted.id ?? mintPipelineId();
  const draft = await draftFolder(wanted.files(id), { id, types: context.types, takeId: true, name });
  if (draft.kind === 'refused') throw refusedFolder(draft.faults);
  if (draft.kind !== 'draft') throw new Error('a new pipeline takes its id');
  const root =
    sample === undefined ? '' : await context.sampleFiles.copy(sample, workspace, `${sample.name}-${id}`);
  const { files, hash } = draft;
  const entry = {
    id,
    workspace,
    name,
    description,
    tags,
    files,
    hash,
    baseVersion,
    root,
    sample: sample?.name,
  };
  const write = writeOf({ actor, action, target: id, detail });
  const outcome = await context.store.catalog.entries.create(entry, write);
  if (outcome === 'id-taken')
    throw new Problem(
      409,
      'id-taken',
      `There is another pipeline with the id ${id}; take the id out of the folder.`,
    );
  return entryOf(context, workspace, id);
}

function sampleOf(context: CatalogContext, name: string): Beginning {
  const sample = beginningOf(context, name);
  if (sample) return sample;
  const names = [...context.samples, ...context.templates].map((known) => known.name).join(', ');
  throw new Problem(422, 'no-such-sample', `There is no sample of this name; there are ${names}.`);
}

const copyName = (name: string): string =>
  `${[...name]
    .slice(0, MAX_NAME - 10)
    .join('')
    .slice(0, MAX_NAME - 10)} copy`;

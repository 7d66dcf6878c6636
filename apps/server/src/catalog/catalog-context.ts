/** What the catalog's handlers close over, and the words they share. */
import { readCompilerVersion } from '@millrace/compiler';
import type { NodeTypes } from '@millrace/graph';
import type { CatalogEntry, Store, Write } from '@millrace/store';
import { audit } from '../accounts/account-services.ts';
import type { Actor } from '../http/actor.ts';
import { notFound, Problem } from '../http/problem.ts';
import type { Beginning, Sample, Template } from '../samples/sample.ts';
import { type SampleFiles, sampleFiles } from '../samples/sample-files.ts';
import { type FolderCompiler, folderCompiler } from './compile/compile-folder.ts';

export interface Deed {
  readonly actor: Actor;
  /** `pipeline.created`, `draft.saved`, … */
  readonly action: string;
  /** The pipeline's id. */
  readonly target: string;
  readonly detail?: Readonly<Record<string, unknown>>;
}

export interface CatalogContext {
  readonly store: Pick<Store, 'catalog' | 'deployments'>;
  readonly types: NodeTypes;
  readonly compiler: FolderCompiler;
  readonly compilerVersion: string;
  readonly samples: readonly Sample[];
  readonly templates: readonly Template[];
  readonly sampleFiles: SampleFiles;
}

export interface CatalogOptions extends Pick<CatalogContext, 'store' | 'types' | 'samples'> {
  readonly templates?: readonly Template[];
  /** `<data>/files`. */
  readonly filesFolder: string;
}

export function catalogContext(options: CatalogOptions): CatalogContext {
  const { store, types, samples, templates = [], filesFolder } = options;
  return {
    store,
    types,
    samples,
    templates,
    compiler: folderCompiler(types),
    compilerVersion: readCompilerVersion(),
    sampleFiles: sampleFiles(filesFolder),
  };
}

/** A sample or template of this name. */
export const beginningOf = (
  { samples, templates }: CatalogContext,
  name: string | undefined,
): Beginning | undefined => [...samples, ...templates].find((known) => known.name === name);

/** The account behind a call, also where a token made it. */
export function accountOf(actor: Actor): string {
  if (actor.kind === 'nobody') throw new Error('a route of the catalog is open to nobody');
  return actor.account;
}

/** The audit log tells of a change in the transaction of the change. */
export const writeOf = ({ actor, ...entry }: Deed): Write => ({
  by: accountOf(actor),
  alongside: (sql) => audit(sql, actor, entry),
});

/** Also a deleted one; as a problem where there is none in the workspace. */
export async function entryOf(context: CatalogContext, workspace: string, id: string): Promise<CatalogEntry> {
  const entry = await context.store.catalog.entries.get(workspace, id);
  if (entry === undefined) throw notFound('pipeline');
  return entry;
}

export async function liveEntryOf(
  context: CatalogContext,
  workspace: string,
  id: string,
): Promise<CatalogEntry> {
  const entry = await entryOf(context, workspace, id);
  if (entry.deletedAt !== undefined) throw isDeleted();
  return entry;
}

export async function editableEntryOf(
  context: CatalogContext,
  workspace: string,
  id: string,
): Promise<CatalogEntry> {
  const entry = await liveEntryOf(context, workspace, id);
  if (entry.readOnly) throw isReadOnly();
  return entry;
}

export const isDeleted = (): Problem =>
  new Problem(410, 'deleted', 'This pipeline is deleted. Restore it first.');

export const isReadOnly = (): Problem =>
  new Problem(409, 'read-only', 'This is a sample and stays as it is. Duplicate it to make it yours.');

/** A tag that is no number is no revision of ours: it matches none. */
export const revisionOf = (tag: string): number => (/^\d{1,15}$/.test(tag) ? Number(tag) : -1);

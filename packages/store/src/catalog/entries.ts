/** Entries of the catalog: made, found, renamed, deleted and brought back (C1, C2, C4). */
import type pg from 'pg';
import { type Connections, transact } from '../sql/connections.ts';
import { sqlOf } from '../sql/database.ts';
import type { CatalogEntry, Write } from './catalog-entry.ts';
import { type DraftFiles, encodeFiles, INSERT_DRAFT, replaceDraft } from './drafts.ts';
import { getEntry, isDeleted, lockEntry } from './find-entry.ts';
import { type EntryPage, type EntryQuery, listEntries } from './list-entries.ts';
import { listTags, type TagCount } from './list-tags.ts';
import { draftText, entryText, fold } from './search-text.ts';

export interface NewEntry extends DraftFiles {
  readonly id: string;
  readonly workspace: string;
  readonly name: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly sample?: string | undefined;
  readonly readOnly?: boolean;
  readonly root?: string;
  readonly baseVersion?: number | undefined;
}

export interface EntryChange {
  /** Of the entry (C2); undefined where the caller does not care what it overwrites. */
  readonly revision: number | undefined;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  /** A new name stands in the draft too. */
  readonly draft?: (DraftFiles & { readonly revision: number }) | undefined;
}

export type Changed =
  | { readonly kind: 'changed'; readonly entry: CatalogEntry }
  | { readonly kind: 'conflict'; readonly entry: CatalogEntry }
  | { readonly kind: 'read-only'; readonly entry: CatalogEntry }
  | { readonly kind: 'not-found' };

export interface Entries {
  /** `id-taken`: here, in another workspace, or by data that an engine keeps under this id. */
  create(entry: NewEntry, write: Write): Promise<'created' | 'id-taken'>;
  /** Deleted ones too. */
  get(workspace: string, id: string): Promise<CatalogEntry | undefined>;
  /** Whether anything at all is kept under this id, in whatever workspace. */
  idIsTaken(id: string): Promise<boolean>;
  list(query: EntryQuery): Promise<EntryPage>;
  /** Of what is not deleted, most used first. */
  tags(workspace: string): Promise<readonly TagCount[]>;
  /** Not of a deleted one. */
  change(workspace: string, id: string, change: EntryChange, write: Write): Promise<Changed>;
  /** `running`: it should run, or has not stopped yet. */
  remove(workspace: string, id: string, write: Write): Promise<'removed' | 'running' | 'not-found'>;
  restore(workspace: string, id: string, write: Write): Promise<'restored' | 'not-found'>;
}

/** $1 id, $2 workspace, $3 name, $4 name key, $5 description, $6 tags, $7 search text, $8 sample, $9 read-only, $10 root, $11 by. */
const INSERT_ENTRY = `
insert into millrace.catalog_entries (id, workspace, name, name_key, description, tags, search_text, sample,
  read_only, root, created_by, updated_by)
select $1, $2, $3, $4, $5, $6::text[], $7, $8, $9, $10, $11, $11
 where not exists (select from millrace.pipelines where id = $1)
on conflict (id) do nothing`;

/** $1 id. */
const ID_IS_TAKEN = `
select exists (select from millrace.catalog_entries where id = $1)
    or exists (select from millrace.pipelines where id = $1) as taken`;

/** $1 id, $2 name, $3 name key, $4 description, $5 tags, $6 search text, $7 by. */
const UPDATE_ENTRY = `
update millrace.catalog_entries
   set name = $2, name_key = $3, description = $4, tags = $5::text[], search_text = $6, updated_by = $7,
       updated_at = now(), revision = revision + 1
 where id = $1`;

/** $1 id. A deploy locks the same row, so that one of the two comes second and sees the other. */
const LOCK_DEPLOYMENT = `
select desired <> 'stopped' or observed not in ('stopped', 'ended', 'failed') as running
  from millrace.deployments where pipeline = $1 for update`;

/** $1 id, $2 by. */
const MARK_DELETED = `
update millrace.catalog_entries
   set deleted_by = $2, deleted_at = now(), revision = revision + 1
 where id = $1`;

/** $1 id, $2 by. */
const UNMARK_DELETED = `
update millrace.catalog_entries
   set deleted_by = null, deleted_at = null, updated_by = $2, updated_at = now(), revision = revision + 1
 where id = $1`;

export function entries(connections: Connections): Entries {
  const inTransaction = <T>(body: (client: pg.Client) => Promise<T>): Promise<T> =>
    connections.run((session) => transact(session, body));
  return {
    create: (entry, write) =>
      connections.run((session, uncertain) =>
        transact(session, (client) => create(client, entry, write, uncertain)),
      ),
    get: (workspace, id) => connections.run(({ client }) => getEntry(client, workspace, id)),
    idIsTaken: (id) =>
      connections.run(async ({ client }) => {
        const { rows } = await client.query<{ taken: boolean }>(ID_IS_TAKEN, [id]);
        return rows[0]!.taken;
      }),
    list: (query) => connections.run(({ client }) => listEntries(client, query)),
    tags: (workspace) => connections.run(({ client }) => listTags(client, workspace)),
    change: (workspace, id, change, write) =>
      inTransaction((client) => changeEntry(client, { workspace, id, change, write })),
    remove: (workspace, id, write) => inTransaction((client) => remove(client, workspace, id, write)),
    restore: (workspace, id, write) => inTransaction((client) => restore(client, workspace, id, write)),
  };
}

async function create(
  client: pg.Client,
  entry: NewEntry,
  write: Write,
  uncertain: boolean,
): Promise<'created' | 'id-taken'> {
  const { id, workspace, name, description, tags, files, hash } = entry;
  const made = await client.query(INSERT_ENTRY, [
    ...[id, workspace, name, fold(name), description, [...tags], entryText(name, description, tags)],
    ...[entry.sample ?? null, entry.readOnly ?? false, entry.root ?? '', write.by],
  ]);
  // An attempt whose answer was lost may have been the one that made it.
  if (made.rowCount === 0)
    return uncertain && (await getEntry(client, workspace, id)) ? 'created' : 'id-taken';
  await client.query(INSERT_DRAFT, [
    ...[id, hash, encodeFiles(files), draftText(files), entry.baseVersion ?? null, write.by],
  ]);
  await write.alongside?.(sqlOf(client));
  return 'created';
}

interface ChangeRequest {
  readonly workspace: string;
  readonly id: string;
  readonly change: EntryChange;
  readonly write: Write;
}

async function changeEntry(
  client: pg.Client,
  { workspace, id, change, write }: ChangeRequest,
): Promise<Changed> {
  const entry = await lockEntry(client, workspace, id);
  if (entry === undefined) return { kind: 'not-found' };
  if (entry.readOnly) return { kind: 'read-only', entry };
  if (change.revision !== undefined && change.revision !== entry.revision) return { kind: 'conflict', entry };
  if (change.draft !== undefined && change.draft.revision !== entry.draftRevision)
    return { kind: 'conflict', entry };
  const { name = entry.name, description = entry.description, tags = entry.tags } = change;
  await client.query(UPDATE_ENTRY, [
    ...[id, name, fold(name), description, [...tags], entryText(name, description, tags), write.by],
  ]);
  if (change.draft !== undefined) await replaceDraft(client, id, change.draft, write.by);
  await write.alongside?.(sqlOf(client));
  return { kind: 'changed', entry: (await getEntry(client, workspace, id))! };
}

async function remove(
  client: pg.Client,
  workspace: string,
  id: string,
  write: Write,
): Promise<'removed' | 'running' | 'not-found'> {
  if ((await lockEntry(client, workspace, id)) === undefined) return 'not-found';
  const { rows } = await client.query<{ running: boolean }>(LOCK_DEPLOYMENT, [id]);
  if (rows[0]?.running === true) return 'running';
  await client.query(MARK_DELETED, [id, write.by]);
  await write.alongside?.(sqlOf(client));
  return 'removed';
}

async function restore(
  client: pg.Client,
  workspace: string,
  id: string,
  write: Write,
): Promise<'restored' | 'not-found'> {
  if ((await isDeleted(client, workspace, id)) !== true) return 'not-found';
  await client.query(UNMARK_DELETED, [id, write.by]);
  await write.alongside?.(sqlOf(client));
  return 'restored';
}

/** Drafts: whole folders with a revision, one per pipeline (C1, C2). */
import type pg from 'pg';
import { type Connections, transact } from '../sql/connections.ts';
import { sqlOf } from '../sql/database.ts';
import type { CatalogEntry, Write } from './catalog-entry.ts';
import { type DraftEditor, listDraftEditors } from './draft-editors.ts';
import { getEntry, lockEntry } from './find-entry.ts';
import { draftText, entryText, fold } from './search-text.ts';

export type Files = ReadonlyMap<string, string>;

export interface DraftFiles {
  readonly files: Files;
  /** `hashFolder` of the files. */
  readonly hash: string;
}

export interface StoredDraft extends DraftFiles {
  readonly revision: number;
  readonly baseVersion: number | undefined;
  readonly updatedBy: string;
  readonly updatedAt: Date;
}

export interface DraftChange extends DraftFiles {
  /** The draft's revision it was made on; undefined where the caller does not care what it overwrites. */
  readonly revision: number | undefined;
  /** What the folder calls itself; undefined where it has no usable name. */
  readonly name: string | undefined;
  /** The version the draft is now equal to. */
  readonly baseVersion?: number | undefined;
  /** For what keeps samples up to date. */
  readonly evenReadOnly?: boolean;
}

export type DraftSaved =
  | { readonly kind: 'saved'; readonly revision: number }
  | { readonly kind: 'conflict'; readonly revision: number }
  | { readonly kind: 'read-only' }
  | { readonly kind: 'not-found' };

export interface Drafts {
  /** Of a deleted pipeline too. */
  get(workspace: string, id: string): Promise<StoredDraft | undefined>;
  /** Not of a deleted pipeline. Equal files keep their revision. */
  save(workspace: string, id: string, change: DraftChange, write: Write): Promise<DraftSaved>;
  /** Newest first. */
  editors(workspace: string, id: string, since: Date): Promise<readonly DraftEditor[]>;
}

/** $1 pipeline, $2 hash, $3 files, $4 search text, $5 base version, $6 by. */
export const INSERT_DRAFT = `
insert into millrace.drafts (pipeline, revision, hash, files, search_text, base_version, updated_by)
values ($1, 1, $2, $3, $4, $5, $6)`;

/** $1 workspace, $2 pipeline. */
const GET_DRAFT = `
select d.revision, d.hash, d.files, d.base_version, d.updated_by, d.updated_at
  from millrace.drafts d join millrace.catalog_entries e on e.id = d.pipeline
 where e.workspace = $1 and e.id = $2`;

/** $1 pipeline, $2 hash, $3 files, $4 search text, $5 base version (null keeps it), $6 by. */
const REPLACE_DRAFT = `
update millrace.drafts
   set revision = revision + 1, hash = $2, files = $3, search_text = $4,
       base_version = coalesce($5, base_version), updated_by = $6, updated_at = now()
 where pipeline = $1`;

/** $1 pipeline. */
const DRAFT_HASH = `
select hash from millrace.drafts where pipeline = $1`;

/** $1 pipeline, $2 base version. */
export const SET_BASE_VERSION = `
update millrace.drafts set base_version = $2 where pipeline = $1`;

/** $1 id, $2 name, $3 name key, $4 search text. */
const FOLLOW_NAME = `
update millrace.catalog_entries
   set name = $2, name_key = $3, search_text = $4, revision = revision + 1
 where id = $1`;

interface DraftRow {
  revision: string;
  hash: string;
  files: Buffer;
  base_version: number | null;
  updated_by: string;
  updated_at: Date;
}

export function drafts(connections: Connections): Drafts {
  return {
    get: (workspace, id) =>
      connections.run(async ({ client }) => {
        const { rows } = await client.query<DraftRow>(GET_DRAFT, [workspace, id]);
        return rows[0] && toDraft(rows[0]);
      }),
    editors: (workspace, id, since) =>
      connections.run(({ client }) => listDraftEditors(client, workspace, id, since)),
    save: (workspace, id, change, write) =>
      connections.run((session, uncertain) =>
        transact(session, (client) => save(client, { workspace, id, change, write, uncertain })),
      ),
  };
}

interface SaveRequest {
  readonly workspace: string;
  readonly id: string;
  readonly change: DraftChange;
  readonly write: Write;
  readonly uncertain: boolean;
}

async function save(
  client: pg.Client,
  { workspace, id, change, write, uncertain }: SaveRequest,
): Promise<DraftSaved> {
  const entry = await lockEntry(client, workspace, id);
  if (entry === undefined) return { kind: 'not-found' };
  if (entry.readOnly && change.evenReadOnly !== true) return { kind: 'read-only' };
  const revision = entry.draftRevision;
  const equal = (await client.query<{ hash: string }>(DRAFT_HASH, [id])).rows[0]?.hash === change.hash;
  // An attempt whose answer was lost may have been the one that saved it.
  if (uncertain && equal) return { kind: 'saved', revision };
  if (change.revision !== undefined && change.revision !== revision) return { kind: 'conflict', revision };
  if (equal) {
    if (change.baseVersion !== undefined) await client.query(SET_BASE_VERSION, [id, change.baseVersion]);
    return { kind: 'saved', revision };
  }
  await replaceDraft(client, id, change, write.by);
  await followName(client, entry, change.name);
  await write.alongside?.(sqlOf(client));
  return { kind: 'saved', revision: (await getEntry(client, workspace, id))!.draftRevision };
}

export async function replaceDraft(
  client: pg.Client,
  id: string,
  { files, hash, baseVersion }: DraftFiles & { readonly baseVersion?: number | undefined },
  by: string,
): Promise<void> {
  await client.query(REPLACE_DRAFT, [
    ...[id, hash, encodeFiles(files), draftText(files), baseVersion ?? null, by],
  ]);
}

async function followName(client: pg.Client, entry: CatalogEntry, name: string | undefined): Promise<void> {
  if (name === undefined || name === entry.name) return;
  const text = entryText(name, entry.description, entry.tags);
  await client.query(FOLLOW_NAME, [entry.id, name, fold(name), text]);
}

export function encodeFiles(files: Files): Buffer {
  return Buffer.from(JSON.stringify([...files]), 'utf8');
}

export function decodeFiles(bytes: Buffer): Files {
  return new Map(JSON.parse(bytes.toString('utf8')) as [string, string][]);
}

function toDraft(row: DraftRow): StoredDraft {
  return {
    files: decodeFiles(row.files),
    hash: row.hash,
    revision: Number(row.revision),
    baseVersion: row.base_version ?? undefined,
    updatedBy: row.updated_by,
    updatedAt: row.updated_at,
  };
}

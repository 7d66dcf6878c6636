/** One entry, with and without the lock that every change of it takes first. */
import type pg from 'pg';
import { type CatalogEntry, ENTRY_COLUMNS, type EntryRow, toEntry } from './catalog-entry.ts';

/** $1 workspace, $2 id. */
const GET_ENTRY = `
select ${ENTRY_COLUMNS}
  from millrace.catalog_entries e join millrace.drafts d on d.pipeline = e.id
 where e.workspace = $1 and e.id = $2`;

/** $1 workspace, $2 id. */
const LOCK_ENTRY = `
select deleted_at is not null as deleted
  from millrace.catalog_entries where workspace = $1 and id = $2 for update`;

export async function getEntry(
  client: pg.Client,
  workspace: string,
  id: string,
): Promise<CatalogEntry | undefined> {
  const { rows } = await client.query<EntryRow>(GET_ENTRY, [workspace, id]);
  return rows[0] && toEntry(rows[0]);
}

/** Under a lock: whether it is deleted; undefined when there is none. */
export async function isDeleted(
  client: pg.Client,
  workspace: string,
  id: string,
): Promise<boolean | undefined> {
  const { rows } = await client.query<{ deleted: boolean }>(LOCK_ENTRY, [workspace, id]);
  return rows[0]?.deleted;
}

/** The entry under a lock, unless it is deleted. Everything that changes an entry or its draft begins with it. */
export async function lockEntry(
  client: pg.Client,
  workspace: string,
  id: string,
): Promise<CatalogEntry | undefined> {
  return (await isDeleted(client, workspace, id)) === false ? getEntry(client, workspace, id) : undefined;
}

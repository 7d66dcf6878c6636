/** What the catalog keeps of a pipeline besides its draft and versions. */
import type { Sql } from '../sql/database.ts';

export interface CatalogEntry {
  readonly id: string;
  readonly workspace: string;
  readonly name: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly revision: number;
  readonly sample: string | undefined;
  readonly readOnly: boolean;
  /** Folder under the workspace's files that relative paths in its settings start from. */
  readonly root: string;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly updatedBy: string;
  readonly updatedAt: Date;
  readonly deletedBy: string | undefined;
  readonly deletedAt: Date | undefined;
  readonly draftRevision: number;
  /** Number of the newest version; undefined while there is none. */
  readonly newestVersion: number | undefined;
}

/** Who writes, and what else belongs into the same transaction, such as the entry in the audit log. */
export interface Write {
  readonly by: string;
  readonly alongside?: (sql: Sql) => Promise<void>;
}

export interface EntryRow {
  id: string;
  workspace: string;
  name: string;
  description: string;
  tags: string[];
  revision: string;
  sample: string | null;
  read_only: boolean;
  root: string;
  created_by: string;
  created_at: Date;
  updated_by: string;
  updated_at: Date;
  deleted_by: string | null;
  deleted_at: Date | null;
  draft_revision: string;
  newest_version: number | null;
}

export const ENTRY_COLUMNS = `
e.id, e.workspace, e.name, e.description, e.tags, e.revision, e.sample, e.read_only, e.root, e.created_by,
e.created_at, e.updated_by, greatest(e.updated_at, d.updated_at) as updated_at, e.deleted_by, e.deleted_at,
d.revision as draft_revision,
(select max(v.number) from millrace.versions v join millrace.pipelines p on p.number = v.pipeline
  where p.id = e.id) as newest_version`;

export function toEntry(row: EntryRow): CatalogEntry {
  return {
    id: row.id,
    workspace: row.workspace,
    name: row.name,
    description: row.description,
    tags: row.tags,
    revision: Number(row.revision),
    sample: row.sample ?? undefined,
    readOnly: row.read_only,
    root: row.root,
    createdBy: row.created_by,
    createdAt: row.created_at,
    updatedBy: row.updated_by,
    updatedAt: row.updated_at,
    deletedBy: row.deleted_by ?? undefined,
    deletedAt: row.deleted_at ?? undefined,
    draftRevision: Number(row.draft_revision),
    newestVersion: row.newest_version ?? undefined,
  };
}

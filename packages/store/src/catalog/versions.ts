/** Versions as people see them: who made which, when, from what, and what is in it (C3). */
import type { StoredVersion } from '@millrace/engine';
import type pg from 'pg';
import { openPipeline } from '../pipeline/open-pipeline.ts';
import { contentHash } from '../pipeline/versions.ts';
import { FIND_VERSION, LOCK_PIPELINE } from '../queries/versions.ts';
import { type Connections, transact } from '../sql/connections.ts';
import { sqlOf } from '../sql/database.ts';
import type { Write } from './catalog-entry.ts';
import { decodeFiles, type Files, SET_BASE_VERSION } from './drafts.ts';
import { lockEntry } from './find-entry.ts';

export interface VersionEntry {
  readonly number: number;
  /** Of the program: graph and code, without layout and recorded cases. */
  readonly hash: string;
  readonly message: string;
  /** Undefined where the command line made it. */
  readonly author: string | undefined;
  readonly parent: number | undefined;
  readonly sdkVersion: string;
  readonly compilerVersion: string | undefined;
  readonly createdAt: Date;
}

export interface VersionFolder extends VersionEntry {
  readonly files: Files;
}

export interface NewVersion {
  readonly built: Omit<StoredVersion, 'number'>;
  readonly message: string;
  readonly compilerVersion: string;
  /** The draft's revision it was made of: if nobody edited since, the draft is based on it now. */
  readonly draftRevision: number;
  readonly parent: number | undefined;
}

export type VersionSaved =
  | { readonly kind: 'saved'; readonly number: number; readonly isNew: boolean }
  | { readonly kind: 'not-found' };

export interface CatalogVersions {
  save(workspace: string, id: string, version: NewVersion, write: Write): Promise<VersionSaved>;
  /** Newest first; `before`: only lower numbers. */
  list(workspace: string, id: string, page: VersionPage): Promise<readonly VersionEntry[]>;
  get(workspace: string, id: string, number: number): Promise<VersionFolder | undefined>;
}

export interface VersionPage {
  readonly before: number | undefined;
  readonly limit: number;
}

/** $1 pipeline, $2 content hash, $3 hash, $4 folder, $5 plan, $6 bundle, $7 SDK version, $8 message, $9 author, $10 parent, $11 compiler version. */
const INSERT_CATALOG_VERSION = `
insert into millrace.versions (pipeline, number, content_hash, hash, folder, plan, bundle, sdk_version,
  message, author, parent, compiler_version)
select $1::int4, coalesce(max(number), 0) + 1, $2::bytea, $3::bytea, $4::bytea, $5::bytea, $6::bytea, $7::bytea,
       $8, $9, $10, $11
  from millrace.versions where pipeline = $1::int4
returning number`;

const COLUMNS = `v.number, v.hash, v.message, v.author, v.parent, v.sdk_version, v.compiler_version, v.created_at`;

const OF_PIPELINE = `
  from millrace.versions v
  join millrace.pipelines p on p.number = v.pipeline
  join millrace.catalog_entries e on e.id = p.id
 where e.workspace = $1 and e.id = $2`;

/** $1 workspace, $2 id, $3 before, $4 limit. */
const LIST_VERSIONS = `
select ${COLUMNS} ${OF_PIPELINE} and ($3::int8 is null or v.number < $3::int8) order by v.number desc limit $4`;

/** $1 workspace, $2 id, $3 number. */
const GET_VERSION_FOLDER = `
select ${COLUMNS}, v.folder ${OF_PIPELINE} and v.number = $3`;

interface VersionRow {
  number: number;
  hash: Buffer;
  message: string;
  author: string | null;
  parent: number | null;
  sdk_version: Buffer;
  compiler_version: string | null;
  created_at: Date;
}

export function catalogVersions(connections: Connections): CatalogVersions {
  return {
    save: async (workspace, id, version, write) => {
      // The row and its log segments must stand before a version can name it.
      if (!(await exists(connections, workspace, id))) return { kind: 'not-found' };
      const { number } = await openPipeline(id, connections, {});
      return connections.run((session) =>
        transact(session, (client) => save(client, { workspace, id, pipeline: number, version, write })),
      );
    },
    list: (workspace, id, { before, limit }) =>
      connections.run(async ({ client }) => {
        const { rows } = await client.query<VersionRow>(LIST_VERSIONS, [
          workspace,
          id,
          before ?? null,
          limit,
        ]);
        return rows.map(toVersionEntry);
      }),
    get: (workspace, id, number) =>
      connections.run(async ({ client }) => {
        const { rows } = await client.query<VersionRow & { folder: Buffer }>(GET_VERSION_FOLDER, [
          workspace,
          id,
          number,
        ]);
        return rows[0] && { ...toVersionEntry(rows[0]), files: decodeFiles(rows[0].folder) };
      }),
  };
}

async function exists(connections: Connections, workspace: string, id: string): Promise<boolean> {
  return connections.run((session) =>
    transact(session, async (client) => (await lockEntry(client, workspace, id)) !== undefined),
  );
}

interface SaveRequest {
  readonly workspace: string;
  readonly id: string;
  readonly pipeline: number;
  readonly version: NewVersion;
  readonly write: Write;
}

async function save(
  client: pg.Client,
  { workspace, id, pipeline, version, write }: SaveRequest,
): Promise<VersionSaved> {
  const entry = await lockEntry(client, workspace, id);
  if (entry === undefined) return { kind: 'not-found' };
  await client.query(LOCK_PIPELINE, [pipeline]);
  const { hash, folder, plan, bundle, sdkVersion } = version.built;
  // The whole folder counts here: who publishes a new layout or case gets a new version.
  const content = contentHash([hash, plan, bundle, folder]);
  const found = await client.query<{ number: number }>(FIND_VERSION, [pipeline, content]);
  let number = found.rows[0]?.number;
  const isNew = number === undefined;
  if (number === undefined) {
    const made = await client.query<{ number: number }>(INSERT_CATALOG_VERSION, [
      pipeline,
      content,
      ...[hash, folder, plan, bundle, sdkVersion].map((text) => Buffer.from(text, 'utf8')),
      ...[version.message, write.by, version.parent ?? null, version.compilerVersion],
    ]);
    number = made.rows[0]!.number;
    await write.alongside?.(sqlOf(client));
  }
  if (entry.draftRevision === version.draftRevision) await client.query(SET_BASE_VERSION, [id, number]);
  return { kind: 'saved', number, isNew };
}

function toVersionEntry(row: VersionRow): VersionEntry {
  return {
    number: row.number,
    hash: row.hash.toString('utf8'),
    message: row.message,
    author: row.author ?? undefined,
    parent: row.parent ?? undefined,
    sdkVersion: row.sdk_version.toString('utf8'),
    compilerVersion: row.compiler_version ?? undefined,
    createdAt: row.created_at,
  };
}

/**
 * Documents of drafts. One process writes a document at a time (it holds the server's lock); every write is keyed
 * by its position, so that one whose answer was lost does no harm when it runs again.
 */
import type { Database, Sql } from '../sql/database.ts';

export interface StoredDocument {
  readonly epoch: number;
  readonly folderPosition: number;
  readonly folderRevision: number;
  /** In order. */
  readonly updates: readonly { readonly position: number; readonly bytes: Uint8Array }[];
  /** Client id to the account it was issued to. */
  readonly clients: ReadonlyMap<number, string>;
}

/** A document that begins, or begins anew: what was there is gone with its client ids. */
export interface DocumentStart {
  readonly epoch: number;
  readonly position: number;
  readonly state: Uint8Array;
  readonly folderRevision: number;
  readonly by: string;
}

export interface StoredHistory {
  readonly revision: number;
  /** JSON. */
  readonly history: string;
}

export interface DocumentStore {
  load(pipeline: string): Promise<StoredDocument | undefined>;
  begin(pipeline: string, start: DocumentStart): Promise<void>;
  append(pipeline: string, position: number, bytes: Uint8Array, by: string): Promise<void>;
  /** One row in place of all up to this position. */
  compact(pipeline: string, position: number, state: Uint8Array): Promise<void>;
  /** False: it is somebody's already. */
  issueClient(pipeline: string, client: number, account: string): Promise<boolean>;
  /** The draft's folder, as it lies there, holds all up to this position. */
  markFolder(sql: Sql, pipeline: string, position: number): Promise<void>;
  markFolderNow(pipeline: string, position: number): Promise<void>;
  /** Whose folder has fallen behind, as after a crash. */
  behind(): Promise<readonly { readonly workspace: string; readonly pipeline: string }[]>;
  history(pipeline: string, account: string): Promise<StoredHistory | undefined>;
  saveHistory(pipeline: string, account: string, history: StoredHistory): Promise<void>;
}

/** $1 pipeline. */
const GET_DOCUMENT = `
select epoch, folder_position, folder_revision from millrace.documents where pipeline = $1`;

/** $1 pipeline. */
const GET_UPDATES = `
select position, bytes from millrace.document_updates where pipeline = $1 order by position`;

/** $1 pipeline. */
const GET_CLIENTS = `
select client, account from millrace.document_clients where pipeline = $1`;

/** $1 pipeline. */
const FORGET: readonly string[] = [
  'delete from millrace.document_updates where pipeline = $1',
  'delete from millrace.document_clients where pipeline = $1',
];

/** $1 pipeline, $2 epoch, $3 position, $4 revision of the folder. */
const BEGIN = `
insert into millrace.documents (pipeline, epoch, folder_position, folder_revision) values ($1, $2, $3, $4)
on conflict (pipeline) do update
   set epoch = excluded.epoch, folder_position = excluded.folder_position,
       folder_revision = excluded.folder_revision`;

/** $1 pipeline, $2 position, $3 bytes, $4 by. */
const APPEND = `
insert into millrace.document_updates (pipeline, position, bytes, updated_by) values ($1, $2, $3, $4)
on conflict (pipeline, position) do nothing`;

/** $1 pipeline, $2 position. */
const DELETE_BEFORE = `
delete from millrace.document_updates where pipeline = $1 and position < $2`;

/** $1 pipeline, $2 position, $3 bytes. */
const REPLACE = `
update millrace.document_updates set bytes = $3 where pipeline = $1 and position = $2`;

/** $1 pipeline, $2 client, $3 account. */
const ISSUE_CLIENT = `
insert into millrace.document_clients (pipeline, client, account) values ($1, $2, $3)
on conflict (pipeline, client) do nothing`;

/** $1 pipeline, $2 position. */
const MARK_FOLDER = `
update millrace.documents
   set folder_position = $2,
       folder_revision = (select revision from millrace.drafts where drafts.pipeline = $1)
 where pipeline = $1`;

const BEHIND = `
select e.workspace, d.pipeline
  from millrace.documents d join millrace.catalog_entries e on e.id = d.pipeline
 where e.deleted_at is null
   and d.folder_position < (select max(u.position) from millrace.document_updates u where u.pipeline = d.pipeline)`;

/** $1 pipeline, $2 account. */
const GET_HISTORY = `
select revision, history from millrace.document_histories where pipeline = $1 and account = $2`;

/** $1 pipeline, $2 account, $3 revision, $4 history. */
const SAVE_HISTORY = `
insert into millrace.document_histories (pipeline, account, revision, history) values ($1, $2, $3, $4)
on conflict (pipeline, account) do update set revision = excluded.revision, history = excluded.history`;

export function documentStore(database: Database): DocumentStore {
  return {
    load: (pipeline) => database.transact((sql) => load(sql, pipeline)),
    begin: (pipeline, { epoch, position, state, folderRevision, by }) =>
      database.transact(async (sql) => {
        for (const text of FORGET) await sql.change(text, [pipeline]);
        await sql.change(BEGIN, [pipeline, epoch, position, folderRevision]);
        await sql.change(APPEND, [pipeline, position, bytesOf(state), by]);
      }),
    append: async (pipeline, position, bytes, by) => {
      await database.change(APPEND, [pipeline, position, bytesOf(bytes), by]);
    },
    compact: (pipeline, position, state) =>
      database.transact(async (sql) => {
        await sql.change(REPLACE, [pipeline, position, bytesOf(state)]);
        await sql.change(DELETE_BEFORE, [pipeline, position]);
      }),
    issueClient: async (pipeline, client, account) =>
      (await database.change(ISSUE_CLIENT, [pipeline, client, account])) === 1,
    markFolder: async (sql, pipeline, position) => {
      await sql.change(MARK_FOLDER, [pipeline, position]);
    },
    markFolderNow: async (pipeline, position) => {
      await database.change(MARK_FOLDER, [pipeline, position]);
    },
    behind: () => database.rows(BEHIND),
    history: async (pipeline, account) => {
      const rows = await database.rows<{ revision: string; history: Buffer }>(GET_HISTORY, [
        pipeline,
        account,
      ]);
      return rows[0] && { revision: Number(rows[0].revision), history: rows[0].history.toString('utf8') };
    },
    saveHistory: async (pipeline, account, { revision, history }) => {
      await database.change(SAVE_HISTORY, [pipeline, account, revision, Buffer.from(history, 'utf8')]);
    },
  };
}

async function load(sql: Sql, pipeline: string): Promise<StoredDocument | undefined> {
  const [row] = await sql.rows<{ epoch: number; folder_position: string; folder_revision: string }>(
    GET_DOCUMENT,
    [pipeline],
  );
  if (row === undefined) return undefined;
  const updates = await sql.rows<{ position: string; bytes: Buffer }>(GET_UPDATES, [pipeline]);
  const clients = await sql.rows<{ client: string; account: string }>(GET_CLIENTS, [pipeline]);
  return {
    epoch: row.epoch,
    folderPosition: Number(row.folder_position),
    folderRevision: Number(row.folder_revision),
    updates: updates.map(({ position, bytes }) => ({ position: Number(position), bytes })),
    clients: new Map(clients.map(({ client, account }) => [Number(client), account])),
  };
}

/** A view of the same bytes that the driver sends as bytea. */
const bytesOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

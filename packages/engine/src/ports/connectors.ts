/**
 * Connectors run in the host and move bytes; they never decode a record. An injector hands over byte ranges
 * (or ordinals) with offsets, the ingest stage of a worker parses them. A sink takes bytes that the egress
 * stage of a worker made, and writes them together with its mark.
 */

import type { Chunk, RememberedRequest, RequestAnswer } from '@millrace/protocol';

/** What connectors on a server may reach; which of it an admin allows is settings of the server. */
export interface ConnectorWalls {
  /** Folders, beside the context's own, in which files may be named by absolute paths. */
  readonly folders: readonly string[];
  /** Millrace's own data folder: nothing in it is a pipeline's but what lies in the context's folder. */
  readonly own: string | undefined;
  /** Hosts that may be reached although their addresses are private: `name`, `address`, either with `:port`. */
  readonly hosts: readonly string[];
}

export interface ConnectorContext {
  readonly nodeId: string;
  readonly nodeName: string;
  /** Relative paths in settings are resolved against it. */
  readonly folder: string;
  /** Resolves `{ "secret": name }`. */
  secret(name: string): Promise<string>;
  /** Undefined where connectors have the rights of whoever runs the process (`millrace run`). */
  readonly walls?: ConnectorWalls | undefined;
  now(): number;
  /**
   * For injectors that are pushed to: what the pipeline remembers of requests for `keepMs`. Given by the engine;
   * without it nothing runs, and the injector is opened only to see whether it could be.
   */
  requestMemory?(keepMs: number): RequestMemory;
  /** A connection to the database that Millrace itself uses, with no more rights than sinks have. */
  ownDatabase?(): Promise<SqlConnection>;
  /** Something a person should know while the run goes on: a full disk, a database that is away. */
  log?(message: string): void;
}

/** What a source hands over; said with the frames, for it goes to the worker as it is. */
export type SourceChunk = Chunk;

export interface RequestMemory {
  /** What is committed of the request with this idempotency key; undefined: nothing, or no longer. */
  find(key: string): Promise<RememberedRequest | undefined>;
}

export interface SourcePartition {
  /** Stable name, part of record ids: the path as written, `0`, … */
  readonly name: string;
  /**
   * Yields chunks from `offset` on. The iterator is pulled only when the worker has room, so waiting inside
   * `next()` must end when `signal` aborts. A source that cannot be read throws an Error that says what was
   * tried, on what, why it failed and what to do.
   */
  read(offset: number, signal: AbortSignal): AsyncIterable<SourceChunk>;
  /**
   * Of a partition that is pushed to: told of every commit that moved its mark, in order. `answers` are those of
   * the requests right in front of `offset`; a later `read` begins there.
   */
  committed?(offset: number, answers: readonly RequestAnswer[]): void;
  /** The same, told whether the pipeline is paused: nothing that comes now is read before somebody resumes it. */
  held?(held: boolean): void;
}

export interface OpenInjector {
  readonly partitions: readonly SourcePartition[];
  close(): Promise<void>;
}

export interface InjectorConnector {
  open(config: Readonly<Record<string, unknown>>, context: ConnectorContext): Promise<OpenInjector>;
}

/** One record for a sink: `bytes` is UTF-8 JSON made by the egress stage. */
export interface SinkRow {
  /** Log position and ordinal within it: unique and stable, so (position, ordinal) is a row's identity. */
  readonly position: number;
  readonly ordinal: number;
  /** Id of the stream it came on. */
  readonly stream?: string | undefined;
  readonly recordId: string;
  readonly key: string;
  readonly timestamp: number;
  readonly bytes: Uint8Array;
}

/** Several records as one text of whole lines, each of which ends in a newline. */
export interface SinkText {
  readonly position: number;
  readonly bytes: Uint8Array;
}

export interface SinkBatch {
  /** None where `egress` is `text`. */
  readonly rows: readonly SinkRow[];
  /** What there is instead where `egress` is `text`. */
  readonly texts?: readonly SinkText[] | undefined;
  /** The mark to commit with these rows: every row at or below it is in the sink. */
  readonly through: number;
}

export interface SinkMark {
  readonly through: number;
  /** The sink's own: file length and identity, … */
  readonly detail: Readonly<Record<string, unknown>>;
}

export interface SinkDeadLetter {
  readonly row: SinkRow;
  readonly error: string;
}

/** The little of `pg` that a sink in our own database needs. */
export interface SqlClient {
  query(
    text: string,
    values?: readonly unknown[],
  ): Promise<{ rows: Record<string, unknown>[]; rowCount: number | null }>;
}

export interface SqlConnection extends SqlClient {
  /** Also in the middle of a query, which then fails. */
  close(): Promise<void>;
}

export interface SinkContext extends ConnectorContext {
  readonly pipelineId: string;
  /** The mark last committed in our database, or undefined for a new sink. */
  mark(): Promise<SinkMark | undefined>;
  /**
   * Commits mark and dead letters in one transaction of our database, with the host's lease locked. `write`
   * runs in the same transaction, as role `millrace_data` where that role exists. Throws `FencedError` when
   * the lease is lost, and whatever `write` throws after rolling back.
   */
  commit(
    mark: SinkMark,
    deadLetters: readonly SinkDeadLetter[],
    write?: (sql: SqlClient) => Promise<void>,
  ): Promise<void>;
}

export interface OpenSink {
  /** Highest position already in the sink. */
  readonly through: number;
  /**
   * Writes the rows and the mark as P7 says and returns when both are durable. Rows the target refuses for
   * their content are dead letters; a target that is away makes it wait and retry until `signal` aborts.
   */
  deliver(batch: SinkBatch, signal: AbortSignal): Promise<{ readonly rejected: number }>;
  close(): Promise<void>;
}

/**
 * What a sink takes. `line`: rows with an id, whose bytes are `{key, value, timestamp, pane?}` as JSON. `text`: such
 * lines and nothing else, which costs a fraction of it, and no row can be refused. `none`: rows are only counted and
 * never leave the worker.
 */
export type Egress = 'line' | 'text' | 'none';

export interface SinkConnector {
  readonly egress: Egress;
  open(config: Readonly<Record<string, unknown>>, context: SinkContext): Promise<OpenSink>;
}

export interface Connectors {
  injector(type: string): InjectorConnector | undefined;
  sink(type: string): SinkConnector | undefined;
}

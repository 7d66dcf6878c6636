/**
 * The database side of a sink (P7): mark, dead letters and, for a sink in our own database, the rows, in one
 * transaction that holds the host's lease.
 *
 * Invariants
 * - S1 What `write` does is committed with the mark or not at all. When the answer to the commit is lost, the id
 *   of the call in the mark's row says whether it took effect; only if not does everything run again, `write`
 *   included.
 * - S2 `write` acts as `millrace_data` where that role exists; our own statements never do. Behind the walls of a
 *   server nothing is written where it does not.
 */
import { randomUUID } from 'node:crypto';
import type {
  ConnectorContext,
  DeadLetterRow,
  SinkContext,
  SinkDeadLetter,
  SinkMark,
  SinkRow,
  SqlClient,
} from '@millrace/engine';
import { ByteWriter, encodeSinkRow, LARGEST_REDRIVABLE } from '@millrace/protocol';
import type pg from 'pg';
import { FencedError, StoreError } from '../errors.ts';
import type { DataRole } from '../migrations/data-role.ts';
import { GET_SINK_MARK, SET_SINK_MARK } from '../queries/sink-marks.ts';
import { transact } from '../sql/connections.ts';
import { classify } from '../sql/failures.ts';
import type { Session } from '../sql/session.ts';
import { recordDeadLetters } from './dead-letters.ts';
import { holdHost } from './leases.ts';
import type { OpenedPipeline } from './opened.ts';

export interface SinkContextOptions {
  readonly pipeline: OpenedPipeline;
  readonly hostSequencer: number;
  readonly connector: ConnectorContext;
  readonly dataRole: DataRole;
}

type Write = (sql: SqlClient) => Promise<void>;

export function sinkContext(options: SinkContextOptions): SinkContext {
  const { pipeline, connector } = options;
  return {
    nodeId: connector.nodeId,
    nodeName: connector.nodeName,
    folder: connector.folder,
    walls: connector.walls,
    secret: (name) => connector.secret(name),
    now: () => connector.now(),
    log: (message) => connector.log?.(message),
    pipelineId: pipeline.id,
    mark: () => readMark(options),
    commit: (mark, deadLetters, write) => commitMark(options, mark, deadLetters, write),
  };
}

async function readMark({ pipeline, connector }: SinkContextOptions): Promise<SinkMark | undefined> {
  const row = await pipeline.connections.run((session) => selectMark(session, pipeline, connector.nodeId));
  return row && { through: Number(row.through), detail: JSON.parse(row.detail) as SinkMark['detail'] };
}

async function commitMark(
  options: SinkContextOptions,
  mark: SinkMark,
  deadLetters: readonly SinkDeadLetter[],
  write: Write | undefined,
): Promise<void> {
  const { pipeline, connector, hostSequencer } = options;
  const call = randomUUID();
  try {
    await pipeline.connections.run(async (session, uncertain) => {
      if (uncertain && (await selectMark(session, pipeline, connector.nodeId))?.written_by === call) return;
      await transact(session, async (client) => {
        if (!(await holdHost(client, pipeline, hostSequencer)))
          throw new FencedError(`The commit of sink "${connector.nodeName}"`);
        if (write) await runWrite(client, write, options);
        const detail = JSON.stringify(mark.detail);
        await client.query(SET_SINK_MARK, [pipeline.number, connector.nodeId, mark.through, detail, call]);
        await recordDeadLetters(
          client,
          pipeline,
          deadLetters.map((letter) => toRow(letter, connector)),
        );
      });
    });
  } catch (error) {
    throw error instanceof WriteFailure ? error.thrown : error;
  }
}

async function selectMark(session: Session, pipeline: OpenedPipeline, node: string) {
  const { rows } = await session.client.query<{ through: string; detail: string; written_by: string }>(
    GET_SINK_MARK,
    [pipeline.number, node],
  );
  return rows[0];
}

/** Keeps an error of `write` apart from ours, so that its own ENOENT is not taken for a lost database. */
class WriteFailure extends Error {
  readonly thrown: unknown;

  constructor(thrown: unknown) {
    super('the sink could not write');
    this.thrown = thrown;
  }
}

async function runWrite(
  client: pg.Client,
  write: Write,
  { dataRole, connector }: SinkContextOptions,
): Promise<void> {
  if (dataRole.kind === 'off' && connector.walls !== undefined) throw sinksOff(connector, dataRole.reason);
  let lost: unknown;
  let open = true;
  const sql: SqlClient = {
    async query(text, values) {
      if (!open) throw new Error('This sink transaction has ended.');
      try {
        const { rows, rowCount } = await client.query<Record<string, unknown>>(text, values && [...values]);
        return { rows, rowCount };
      } catch (error) {
        if (classify(error) !== 'statement') lost = error;
        throw error;
      }
    },
  };
  if (dataRole.kind === 'ready') await client.query('set local role millrace_data');
  try {
    await write(sql);
  } catch (thrown) {
    throw lost ?? new WriteFailure(thrown);
  } finally {
    open = false;
  }
  if (lost) throw lost;
  await client.query('reset role');
  await client.query('set search_path = pg_catalog');
}

function sinksOff({ nodeName }: ConnectorContext, reason: string): StoreError {
  return new StoreError(
    'data-role-off',
    `Node "${nodeName}" could not write to its table: on a server, sinks write as a role of their own only. ${reason} Give DATABASE_URL a user that may create roles, or this sink a database of its own with \`url\`.`,
    { domain: 'user' },
  );
}

function rowToRedrive({ stream, recordId, key, timestamp, bytes }: SinkRow): DeadLetterRow['redrive'] {
  const w = new ByteWriter(bytes.length + 256);
  encodeSinkRow(w, { id: recordId, key, timestamp, bytes });
  if (w.length > LARGEST_REDRIVABLE) return undefined;
  return { kind: 'row', stream, bytes: Buffer.from(w.take()).toString('base64') };
}

function toRow({ row, error }: SinkDeadLetter, connector: ConnectorContext): DeadLetterRow {
  return {
    id: `${connector.nodeId} ${row.position} ${row.ordinal}`,
    node: connector.nodeId,
    input: Buffer.from(row.bytes.buffer, row.bytes.byteOffset, row.bytes.byteLength).toString('utf8'),
    error,
    stack: '',
    key: row.key,
    timestamp: row.timestamp,
    origin: `sink "${connector.nodeName}", record ${row.recordId}`,
    state: undefined,
    version: 0,
    attempts: 1,
    redrive: rowToRedrive(row),
  };
}

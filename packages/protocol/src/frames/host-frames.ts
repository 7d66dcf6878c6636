/**
 * Host → worker. The first byte names the frame. Frames that carry input (`chunk`, `deliver`, `watermarks`,
 * `tick`, `final-wall`, `intervals`, `inherit`, `table`) have a sequence number; the worker reports the last one it has finished with.
 */
import { ByteReader, MalformedBytes } from '../bytes/byte-reader.ts';
import { ByteWriter } from '../bytes/byte-writer.ts';
import { decodeProgress, encodeProgress, type RequestProgress } from '../log/request-entry.ts';
import type { TableStanding } from '../log/table-standing.ts';
import type { InheritedWatermarks, IntervalChange, IntervalState } from './interval-change.ts';
import type { TapLimits } from './tap-records.ts';
import { decodeWatermark, encodeWatermark, type Watermark } from './watermark-table.ts';

export interface SourceAssignment {
  readonly node: number;
  /** Index of the partition among those of its injector. */
  readonly partition: number;
  readonly name: string;
}

/** An injector's settings with durations in ms; the host has resolved them. */
export interface IngestSettings {
  readonly format: string;
  readonly columns?: Readonly<Record<string, string>> | undefined;
  readonly delimiter?: string | undefined;
  readonly unit: 's' | 'ms' | 'us';
  readonly zone: string;
  readonly slackMs: number;
  /** The watermark waits for the end of the input instead of following the largest time (W6). */
  readonly exact: boolean;
  /** Null: off (W7). */
  readonly futureBoundMs: number | null;
  readonly key: string;
}

export interface WorkerConfiguration {
  /** `RunPlan` of packages/graph. */
  readonly plan: unknown;
  readonly slot: number;
  readonly slots: number;
  /** Stable store number of every node, by plan index. */
  readonly nodeNumbers: readonly number[];
  /** What sinks take, by plan index: `line`, `text`, `none`; undefined for other nodes. */
  readonly egress: readonly (string | undefined | null)[];
  /** By plan index; undefined for nodes that are not injectors. */
  readonly ingest: readonly (IngestSettings | undefined | null)[];
  /** Partitions whose chunks come to this worker. */
  readonly partitions: readonly SourceAssignment[];
  /** Plan indices whose spaces hold nothing yet. */
  readonly emptyNodes: readonly number[];
  /** Plan indices of computations of which far timers are stored. */
  readonly farNodes: readonly number[];
  /** Armed timers of one computation beyond which the later ones may be left in the store. */
  readonly timersInMemory: number;
  readonly version: number;
  /** Report every input before it runs: an earlier incarnation died on one of them. */
  readonly careful: boolean;
  /** Inputs that killed workers; they become dead letters at once. Identity → reason. */
  readonly poison: Readonly<Record<string, string>>;
  readonly cacheBytes: number;
  /** Hold every input until it was tried elsewhere or `trusted` comes: one like it ended an earlier incarnation (P8). */
  readonly isSuspicious?: boolean | undefined;
  /** It has no slot: it runs trials and sends nothing but what it says of them. */
  readonly isSpare?: boolean | undefined;
  /** Absent: one equal interval for each slot. */
  readonly intervals?: IntervalState | undefined;
  /** The crash sweep's; never set otherwise. */
  readonly faults?: WorkerFaults | undefined;
}

export interface WorkerFaults {
  /** Keeps bundles small. */
  readonly bundleRecords?: number | undefined;
  /** Negative control: inputs that wait do not hold the watermark. */
  readonly unheldParked?: boolean | undefined;
  /** Negative control: timers fire as if nothing were left in the store. */
  readonly ignoredHorizon?: boolean | undefined;
  /** Negative controls of moves: watermarks go on meanwhile; the old owner keeps the keys; their channel has no mark. */
  readonly unfrozenMoves?: boolean | undefined;
  readonly keptIntervals?: boolean | undefined;
  readonly unmarkedMoves?: boolean | undefined;
}

export type HostFrame =
  | { readonly kind: 'configure'; readonly configuration: WorkerConfiguration; readonly code: string }
  | { readonly kind: 'restore'; readonly entries: readonly StoreEntry[]; readonly last: boolean }
  | {
      readonly kind: 'chunk';
      readonly sequence: number;
      readonly node: number;
      readonly partition: number;
      readonly chunk: Chunk;
    }
  | {
      readonly kind: 'deliver';
      readonly sequence: number;
      readonly position: number;
      /** The receiver's slot, or that of an interval that moves to it. */
      readonly channel: number;
      readonly batches: readonly DeliveredBatch[];
    }
  | {
      readonly kind: 'watermarks';
      readonly sequence: number;
      readonly slot: number;
      /** That worker has taken keys over: what it said before may have been more. */
      readonly lowered: boolean;
      readonly table: readonly Watermark[];
    }
  /** Who owns which keys has changed, or is about to. */
  | { readonly kind: 'intervals'; readonly sequence: number; readonly change: IntervalChange }
  /** What the old owner has left of an interval that is this worker's from here on. */
  | {
      readonly kind: 'inherit';
      readonly sequence: number;
      readonly watermarks: readonly InheritedWatermarks[];
      /** Plan indices of computations of which far timers are stored. */
      readonly farNodes: readonly number[];
      readonly entries: readonly StoreEntry[];
    }
  /** What is committed of the table that an injector reads (TR3). */
  | {
      readonly kind: 'table';
      readonly sequence: number;
      /** Plan index. */
      readonly node: number;
      readonly standing: TableStanding;
    }
  | { readonly kind: 'tick'; readonly sequence: number }
  | { readonly kind: 'final-wall'; readonly sequence: number; readonly limit: number }
  | { readonly kind: 'committed'; readonly bundleNumber: number }
  | { readonly kind: 'fetched'; readonly request: number; readonly results: readonly FetchResult[] }
  /** To a spare: run what waits and is due of one key. `entries` is what the store has of it beside its state. */
  | {
      readonly kind: 'trial';
      readonly number: number;
      /** Plan index. */
      readonly node: number;
      readonly watermark: Watermark;
      /** By plan index of the injector. */
      readonly tables: Readonly<Record<number, TableStanding>>;
      readonly entries: readonly StoreEntry[];
      /** Inputs that are known to end workers: identity → reason. */
      readonly poison: Readonly<Record<string, string>>;
    }
  /** Of the key that was asked for under this number, what is stored up to the sequence `through` may run. */
  | { readonly kind: 'cleared'; readonly number: number; readonly through: number }
  /** An input that ends workers: it is set aside where its turn comes. */
  | { readonly kind: 'condemned'; readonly input: string; readonly reason: string }
  /** What comes from here on is no suspect; `held`: nor is what is held. */
  | { readonly kind: 'trusted'; readonly held: boolean }
  /** Copy some records of a stream, or none any more. Asks for no answer. */
  | ({ readonly kind: 'tap'; readonly stream: number } & TapLimits);

export interface StoreEntry {
  readonly space: number;
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

export interface FetchResult {
  readonly entries: readonly { readonly key: Uint8Array; readonly value: Uint8Array }[];
  /** False when there is more under the prefix than was asked for. */
  readonly complete: boolean;
}

export interface DeliveredBatch {
  readonly node: number;
  readonly stream: number;
  readonly count: number;
  readonly bytes: Uint8Array;
}

export type Chunk =
  /** `offset` is the place of the first byte in the partition; chunks may cut records anywhere. */
  | { readonly kind: 'bytes'; readonly offset: number; readonly bytes: Uint8Array }
  /** Records `first … first + count - 1` are due; `time` is the wall time (ms) at which the first was due. */
  | {
      readonly kind: 'ordinals';
      readonly first: number;
      readonly count: number;
      readonly time: number;
      readonly everyMs: number;
    }
  /** One whole request of an injector that is pushed to; cut into records by the worker. */
  | PostedRequest
  /** What follows is a table as it was at `time` (wall, ms), whole up to `reached`; it stands for all up to `end`. */
  | {
      readonly kind: 'version';
      readonly time: number;
      readonly end: number;
      /** It has the rows of the one before, which was whole, and none of them follows. */
      readonly same?: true | undefined;
    }
  /** The table that was begun is whole, and nothing below `time` will come. */
  | { readonly kind: 'reached'; readonly time: number }
  /** From a source: nothing to read now. To a worker: nor was there for the idle timeout (W6). */
  | { readonly kind: 'idle' }
  | { readonly kind: 'ended' };

export interface PostedRequest {
  readonly kind: 'request';
  /** Its place in the partition: 0, 1, 2, … without a gap. */
  readonly number: number;
  /** The idempotency key, or one that was minted. A record's id is (node, this, index). */
  readonly id: string;
  readonly format: PostedFormat;
  /** Wall time of its arrival, which stamps records that carry no time of their own. */
  readonly time: number;
  /** Undefined: nobody can ask again, so nothing is remembered. */
  readonly remember: { readonly digest: Uint8Array; readonly since: number } | undefined;
  /** What is committed of it already. */
  readonly resume: RequestProgress | undefined;
  readonly bytes: Uint8Array;
}

/** `json`: an array of records, or one value that is one. `jsonl`: a value a line. */
export type PostedFormat = 'json' | 'jsonl';

const KINDS = [
  'configure',
  'restore',
  'chunk',
  'deliver',
  'watermarks',
  'tick',
  'final-wall',
  'committed',
  'fetched',
  'tap',
  'trial',
  'cleared',
  'condemned',
  'trusted',
  'intervals',
  'inherit',
  'table',
] as const;
const FORMATS = ['json', 'jsonl'] as const;
const CHUNKS = ['bytes', 'ordinals', 'idle', 'ended', 'request', 'version', 'reached'] as const;

export function encodeHostFrame(frame: HostFrame): Uint8Array {
  const w = new ByteWriter(
    frame.kind === 'chunk' && 'bytes' in frame.chunk ? frame.chunk.bytes.length + 512 : 256,
  );
  w.u8(KINDS.indexOf(frame.kind));
  switch (frame.kind) {
    case 'configure':
      w.text(JSON.stringify(frame.configuration));
      w.text(frame.code);
      break;
    case 'restore':
      w.u8(frame.last ? 1 : 0);
      encodeEntries(w, frame.entries);
      break;
    case 'chunk':
      w.varint(frame.sequence);
      w.varint(frame.node);
      w.varint(frame.partition);
      encodeChunk(w, frame.chunk);
      break;
    case 'deliver':
      w.varint(frame.sequence);
      w.varint(frame.position);
      w.u16(frame.channel);
      w.varint(frame.batches.length);
      for (const batch of frame.batches) {
        w.varint(batch.node);
        w.varint(batch.stream);
        w.varint(batch.count);
        w.blob(batch.bytes);
      }
      break;
    case 'watermarks':
      w.varint(frame.sequence);
      w.varint(frame.slot);
      w.u8(frame.lowered ? 1 : 0);
      w.varint(frame.table.length);
      for (const watermark of frame.table) encodeWatermark(w, watermark);
      break;
    case 'tick':
      w.varint(frame.sequence);
      break;
    case 'table':
      w.varint(frame.sequence);
      w.varint(frame.node);
      w.text(JSON.stringify(frame.standing));
      break;
    case 'final-wall':
      w.varint(frame.sequence);
      w.f64(frame.limit);
      break;
    case 'committed':
      w.varint(frame.bundleNumber);
      break;
    case 'fetched':
      w.varint(frame.request);
      w.varint(frame.results.length);
      for (const result of frame.results) {
        w.u8(result.complete ? 1 : 0);
        w.varint(result.entries.length);
        for (const { key, value } of result.entries) {
          w.blob(key);
          w.blob(value);
        }
      }
      break;
    case 'tap':
      w.varint(frame.stream);
      w.varint(frame.recordsPerSecond);
      w.varint(frame.charsPerSecond);
      break;
    case 'trial':
      w.varint(frame.number);
      w.varint(frame.node);
      encodeWatermark(w, frame.watermark);
      w.text(JSON.stringify(frame.poison));
      w.text(JSON.stringify(frame.tables));
      encodeEntries(w, frame.entries);
      break;
    case 'cleared':
      w.varint(frame.number);
      w.varint(frame.through);
      break;
    case 'condemned':
      w.text(frame.input);
      w.text(frame.reason);
      break;
    case 'trusted':
      w.u8(frame.held ? 1 : 0);
      break;
    case 'intervals':
      w.varint(frame.sequence);
      w.text(JSON.stringify(frame.change));
      break;
    case 'inherit':
      w.varint(frame.sequence);
      w.text(JSON.stringify({ watermarks: frame.watermarks, farNodes: frame.farNodes }));
      encodeEntries(w, frame.entries);
      break;
  }
  return w.bytes.subarray(0, w.length);
}

export function decodeHostFrame(bytes: Uint8Array): HostFrame {
  const r = new ByteReader(bytes);
  const kind = KINDS[r.u8()];
  switch (kind) {
    case 'configure':
      return { kind, configuration: JSON.parse(r.text()) as WorkerConfiguration, code: r.text() };
    case 'restore': {
      const last = r.u8() === 1;
      return { kind, last, entries: decodeEntries(r) };
    }
    case 'chunk':
      return { kind, sequence: r.varint(), node: r.varint(), partition: r.varint(), chunk: decodeChunk(r) };
    case 'deliver':
      return {
        kind,
        sequence: r.varint(),
        position: r.varint(),
        channel: r.u16(),
        batches: list(r, () => ({
          node: r.varint(),
          stream: r.varint(),
          count: r.varint(),
          bytes: r.blob(),
        })),
      };
    case 'watermarks':
      return {
        kind,
        sequence: r.varint(),
        slot: r.varint(),
        lowered: r.u8() === 1,
        table: list(r, () => decodeWatermark(r)),
      };
    case 'tick':
      return { kind, sequence: r.varint() };
    case 'table':
      return {
        kind,
        sequence: r.varint(),
        node: r.varint(),
        standing: JSON.parse(r.text()) as TableStanding,
      };
    case 'final-wall':
      return { kind, sequence: r.varint(), limit: r.f64() };
    case 'committed':
      return { kind, bundleNumber: r.varint() };
    case 'fetched':
      return {
        kind,
        request: r.varint(),
        results: list(r, () => {
          const complete = r.u8() === 1;
          return { complete, entries: list(r, () => ({ key: r.blob(), value: r.blob() })) };
        }),
      };
    case 'tap':
      return { kind, stream: r.varint(), recordsPerSecond: r.varint(), charsPerSecond: r.varint() };
    case 'trial':
      return {
        kind,
        number: r.varint(),
        node: r.varint(),
        watermark: decodeWatermark(r),
        poison: JSON.parse(r.text()) as Record<string, string>,
        tables: JSON.parse(r.text()) as Record<number, TableStanding>,
        entries: decodeEntries(r),
      };
    case 'cleared':
      return { kind, number: r.varint(), through: r.varint() };
    case 'condemned':
      return { kind, input: r.text(), reason: r.text() };
    case 'trusted':
      return { kind, held: r.u8() === 1 };
    case 'intervals':
      return { kind, sequence: r.varint(), change: JSON.parse(r.text()) as IntervalChange };
    case 'inherit': {
      const sequence = r.varint();
      const told = JSON.parse(r.text()) as {
        watermarks: readonly InheritedWatermarks[];
        farNodes: readonly number[];
      };
      return { kind, sequence, ...told, entries: decodeEntries(r) };
    }
    default:
      throw new MalformedBytes('unknown host frame');
  }
}

function encodeEntries(w: ByteWriter, entries: readonly StoreEntry[]): void {
  w.varint(entries.length);
  for (const { space, key, value } of entries) {
    w.varint(space);
    w.blob(key);
    w.blob(value);
  }
}

function decodeEntries(r: ByteReader): StoreEntry[] {
  return list(r, () => ({ space: r.varint(), key: r.blob(), value: r.blob() }));
}

function encodeChunk(w: ByteWriter, chunk: Chunk): void {
  w.u8(CHUNKS.indexOf(chunk.kind));
  if (chunk.kind === 'bytes') {
    w.varint(chunk.offset);
    w.blob(chunk.bytes);
  } else if (chunk.kind === 'ordinals') {
    w.varint(chunk.first);
    w.varint(chunk.count);
    w.f64(chunk.time);
    w.f64(chunk.everyMs);
  } else if (chunk.kind === 'version') {
    w.f64(chunk.time);
    w.f64(chunk.end);
    w.u8(chunk.same === true ? 1 : 0);
  } else if (chunk.kind === 'reached') w.f64(chunk.time);
  else if (chunk.kind === 'request') encodeRequest(w, chunk);
}

function encodeRequest(w: ByteWriter, request: PostedRequest): void {
  w.varint(request.number);
  w.text(request.id);
  w.u8(FORMATS.indexOf(request.format));
  w.f64(request.time);
  w.u8(request.remember === undefined ? 0 : 1);
  if (request.remember !== undefined) {
    w.blob(request.remember.digest);
    w.f64(request.remember.since);
  }
  w.u8(request.resume === undefined ? 0 : 1);
  if (request.resume !== undefined) encodeProgress(w, request.resume);
  w.blob(request.bytes);
}

function decodeRequest(r: ByteReader): PostedRequest {
  const number = r.varint();
  const id = r.text();
  const format = FORMATS[r.u8()];
  if (format === undefined) throw new MalformedBytes('unknown format of a request');
  const time = r.f64();
  const remember = r.u8() === 1 ? { digest: r.blob(), since: r.f64() } : undefined;
  const resume = r.u8() === 1 ? decodeProgress(r) : undefined;
  return { kind: 'request', number, id, format, time, remember, resume, bytes: r.blob() };
}

function decodeChunk(r: ByteReader): Chunk {
  const kind = CHUNKS[r.u8()];
  switch (kind) {
    case 'bytes':
      return { kind, offset: r.varint(), bytes: r.blob() };
    case 'ordinals':
      return { kind, first: r.varint(), count: r.varint(), time: r.f64(), everyMs: r.f64() };
    case 'request':
      return decodeRequest(r);
    case 'version':
      return { kind, time: r.f64(), end: r.f64(), ...(r.u8() === 1 && { same: true }) };
    case 'reached':
      return { kind, time: r.f64() };
    case 'idle':
    case 'ended':
      return { kind };
    default:
      throw new MalformedBytes('unknown chunk');
  }
}

function list<T>(r: ByteReader, read: () => T): T[] {
  const items: T[] = [];
  for (let left = r.varint(); left > 0; left--) items.push(read());
  return items;
}

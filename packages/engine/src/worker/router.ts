/**
 * Takes productions to their consumers: into the queue of a stage of this worker (inside the bundle, P3),
 * into a batch for another worker, or as bytes into a batch for a sink.
 *
 * Owns: the batches of the bundle being made, and the slot of keys seen.
 *
 * Invariant MV3 (P11): what went into the channel of an interval that moves is not overtaken by what this worker hands
 * over in memory.
 */
import type { PlanStream, RunPlan } from '@millrace/graph';
import {
  AWAY_SLOT,
  type BundleBodyWriter,
  ByteWriter,
  encodeRecord,
  encodeSinkRow,
  type IntervalTable,
  openSinkText,
  SINK_SLOT,
  slotOf,
} from '@millrace/protocol';
import type { Pane } from '@millrace/sdk';
import { type Cause, DeliveredRecord, type Producer } from '@millrace/sdk/runtime';
import { IntervalRoutes } from './interval-routes.ts';
import { jsonText } from './json-text.ts';
import type { Hasher } from './key-hash.ts';
import { checkKey, keyText } from './key-text.ts';
import type { StreamCounts } from './stream-counts.ts';
import type { Taps } from './taps.ts';
import type { Expression, UserCode } from './user-code.ts';

export interface RouterOptions {
  readonly plan: RunPlan;
  readonly code: UserCode;
  readonly hasher: Hasher;
  readonly slot: number;
  readonly slots: number;
  readonly egress: readonly (string | undefined | null)[];
  /** Puts a record into the queue of a stage of this worker. */
  readonly enqueue: (stream: PlanStream, record: DeliveredRecord) => void;
  /** The consumer's key could not be made: its dead letter (G2). The record has its sender's. */
  readonly keyFailed: (stream: PlanStream, record: DeliveredRecord, error: unknown) => void;
  readonly countSink: (node: number) => void;
  readonly counts: StreamCounts;
  readonly taps: Taps;
}

/** A record leaving a node; read at once and never kept, so senders use one object again. `origin` with `producer` and `ordinal` make its id when it is needed. */
export interface Outgoing {
  key: string;
  value: unknown;
  timestamp: number;
  pane: Pane | undefined;
  origin: Cause | string;
  producer: Producer;
  ordinal: number;
  line: string | undefined;
  /** A suspect's call made it (P8). */
  suspect: boolean;
}

export function emptyOutgoing(producer: Producer): Outgoing {
  return {
    key: '',
    value: undefined,
    timestamp: 0,
    pane: undefined,
    origin: '',
    producer,
    ordinal: 0,
    line: undefined,
    suspect: false,
  };
}

interface OpenBatch {
  readonly stream: PlanStream;
  readonly slot: number;
  readonly writer: ByteWriter;
  /** Of a sink that takes text: what is not in the writer yet. */
  readonly lines: string[];
  count: number;
}

/** Where what leaves a node by one port goes. */
export interface Route {
  readonly streams: readonly PlanStream[];
  /** Among them one to a sink that writes lines: what JSON cannot express must not leave the node. */
  readonly toLines: boolean;
}

/** To write many lines at once costs far less than each by itself. */
const LINES_AT_ONCE = 256;

const SLOT_CACHE = 100_000;

export class Router {
  readonly #options: RouterOptions;
  /** By node and port. */
  readonly #routes: ReadonlyMap<string, Route>[];
  readonly #keyBy: (Expression | undefined)[];
  /** By stream: its key extractor reads the record around the value, too. */
  readonly #wantsRecord: boolean[];
  readonly #batches = new Map<number, OpenBatch>();
  readonly #produced: Float64Array;
  /** Of `taps`: the count at which a record is copied for who watches. */
  readonly #copyAt: Float64Array;
  /** Undefined: every node's keys are cut into equal intervals. */
  #intervals: IntervalRoutes | undefined;
  /** Something of the bundle being made is for an interval between two owners. */
  #sendsAway = false;
  #slots = new Map<string, number>();
  #checked = '';

  constructor(options: RouterOptions) {
    this.#options = options;
    this.#produced = options.counts.produced;
    this.#copyAt = options.taps.next;
    const { plan, code, egress } = options;
    this.#routes = plan.nodes.map((node) => {
      const ports = new Map<string, Route>();
      for (const index of node.outputs) {
        const stream = plan.streams[index] as PlanStream;
        const { streams, toLines } = ports.get(stream.fromPort) ?? NOWHERE;
        const isLines = takesLines(egress[stream.to]);
        ports.set(stream.fromPort, { streams: [...streams, stream], toLines: toLines || isLines });
      }
      return ports;
    });
    this.#keyBy = plan.streams.map((stream) => (stream.keyed ? code.keyBy(stream.id) : undefined));
    this.#wantsRecord = this.#keyBy.map((keyBy) => (keyBy?.length ?? 0) >= 2);
  }

  routeOf(node: number, port: string): Route {
    return this.#routes[node]?.get(port) ?? NOWHERE;
  }

  send(streams: readonly PlanStream[], out: Outgoing, watermarkBefore: number | undefined): void {
    const produced = this.#produced;
    for (const stream of streams) {
      const egress = this.#options.egress[stream.to];
      if (egress !== undefined && egress !== null) this.#toSink(stream, out, egress);
      else this.#toStage(stream, out, watermarkBefore);
      produced[stream.index] = (produced[stream.index] as number) + 1;
    }
  }

  /** A record whose key could not be made before: on its way again, and not produced again. */
  resend(stream: PlanStream, out: Outgoing): void {
    const egress = this.#options.egress[stream.to];
    if (egress !== undefined && egress !== null) this.#toSink(stream, out, egress);
    else this.#toStage(stream, out, undefined);
  }

  /** Undefined: equal ones. What was routed before stays where it is. */
  cut(tables: readonly (IntervalTable | null)[] | undefined): void {
    const { slots, hasher } = this.#options;
    this.#intervals = tables && new IntervalRoutes(tables, slots, hasher);
  }

  get sendsAway(): boolean {
    return this.#sendsAway;
  }

  /** Moves the batches of this bundle into its body. */
  seal(body: BundleBodyWriter): void {
    this.#sendsAway = false;
    for (const batch of this.#batches.values()) {
      const { stream, slot, writer, count } = batch;
      writeLines(batch);
      body.batch({
        node: stream.to,
        stream: stream.index,
        slot,
        count,
        bytes: writer.bytes.subarray(0, writer.length),
      });
    }
    this.#batches.clear();
  }

  #toSink(stream: PlanStream, out: Outgoing, egress: string): void {
    let key = out.key;
    if (stream.keyed) {
      try {
        key = checkKey(this.#keyOf(stream, out));
      } catch (error) {
        this.#options.keyFailed(stream, this.#record(stream, out.key, out, undefined), error);
        return;
      }
    }
    if ((this.#produced[stream.index] as number) >= (this.#copyAt[stream.index] as number))
      this.#options.taps.copy(stream.index, out, key);
    this.#options.countSink(stream.to);
    if (egress === 'none') return;
    const batch = this.#batch(stream, SINK_SLOT);
    const line =
      key === out.key && out.line !== undefined
        ? out.line
        : sinkLine(key, out.value, out.timestamp, out.pane);
    batch.count++;
    if (egress === 'text') {
      if (batch.count === 1) openSinkText(batch.writer);
      if (batch.lines.push(line) === LINES_AT_ONCE) writeLines(batch);
      return;
    }
    const id =
      typeof out.origin === 'string'
        ? out.origin
        : out.producer.deriveId(out.origin.id, out.producer.computation, out.ordinal);
    encodeSinkRow(batch.writer, { id, key, timestamp: out.timestamp, bytes: encoder.encode(line) });
  }

  #toStage(stream: PlanStream, out: Outgoing, watermarkBefore: number | undefined): void {
    let key = out.key;
    let slot: number;
    try {
      if (stream.keyed) key = this.#keyOf(stream, out);
      slot = this.#slotOf(key, stream.to);
    } catch (error) {
      this.#arrived(stream);
      this.#options.keyFailed(stream, this.#record(stream, out.key, out, undefined), error);
      return;
    }
    if ((this.#produced[stream.index] as number) >= (this.#copyAt[stream.index] as number))
      this.#options.taps.copy(stream.index, out, key);
    const record = this.#record(stream, key, out, watermarkBefore);
    if (slot === this.#options.slot) {
      if (out.suspect) record.suspect = true;
      this.#arrived(stream);
      this.#options.enqueue(stream, record);
      return;
    }
    const batch = this.#batch(stream, slot);
    encodeRecord(batch.writer, record);
    batch.count++;
  }

  #arrived({ index }: PlanStream): void {
    const { delivered } = this.#options.counts;
    delivered[index] = (delivered[index] as number) + 1;
  }

  #record(
    stream: PlanStream,
    key: string,
    out: Outgoing,
    watermarkBefore: number | undefined,
  ): DeliveredRecord {
    return new DeliveredRecord(
      key,
      out.value,
      out.timestamp,
      stream.toPort,
      out.pane,
      watermarkBefore,
      out.origin,
      out.producer,
      out.ordinal,
    );
  }

  #keyOf(stream: PlanStream, out: Outgoing): string {
    const keyBy = this.#keyBy[stream.index];
    if (keyBy === undefined) throw new Error(`the code has no key extractor for stream ${stream.id}`);
    const key = this.#wantsRecord[stream.index]
      ? keyBy(out.value, this.#record(stream, out.key, out, undefined))
      : keyBy(out.value, undefined);
    return typeof key === 'string' ? key : keyText(key);
  }

  /** Also the place where a key is checked. */
  #slotOf(key: string, consumer: number): number {
    const { hasher, slots } = this.#options;
    if (this.#intervals !== undefined) {
      const owner = this.#intervals.ownerOf(consumer, key);
      if (owner === AWAY_SLOT) this.#sendsAway = true;
      return owner;
    }
    if (slots === 1) {
      // What passes a key on passes the same string: most checks are this comparison.
      if (key !== this.#checked) checkKey(key);
      this.#checked = key;
      return 0;
    }
    const known = this.#slots.get(key);
    if (known !== undefined) return known;
    checkKey(key);
    const slot = slotOf(hasher.keyHash(key), slots);
    if (this.#slots.size >= SLOT_CACHE) this.#slots = new Map();
    this.#slots.set(key, slot);
    return slot;
  }

  #batch(stream: PlanStream, slot: number): OpenBatch {
    const id = stream.index * 65536 + slot;
    let batch = this.#batches.get(id);
    if (batch === undefined) {
      batch = { stream, slot, writer: new ByteWriter(4096), lines: [], count: 0 };
      this.#batches.set(id, batch);
    }
    return batch;
  }
}

const NOWHERE: Route = { streams: [], toLines: false };
const encoder = new TextEncoder();

function takesLines(egress: string | undefined | null): boolean {
  return egress === 'line' || egress === 'text';
}

function writeLines({ writer, lines }: OpenBatch): void {
  if (lines.length === 0) return;
  lines.push('');
  writer.utf8(lines.join('\n'));
  lines.length = 0;
}

/** What a sink will write. Throws for what JSON cannot express. */
export function sinkLine(key: string, value: unknown, timestamp: number, pane: Pane | undefined): string {
  const line = `{"key":${JSON.stringify(key)},"value":${jsonText(value)},"timestamp":${timestamp}`;
  if (pane === undefined) return `${line}}`;
  const { start, end, index, timing, last, retracts } = pane;
  return `${line},"pane":${jsonText({ start, end, index, timing, last, retracts })}}`;
}

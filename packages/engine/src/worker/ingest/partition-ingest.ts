/**
 * The ingest stage of one source partition: bytes or ordinals in; records with value, event time and a stable
 * position out; and the partition's low watermark (W6).
 *
 * Owns: what of the partition is consumed (its mark), the largest event time seen, idleness.
 * Invariant PI1: the mark always lies between two records, so that reading again from it gives the same rest.
 */
import type { Chunk, SourceMark, SourcePiece, TableStanding, Watermark } from '@millrace/protocol';
import { ENDED, NOT_YET } from '@millrace/protocol';
import type { Pane } from '@millrace/sdk';
import { copyData, freezeData } from '@millrace/sdk/runtime';
import { textOf } from '../json-text.ts';
import { ByteWindow } from './byte-window.ts';
import { doubtedTime } from './doubted-time.ts';
import { type TimestampRule, toEventTime } from './event-time.ts';
import { parseJson } from './exact-json.ts';
import { broken, type Ingested, isoOf, type PieceAgain, refused, valueAgain } from './ingested.ts';
import { parseAlone } from './parse-alone.ts';
import { createScanner } from './record-scanner.ts';
import { type NamedEntry, RequestReader } from './request-reader.ts';
import type { RecordScanner } from './scanned.ts';
import { TableReadings } from './table-readings.ts';

export interface IngestOptions {
  readonly format: string;
  readonly columns: Readonly<Record<string, string>> | undefined;
  readonly delimiter: string | undefined;
  readonly timestampRule: TimestampRule;
  readonly slackMs: number;
  /** No promise before the end of the input (W6). */
  readonly exact: boolean;
  /** W7; undefined: off. */
  readonly futureBoundMs: number | undefined;
  readonly timestamp: ((value: unknown, record: unknown) => unknown) | undefined;
  /** Makes the value of an ordinal. */
  readonly value: ((ordinal: number, time: number) => unknown) | undefined;
  readonly now: () => number;
  /** Index of the panes of a table, of how often it was read from scratch. */
  readonly tableIndex?: ((count: number) => number) | undefined;
  /** Called before user code sees the record at this position; an error sets it aside instead. */
  readonly beforeRecord: (position: number, place: string) => Error | undefined;
  /** Told of the first record of a partition, if its time was probably read in a wrong unit. */
  readonly doubted?: ((message: string) => void) | undefined;
}

export class PartitionIngest {
  readonly name: string;
  readonly #options: IngestOptions;
  #scanner: RecordScanner | undefined;
  /** Of a partition that is pushed to. */
  readonly #requests: RequestReader | undefined;
  #window: ByteWindow;
  /** Of a partition that is a table. */
  readonly #readings: TableReadings;
  /** The item given last is a row that has left the table. */
  #isGone = false;
  /** Where the bytes end that have come. */
  #bytesEnd: number;
  /** The expression reads the record around the value, too. Asking the function each time is slow. */
  readonly #wantsRecord: boolean;
  /** Ordinals that are due and not made yet. */
  #ordinals: { next: number; end: number; first: number; time: number; everyMs: number }[] = [];
  #nextOrdinal: number;
  #largest: number | undefined;
  #closing = false;
  #ended: boolean;
  /** Its source has had nothing to read for the idle timeout; what is here is read first. */
  #silent = false;
  #idle = false;
  /** True when the mark moved since the last `takeMark`. */
  #moved = false;
  /** Chunks that are not used up: their frame's number, and where they end. */
  #chunks: { readonly sequence: number; readonly end: number }[] = [];
  #unreadOrdinals = 0;
  #arrival = 0;
  /** Unread characters that are the beginning of a record whose rest has not come. */
  #begun = 0;
  /** Given out again and again: whoever pulls reads it before the next pull. */
  readonly #item = {
    kind: 'record' as const,
    value: undefined as unknown,
    timestamp: 0,
    position: 0,
    pane: undefined as Pane | undefined,
  };

  constructor(name: string, options: IngestOptions, mark: SourceMark | undefined) {
    this.name = name;
    this.#options = options;
    this.#bytesEnd = mark?.offset ?? 0;
    this.#window = new ByteWindow(this.#bytesEnd);
    this.#wantsRecord = (options.timestamp?.length ?? 0) >= 2;
    this.#nextOrdinal = mark?.offset ?? 0;
    this.#largest = mark?.largest;
    this.#ended = mark?.ended ?? false;
    this.#readings = new TableReadings(options.tableIndex ?? ((count) => count), mark?.table);
    if (options.format === 'requests') this.#requests = new RequestReader(mark?.offset ?? 0, mark?.memory);
    else this.#scanFrom(mark?.memory);
  }

  #scanFrom(memory: unknown): void {
    const { format, columns, delimiter } = this.#options;
    if (format !== 'ordinals') this.#scanner = createScanner({ format, columns, delimiter, memory });
  }

  push(chunk: Chunk, sequence: number): void {
    this.#silent = chunk.kind === 'idle';
    if (chunk.kind === 'idle' || this.#readings.defers(chunk, sequence)) return;
    if (chunk.kind === 'version') {
      this.#beginTable(chunk);
      return;
    }
    if (chunk.kind === 'reached') {
      this.#tableReached(chunk.time);
      return;
    }
    if (chunk.kind === 'ended') {
      if (this.#readings.version !== undefined) this.#readings.end(Number.POSITIVE_INFINITY);
      this.#closing = true;
      this.#window.end();
      return;
    }
    if (chunk.kind === 'bytes') {
      this.#window.push(chunk.bytes);
      this.#bytesEnd = chunk.offset + chunk.bytes.length;
      this.#chunks.push({ sequence, end: this.#bytesEnd });
      return;
    }
    if (chunk.kind === 'request') {
      this.#requests?.push(chunk, sequence);
      return;
    }
    const { first, count, time, everyMs } = chunk;
    this.#ordinals.push({ next: first, end: first + count, first, time, everyMs });
    this.#unreadOrdinals += count;
    this.#chunks.push({ sequence, end: first + count });
  }

  /** What is here and not looked at, as an estimate of bytes. The beginning of a record waits for more and counts not. */
  get unreadBytes(): number {
    if (this.#requests !== undefined) return this.#requests.unreadBytes;
    return this.#window.unread + this.#window.waitingBytes - this.#begun + this.#unreadOrdinals * 64;
  }

  /** Number of the oldest frame of which something is still to be read. */
  get unfinished(): number | undefined {
    if (this.#requests !== undefined) return this.#requests.unfinished;
    const { offset } = this;
    while (this.#chunks[0] !== undefined && this.#chunks[0].end <= offset) this.#chunks.shift();
    return this.#chunks[0]?.sequence ?? this.#readings.unfinished;
  }

  /** What is left of a reading that broke off is dropped: it begins anew. */
  #beginTable(chunk: Extract<Chunk, { kind: 'version' }>): void {
    this.#readings.begin(chunk, this.#largest);
    this.#window = new ByteWindow(this.#bytesEnd);
    this.#chunks = [];
    this.#scanFrom(undefined);
  }

  #tableReached(time: number): void {
    if (this.#readings.version === undefined) this.#raise(time);
    else {
      this.#readings.end(time);
      this.#window.end();
    }
  }

  #raise(time: number): void {
    if (this.#largest !== undefined && time <= this.#largest) return;
    this.#largest = time;
    this.#moved = true;
  }

  /** False where no table has come to its end. */
  #endTable(): boolean {
    const closed = this.#readings.close(this.#largest);
    if (closed === undefined) return false;
    this.#window = new ByteWindow(this.#bytesEnd);
    if (closed.reached !== Number.POSITIVE_INFINITY) this.#raise(closed.reached);
    this.#moved = true;
    for (const { chunk, sequence } of closed.later) this.push(chunk, sequence);
    return true;
  }

  get offset(): number {
    if (this.#requests !== undefined) return this.#requests.number;
    return this.#scanner === undefined ? this.#nextOrdinal : this.#window.offset;
  }

  /** What the positions of the records given now count in: the partition, or a request. */
  get place(): string {
    if (this.#isGone) return `${this.name} gone`;
    return this.#requests?.request?.id ?? this.name;
  }

  /** Reads the clock for the records that follow: once for a bundle's worth, not once a record. */
  beginReading(): void {
    this.#arrival = this.#options.now();
  }

  /** The next record, or undefined when all that arrived is consumed. */
  next(): Ingested | undefined {
    this.#isGone = false;
    let item = this.#nextItem() ?? this.#nextGone();
    while (item === undefined && this.#endTable()) item = this.#nextItem() ?? this.#nextGone();
    if (item !== undefined) {
      this.#moved = true;
      this.#idle = false;
      this.#begun = 0;
      return item;
    }
    // What is left is the beginning of a record whose rest has not come: the host may send it.
    this.#chunks = [];
    this.#begun = this.#window.unread;
    if (this.#closing && !this.#ended) {
      this.#ended = true;
      this.#moved = true;
    }
    return undefined;
  }

  /** Called when the partition has nothing more to give now: decides whether it counts as idle (W6). */
  settle(): void {
    if (this.#silent) this.#idle = true;
  }

  get time(): number | undefined {
    const { exact, slackMs } = this.#options;
    return this.#largest === undefined || exact ? undefined : this.#largest - slackMs;
  }

  get watermark(): Watermark {
    if (this.#ended) return ENDED;
    const time = this.time;
    if (this.#idle) return { kind: 'idle', time };
    return time === undefined ? NOT_YET : { kind: 'at', time };
  }

  takeMark(): SourceMark | undefined {
    const requests = this.#requests;
    if (!this.#moved && !requests?.moved) return undefined;
    this.#moved = false;
    return {
      offset: this.offset,
      largest: this.#largest,
      ended: this.#ended,
      ...(this.#readings.memory && { table: this.#readings.memory }),
      ...(requests === undefined ? { memory: this.#scanner?.memory } : requests.takeMemory()),
    };
  }

  /** What is known of its table, if it is one. */
  get standing(): TableStanding | undefined {
    return this.#readings.standing;
  }

  /** What is to be remembered of requests in the same commit as the mark; to be taken before it. */
  takeEntries(): readonly NamedEntry[] {
    return this.#requests?.takeEntries() ?? NO_ENTRIES;
  }

  /** The record given last could not go on: its sender is told. */
  reject(error: unknown): void {
    this.#requests?.reject(error);
  }

  #nextItem(): Ingested | undefined {
    if (this.#requests !== undefined) return this.#nextPosted(this.#requests);
    return this.#scanner === undefined ? this.#nextMade() : this.#nextScanned(this.#scanner);
  }

  #nextPosted(requests: RequestReader): Ingested | undefined {
    const scanned = requests.next();
    if (scanned === undefined || scanned === 'skipped') return scanned && SKIPPED;
    const { index } = requests;
    const item =
      scanned.kind === 'broken'
        ? broken(scanned, index)
        : this.#admit(scanned.value, index, requests.request?.time);
    if (item.kind === 'set-aside') requests.reject(item.error);
    return item;
  }

  #admit(value: unknown, position: number, arrivedAt: number | undefined): Ingested {
    const refusal = this.#options.beforeRecord(position, this.place);
    if (refusal !== undefined)
      return refused(textOf(value), position, refusal, () => valueAgain(value, arrivedAt));
    return this.#stamp(value, position, arrivedAt);
  }

  /**
   * A piece that was set aside, read as if it came now (P4: at its old position). It was in front of the mark long
   * ago and moves neither that nor the watermark.
   */
  again({ form, text, time, position, place }: SourcePiece): Ingested {
    const largest = this.#largest;
    try {
      if (form === 'ordinal') return this.#make(position, time ?? this.#arrival, place);
      const value =
        form === 'value' ? parseJson(text) : parseAlone(text, this.#options, this.#scanner?.memory);
      const refusal = this.#options.beforeRecord(position, place);
      const again = (): PieceAgain => ({ form, text, time });
      if (refusal !== undefined) return refused(textOf(value), position, refusal, again);
      return this.#stamp(value, position, time);
    } catch (error) {
      return refused(textOf(text), position, error, () => ({ form, text, time }));
    } finally {
      this.#largest = largest;
    }
  }

  #nextScanned(scanner: RecordScanner): Ingested | undefined {
    const window = this.#window;
    let scanned = scanner.next(window, window.ended);
    while (scanned === undefined) {
      if (!window.pull()) return undefined;
      scanned = scanner.next(window, window.ended);
    }
    const { version } = this.#readings;
    // What is broken of a table is not to be tried again: the next reading does.
    if (scanned.kind === 'broken')
      return broken(version === undefined ? scanned : { ...scanned, cut: true }, scanned.offset);
    if (version !== undefined && !this.#readings.take(scanned.value, scanned.offset)) return SKIPPED;
    return this.#admit(scanned.value, scanned.offset, version?.time);
  }

  /** A row that the table has no more is told as it was when it came. */
  #nextGone(): Ingested | undefined {
    const row = this.#readings.nextGone();
    if (row === undefined) return undefined;
    this.#isGone = true;
    const item = this.#item;
    item.value = row.value;
    item.timestamp = row.time;
    item.position = row.position;
    item.pane = row.pane;
    return item;
  }

  #nextMade(): Ingested | undefined {
    const due = this.#ordinals[0];
    if (due === undefined) return undefined;
    const ordinal = due.next++;
    if (due.next >= due.end) this.#ordinals.shift();
    this.#nextOrdinal = ordinal + 1;
    this.#unreadOrdinals--;
    const time = due.time + (ordinal - due.first) * due.everyMs;
    return this.#make(ordinal, time, this.name);
  }

  #make(ordinal: number, time: number, place: string): Ingested {
    const again = (): PieceAgain => ({ form: 'ordinal', text: '', time });
    const refusal = this.#options.beforeRecord(ordinal, place);
    if (refusal !== undefined) return refused(String(ordinal), ordinal, refusal, again);
    const make = this.#options.value;
    try {
      return this.#stamp(
        freezeData(
          make === undefined ? { n: ordinal, time: Math.floor(time) } : copyData(make(ordinal, time)),
        ),
        ordinal,
        Math.floor(time),
      );
    } catch (error) {
      return refused(String(ordinal), ordinal, error, again);
    }
  }

  #stamp(value: unknown, position: number, dueAt: number | undefined): Ingested {
    const { timestamp: expression, timestampRule, futureBoundMs } = this.#options;
    const now = this.#arrival;
    let timestamp: number;
    try {
      if (expression === undefined) timestamp = dueAt ?? now;
      else {
        const raw = this.#wantsRecord ? expression(value, { value, position }) : expression(value, undefined);
        timestamp = toEventTime(raw, timestampRule);
        if (this.#largest === undefined && this.#readings.version === undefined) this.#doubt(raw, timestamp);
      }
    } catch (error) {
      return refused(textOf(value), position, error, () => valueAgain(value, dueAt));
    }
    if (futureBoundMs !== undefined && timestamp > now + futureBoundMs) {
      const error = new RangeError(
        `event time ${isoOf(timestamp)} is further in the future than the bound of ${futureBoundMs} ms: it would pin the watermark; correct the record, or set futureBound`,
      );
      const again = valueAgain(value, dueAt);
      return { kind: 'set-aside', input: textOf(value), position, error, future: true, again };
    }
    const version = this.#readings.version;
    // TR1. A replay of records that lie in the future of each other is what slack is for; here only the maximum counts.
    if (version === undefined && (this.#largest === undefined || timestamp > this.#largest))
      this.#largest = timestamp;
    const item = this.#item;
    item.value = value;
    item.timestamp = timestamp;
    item.position = position;
    item.pane = version?.pane;
    return item;
  }

  #doubt(raw: unknown, time: number): void {
    const { doubted, timestampRule, now } = this.#options;
    const message = doubted && doubtedTime(raw, { time, unit: timestampRule.unit, now: now() });
    if (message !== undefined) doubted?.(message);
  }
}

const NO_ENTRIES: readonly NamedEntry[] = [];
const SKIPPED: Ingested = { kind: 'skipped' };

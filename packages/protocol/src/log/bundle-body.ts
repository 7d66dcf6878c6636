/**
 * The body of a bundle: everything one commit changes, as one blob (architecture.md "Why it is fast" 1).
 *
 *   u8 format · changes · batches · dead letters
 *   change:       varint space · blob key · varint value length + 1 (0 = removed) · value
 *   batch:        varint consumer node · varint stream · u16 slot (SINK_SLOT for a sink) · varint count · blob
 *   dead letter:  JSON text
 *
 * Changes are post-images (I-POST): applying a suffix of the log twice, or on top of rows that already hold
 * some of it, ends in the same state.
 */
import { ByteReader, MalformedBytes } from '../bytes/byte-reader.ts';
import { ByteWriter } from '../bytes/byte-writer.ts';
import { ChangeCursor } from './change-cursor.ts';

export const BODY_FORMAT = 1;
export const SINK_SLOT = 0xffff;

export interface Batch {
  /** Plan index of the consumer. */
  readonly node: number;
  readonly stream: number;
  readonly slot: number;
  readonly count: number;
  readonly bytes: Uint8Array;
}

export class BundleBodyWriter {
  readonly #changes = new ByteWriter(64 * 1024);
  readonly #batches = new ByteWriter(16 * 1024);
  readonly #letters = new ByteWriter(1024);
  #changeCount = 0;
  #open = 0;
  #batchCount = 0;
  #letterCount = 0;

  get empty(): boolean {
    return this.#changeCount === 0 && this.#batchCount === 0 && this.#letterCount === 0;
  }

  /** Sets an entry; `write` appends the value to the writer it gets. */
  put(space: number, key: Uint8Array, value: Uint8Array): void {
    const w = this.#changes;
    w.varint(space);
    w.blob(key);
    w.varint(value.length + 1);
    w.raw(value);
    this.#changeCount++;
  }

  /**
   * Begins a change that is written in place: append the key to the writer, then either `removed`, or
   * `openValue`, append the value, `closeValue`.
   */
  openKey(space: number): ByteWriter {
    const w = this.#changes;
    w.varint(space);
    this.#open = w.openBlob();
    this.#changeCount++;
    return w;
  }

  removed(): void {
    this.#changes.closeBlob(this.#open);
    this.#changes.varint(0);
  }

  openValue(): void {
    this.#changes.closeBlob(this.#open);
    this.#open = this.#changes.openBlob();
  }

  /** Returns the value's length. */
  closeValue(): number {
    const length = this.#changes.length - this.#open;
    this.#changes.closeBlob(this.#open, 1);
    return length;
  }

  remove(space: number, key: Uint8Array): void {
    const w = this.#changes;
    w.varint(space);
    w.blob(key);
    w.varint(0);
    this.#changeCount++;
  }

  batch(batch: Batch): void {
    const w = this.#batches;
    w.varint(batch.node);
    w.varint(batch.stream);
    w.u16(batch.slot);
    w.varint(batch.count);
    w.blob(batch.bytes);
    this.#batchCount++;
  }

  deadLetter(json: string): void {
    this.#letters.text(json);
    this.#letterCount++;
  }

  /** The body; the writer starts anew. */
  take(): Uint8Array {
    const head = new ByteWriter(64);
    head.u8(BODY_FORMAT);
    head.varint(this.#changeCount);
    head.varint(this.#changes.length);
    const middle = new ByteWriter(32);
    middle.varint(this.#batchCount);
    const tail = new ByteWriter(32);
    tail.varint(this.#letterCount);
    const parts = [head, this.#changes, middle, this.#batches, tail, this.#letters];
    const body = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of parts) {
      body.set(part.bytes.subarray(0, part.length), at);
      at += part.length;
      part.length = 0;
    }
    this.#changeCount = 0;
    this.#batchCount = 0;
    this.#letterCount = 0;
    return body;
  }
}

/** A parsed body. Changes stay as bytes: `forEachChange` walks them. */
export interface BundleBody {
  readonly bytes: Uint8Array;
  readonly changesFrom: number;
  readonly changesTo: number;
  readonly batches: readonly Batch[];
  readonly deadLetters: readonly string[];
}

/** Throws `MalformedBytes` unless the whole body is well formed, changes included. */
export function readBundleBody(bytes: Uint8Array): BundleBody {
  const r = new ByteReader(bytes);
  const format = r.u8();
  if (format !== BODY_FORMAT)
    throw new MalformedBytes(`bundle format ${format}, this version reads ${BODY_FORMAT}`);
  const changeCount = r.varint();
  const changesLength = r.varint();
  const changesFrom = r.offset;
  const changesTo = changesFrom + changesLength;
  for (let i = 0; i < changeCount; i++) {
    r.varint();
    r.skip(r.varint());
    const length = r.varint();
    if (length > 0) r.skip(length - 1);
  }
  if (r.offset !== changesTo) throw new MalformedBytes('changes do not end where the header says');
  const batches: Batch[] = [];
  for (let left = r.varint(); left > 0; left--) {
    batches.push({ node: r.varint(), stream: r.varint(), slot: r.u16(), count: r.varint(), bytes: r.blob() });
  }
  const deadLetters: string[] = [];
  for (let left = r.varint(); left > 0; left--) deadLetters.push(r.text());
  if (!r.done) throw new MalformedBytes('bytes after the end of a bundle');
  return { bytes, changesFrom, changesTo, batches, deadLetters };
}

/** The same body without some of its batches. */
export function withoutBatches(body: BundleBody, isLeftOut: (batch: Batch) => boolean): Uint8Array {
  const kept = body.batches.filter((batch) => !isLeftOut(batch));
  const rest = new BundleBodyWriter();
  for (const batch of kept) rest.batch(batch);
  for (const letter of body.deadLetters) rest.deadLetter(letter);
  // Of a body without changes: the format, and two zeros for their number and length.
  const tail = rest.take().subarray(3);
  const bytes = new Uint8Array(body.changesTo + tail.length);
  bytes.set(body.bytes.subarray(0, body.changesTo));
  bytes.set(tail, body.changesTo);
  return bytes;
}

export interface Change {
  readonly space: number;
  readonly key: Uint8Array;
  /** Undefined: removed. */
  readonly value: Uint8Array | undefined;
  /** Where the change begins in the body, for `ChangeCursor.read`. */
  readonly at: number;
}

/** The hot path's `forEachChange`: one cursor, moved from change to change. */
export function walkChanges(body: BundleBody, visit: (change: ChangeCursor) => void): void {
  const cursor = new ChangeCursor(body.bytes);
  for (let at = body.changesFrom; at < body.changesTo; ) {
    at = cursor.read(at);
    visit(cursor);
  }
}

export function forEachChange(body: BundleBody, visit: (change: Change) => void): void {
  walkChanges(body, ({ space, key, value, at }) => visit({ space, key, value, at }));
}

/**
 * A page: neighbouring entries of one space as one blob, sorted by key. One row for a hundred keys makes
 * folding a change of state an order of magnitude cheaper than a row per key (docs/decisions/pages.md).
 *
 *   u8 format · entries, each: blob key · blob value · u32 wall time in s at which its last change was folded
 *
 * Pages of format 1 have no times; they are read for ever and become format 2 with their next change.
 */
import { ByteReader, ByteWriter, ChangeCursor, compareRanges, MalformedBytes } from '@millrace/protocol';
import { PendingIndex } from './pending-index.ts';

const FORMAT = 2;
const UNTIMED = 1;
const TIME_BYTES = 4;
/** A page above the first size is cut into pieces of about the second. */
const SPLIT_BYTES = 12 * 1024;
const TARGET_BYTES = 6 * 1024;

export interface PageEntry {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
  /** Wall time in ms, whole seconds; undefined in pages of before times were kept. */
  readonly foldedAt: number | undefined;
}

/** Changes of one page that are committed but not folded, oldest first, still lying in their bundles. */
export class PendingChanges {
  readonly bodies: Uint8Array[] = [];
  readonly offsets: number[] = [];
  /** Made when somebody first looks for a key. */
  #index: PendingIndex | undefined;

  add(body: Uint8Array, at: number): void {
    this.bodies.push(body);
    this.offsets.push(at);
  }

  /** The cursor is moved from change to change: what is to be kept of one must be read off it. */
  forEach(visit: (change: ChangeCursor) => void): void {
    this.#visitFrom(0, visit);
  }

  /** The same for all whose keys begin with a prefix, and perhaps some others. */
  forEachBelow(prefix: Uint8Array, visit: (change: ChangeCursor) => void): void {
    if (!PendingIndex.serves(prefix)) return this.forEach(visit);
    this.#index ??= new PendingIndex();
    const index = this.#index;
    this.#visitFrom(index.size, ({ bytes, keyStart, keyEnd }) => index.add(bytes, keyStart, keyEnd));
    const change = new ChangeCursorOver(this);
    for (const i of index.below(prefix)) visit(change.go(i));
  }

  #visitFrom(first: number, visit: (change: ChangeCursor) => void): void {
    let cursor: ChangeCursor | undefined;
    for (let i = first; i < this.offsets.length; i++) {
      const body = this.bodies[i] as Uint8Array;
      if (cursor === undefined || cursor.bytes !== body) cursor = new ChangeCursor(body);
      cursor.read(this.offsets[i] as number);
      visit(cursor);
    }
  }
}

export function* pageEntries(body: Uint8Array): Generator<PageEntry> {
  const r = openPage(body);
  const isTimed = body[0] === FORMAT;
  while (!r.done) {
    const key = r.blob();
    const value = r.blob();
    const seconds = isTimed ? r.u32() : 0;
    yield { key, value, foldedAt: seconds === 0 ? undefined : seconds * 1000 };
  }
}

export interface FoldedPage {
  readonly start: Uint8Array;
  readonly body: Uint8Array;
}

/**
 * The page with the changes applied, cut into as many pages as it needs; the first keeps `start`. Empty when
 * nothing is left. The last change of a key wins (post-images), so applying some of them twice is harmless. `now`: wall
 * time in ms.
 */
export function foldPage(
  start: Uint8Array,
  body: Uint8Array | undefined,
  changes: PendingChanges,
  now: number,
): FoldedPage[] {
  const latest = latestChanges(changes);
  const out = new PageBuilder(start, Math.floor(now / 1000));
  const page = new EntryCursor(body);
  const change = new ChangeCursorOver(changes);
  // Text of one byte a character sorts as its bytes do.
  for (const key of [...latest.keys()].sort()) {
    const { bytes, keyStart, keyEnd } = change.go(latest.get(key) as number);
    let order = -1;
    while (!page.done) {
      order = compareRanges(page.bytes, page.keyStart, page.keyEnd, bytes, keyStart, keyEnd);
      if (order >= 0) break;
      out.copy(page);
      page.next();
    }
    if (order === 0 && !page.done) page.next();
    if (!change.cursor.removed) out.add(change.cursor);
  }
  for (; !page.done; page.next()) out.copy(page);
  return out.finish();
}

/** Index of the last change of every key. */
function latestChanges(changes: PendingChanges): Map<string, number> {
  const latest = new Map<string, number>();
  let body: Uint8Array | undefined;
  let buffer: Buffer = Buffer.alloc(0);
  let i = 0;
  changes.forEach(({ bytes, keyStart, keyEnd }) => {
    if (bytes !== body) {
      body = bytes;
      buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    }
    latest.set(buffer.toString('latin1', keyStart, keyEnd), i++);
  });
  return latest;
}

/** Goes to changes by their index. */
class ChangeCursorOver {
  readonly #changes: PendingChanges;
  cursor = new ChangeCursor(new Uint8Array(0));

  constructor(changes: PendingChanges) {
    this.#changes = changes;
  }

  go(index: number): ChangeCursor {
    const body = this.#changes.bodies[index] as Uint8Array;
    if (this.cursor.bytes !== body) this.cursor = new ChangeCursor(body);
    this.cursor.read(this.#changes.offsets[index] as number);
    return this.cursor;
  }
}

/** Walks a page's entries by offsets. */
class EntryCursor {
  readonly bytes: Uint8Array;
  readonly isTimed: boolean;
  readonly #reader: ByteReader;
  done = false;
  start = 0;
  keyStart = 0;
  keyEnd = 0;
  end = 0;

  constructor(body: Uint8Array | undefined) {
    this.#reader = body === undefined ? new ByteReader(new Uint8Array(0)) : openPage(body);
    this.bytes = this.#reader.bytes;
    this.isTimed = body?.[0] === FORMAT;
    this.next();
  }

  next(): void {
    const r = this.#reader;
    if (r.done) {
      this.done = true;
      return;
    }
    this.start = r.offset;
    const keyLength = r.varint();
    this.keyStart = r.offset;
    this.keyEnd = r.offset + keyLength;
    r.skip(keyLength);
    r.skip(r.varint());
    if (this.isTimed) r.skip(TIME_BYTES);
    this.end = r.offset;
  }
}

class PageBuilder {
  readonly #writer = new ByteWriter(SPLIT_BYTES);
  /** Where each entry begins in the writer. */
  readonly #begins: number[] = [];
  readonly #start: Uint8Array;
  readonly #seconds: number;

  constructor(start: Uint8Array, seconds: number) {
    this.#start = start;
    this.#seconds = seconds;
  }

  add(change: ChangeCursor): void {
    this.#begins.push(this.#writer.length);
    this.#writer.varint(change.keyEnd - change.keyStart);
    this.#writer.range(change.bytes, change.keyStart, change.keyEnd);
    this.#writer.varint(change.valueEnd - change.valueStart);
    this.#writer.range(change.bytes, change.valueStart, change.valueEnd);
    this.#writer.u32(this.#seconds);
  }

  copy(entry: EntryCursor): void {
    this.#begins.push(this.#writer.length);
    this.#writer.range(entry.bytes, entry.start, entry.end);
    if (!entry.isTimed) this.#writer.u32(0);
  }

  finish(): FoldedPage[] {
    const total = this.#writer.length;
    if (total === 0) return [];
    if (total <= SPLIT_BYTES) return [{ start: this.#start, body: this.#cut(0, total) }];
    const pages: FoldedPage[] = [];
    let from = 0;
    for (let i = 1; i <= this.#begins.length; i++) {
      const at = this.#begins[i] ?? total;
      if (at < total && at - from < TARGET_BYTES) continue;
      const body = this.#cut(from, at);
      pages.push({ start: from === 0 ? this.#start : new ByteReader(body, 1).blob().slice(), body });
      from = at;
    }
    return pages;
  }

  #cut(from: number, to: number): Uint8Array {
    const body = new Uint8Array(1 + to - from);
    body[0] = FORMAT;
    body.set(this.#writer.bytes.subarray(from, to), 1);
    return body;
  }
}

function openPage(body: Uint8Array): ByteReader {
  const r = new ByteReader(body);
  const format = r.u8();
  if (format !== FORMAT && format !== UNTIMED)
    throw new MalformedBytes(`page format ${format}, this version reads up to ${FORMAT}`);
  return r;
}

/** Bytes as a string of the same length, for use as a map key. */
export function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}

/**
 * A page: neighbouring entries of one space as one blob, sorted by key. One row for a hundred keys makes
 * folding a change of state an order of magnitude cheaper than a row per key (docs/decisions/pages.md).
 *
 *   u8 format · entries, each: blob key · blob value
 */
import { ByteReader, ByteWriter, compareBytes, MalformedBytes, readChangeAt } from '@millrace/protocol';

const FORMAT = 1;
/** A page above the first size is cut into pieces of about the second. */
const SPLIT_BYTES = 12 * 1024;
const TARGET_BYTES = 6 * 1024;

export interface PageEntry {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

/** Changes of one page that are committed but not folded, oldest first, still lying in their bundles. */
export class PendingChanges {
  readonly bodies: Uint8Array[] = [];
  readonly offsets: number[] = [];

  add(body: Uint8Array, at: number): void {
    this.bodies.push(body);
    this.offsets.push(at);
  }

  forEach(visit: (key: Uint8Array, value: Uint8Array | undefined) => void): void {
    for (let i = 0; i < this.offsets.length; i++) {
      const { key, value } = readChangeAt(this.bodies[i] as Uint8Array, this.offsets[i] as number);
      visit(key, value);
    }
  }
}

export function* pageEntries(body: Uint8Array): Generator<PageEntry> {
  const r = openPage(body);
  while (!r.done) yield { key: r.blob(), value: r.blob() };
}

export interface FoldedPage {
  readonly start: Uint8Array;
  readonly body: Uint8Array;
}

/**
 * The page with the changes applied, cut into as many pages as it needs; the first keeps `start`. Empty when
 * nothing is left. The last change of a key wins (post-images), so applying some of them twice is harmless.
 */
export function foldPage(
  start: Uint8Array,
  body: Uint8Array | undefined,
  changes: PendingChanges,
): FoldedPage[] {
  const latest = new Map<string, { key: Uint8Array; value: Uint8Array | undefined }>();
  changes.forEach((key, value) => {
    latest.set(latin1(key), { key, value });
  });
  const sorted = [...latest.values()].sort((a, b) => compareBytes(a.key, b.key));
  const out = new PageBuilder(start);
  const r = body === undefined ? undefined : openPage(body);
  let next = readEntry(r);
  for (const change of sorted) {
    while (next !== undefined && compareBytes(next.key, change.key) < 0) {
      out.add(next.key, next.value);
      next = readEntry(r);
    }
    if (next !== undefined && compareBytes(next.key, change.key) === 0) next = readEntry(r);
    if (change.value !== undefined) out.add(change.key, change.value);
  }
  while (next !== undefined) {
    out.add(next.key, next.value);
    next = readEntry(r);
  }
  return out.finish();
}

class PageBuilder {
  readonly #writer = new ByteWriter(SPLIT_BYTES);
  /** Where each entry begins in the writer. */
  readonly #begins: number[] = [];
  readonly #start: Uint8Array;

  constructor(start: Uint8Array) {
    this.#start = start;
  }

  add(key: Uint8Array, value: Uint8Array): void {
    this.#begins.push(this.#writer.length);
    this.#writer.blob(key);
    this.#writer.blob(value);
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
  if (format !== FORMAT) throw new MalformedBytes(`page format ${format}, this version reads ${FORMAT}`);
  return r;
}

function readEntry(r: ByteReader | undefined): PageEntry | undefined {
  return r === undefined || r.done ? undefined : { key: r.blob(), value: r.blob() };
}

/** Bytes as a string of the same length, for use as a map key. */
export function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}

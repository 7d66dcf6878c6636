/**
 * Keys of the ordered store below a pipeline. A space is a sorted map of byte strings (memcmp order); which
 * space a thing lies in and how its key is built is said here and nowhere else.
 *
 *   space 0                 meta: marks, watermarks, counters
 *   space 4·n + kind        node number n (given once per node id, for ever)
 *     kind 0  state         key prefix + 0            -> the key's value
 *                           key prefix + 0 + clock + tag -> a far timer, which comes with the key
 *                           key prefix + 1 + map + k  -> one map entry
 *     kind 1  timers        key prefix + clock + tag  -> a near timer, in memory wherever its key is
 *     kind 2  parked        key prefix + sequence
 *     kind 3  holds         key prefix                -> holdUntil
 *   space 2^32 + n          what is due when, of node n: clock + rank + key prefix + clock + tag -> a far timer
 *   of an injector that is pushed to:
 *     kind 0  requests      idempotency key           -> what came of the request
 *     kind 1  request times minute + idempotency key  -> nothing: what is to be forgotten when
 *
 * A key prefix is the key's hash (8 bytes, big-endian, so that an interval of hashes is a range of bytes), the
 * key's UTF-8 with 00 escaped as 00 FF, and the terminator 00 01: prefixes are unambiguous.
 */
import { ByteWriter } from '../bytes/byte-writer.ts';
import { decodeText } from '../bytes/text-codec.ts';

export const META_SPACE = 0;
export const SPACE_KINDS = {
  state: 0,
  timers: 1,
  parked: 2,
  holds: 3,
  requests: 0,
  requestTimes: 1,
} as const;
export type SpaceKind = keyof typeof SPACE_KINDS;

const DUE_SPACES = 4294967296;

export function spaceOf(nodeNumber: number, kind: SpaceKind): number {
  return nodeNumber * 4 + SPACE_KINDS[kind];
}

/** Of the far timers of a node, by clock and rank. */
export function dueSpaceOf(nodeNumber: number): number {
  return DUE_SPACES + nodeNumber;
}

export interface KeyHash {
  /** Upper and lower 32 bits of XXH64(key, seed 0), unsigned (G2). */
  readonly high: number;
  readonly low: number;
}

/** Appends a key's prefix; the sealer writes keys in place instead of making an array for each. */
export function writeKeyPrefix(w: ByteWriter, key: string, high: number, low: number): void {
  bigEndian(w, high);
  bigEndian(w, low);
  escaped(w, key);
}

/** Appends what stands behind the prefix for the key's value, */
export function writeStateTail(w: ByteWriter): void {
  w.u8(0);
}

/** for a far timer, */
export function writeFarTimerTail(w: ByteWriter, id: string): void {
  w.u8(0);
  w.utf8(id);
}

/** and for one entry of a map. */
export function writeMapEntryTail(w: ByteWriter, map: string, key: string | number): void {
  w.u8(1);
  escaped(w, map);
  mapKey(w, key);
}

export function keyPrefix(key: string, hash: KeyHash): Uint8Array {
  const w = scratch;
  w.length = 0;
  bigEndian(w, hash.high);
  bigEndian(w, hash.low);
  escaped(w, key);
  return w.take();
}

/** The key's text out of a stored key, and where its prefix ends. */
export function readKeyPrefix(stored: Uint8Array): { key: string; end: number } {
  return readEscaped(stored, 8);
}

export function stateKey(prefix: Uint8Array): Uint8Array {
  return appended(prefix, 0);
}

export function mapPrefix(prefix: Uint8Array, map: string): Uint8Array {
  const w = scratch;
  w.length = 0;
  w.raw(prefix);
  w.u8(1);
  escaped(w, map);
  return w.take();
}

export function mapEntryKey(prefix: Uint8Array, map: string, key: string | number): Uint8Array {
  const w = scratch;
  w.length = 0;
  w.raw(prefix);
  writeMapEntryTail(w, map, key);
  return w.take();
}

export type StateEntryKey =
  | { kind: 'state' }
  | { kind: 'timer'; id: string }
  | { kind: 'map'; map: string; key: string | number };

/** What stands behind the key prefix in a `state` space. */
export function readStateKey(stored: Uint8Array, prefixEnd: number): StateEntryKey {
  if (stored[prefixEnd] === 0) {
    if (stored.length === prefixEnd + 1) return { kind: 'state' };
    return { kind: 'timer', id: decodeText(stored.subarray(prefixEnd + 1)) };
  }
  const { key: map, end } = readEscaped(stored, prefixEnd + 1);
  const view = new DataView(stored.buffer, stored.byteOffset, stored.byteLength);
  if (stored[end] === 1)
    return {
      kind: 'map',
      map,
      key: (view.getUint32(end + 1) - 2147483648) * 4294967296 + view.getUint32(end + 5),
    };
  return { kind: 'map', map, key: decodeText(stored.subarray(end + 1)) };
}

export function parkedKey(prefix: Uint8Array, sequence: number): Uint8Array {
  const w = scratch;
  w.length = 0;
  w.raw(prefix);
  bigEndian(w, Math.floor(sequence / 4294967296));
  bigEndian(w, sequence >>> 0);
  return w.take();
}

export function readParkedSequence(stored: Uint8Array, prefixEnd: number): number {
  const view = new DataView(stored.buffer, stored.byteOffset, stored.byteLength);
  return view.getUint32(prefixEnd) * 4294967296 + view.getUint32(prefixEnd + 4);
}

/** Bytes in front of the key prefix in a `due` space. */
export const DUE_HEAD = 9;

/** Begins the key of a far timer in its `due` space: sorted by clock, then by rank. */
export function writeDueHead(w: ByteWriter, wall: boolean, rank: number): void {
  w.u8(wall ? 1 : 0);
  w.ensure(8);
  w.view.setFloat64(w.length, rank, false);
  // Made to sort as numbers do: the sign turned, and of a negative number all other bits as well.
  const first = w.bytes[w.length] as number;
  if (first < 0x80) w.bytes[w.length] = first | 0x80;
  else for (let i = w.length; i < w.length + 8; i++) w.bytes[i] = ~(w.bytes[i] as number);
  w.length += 8;
}

/** The least key of a clock's timers whose rank is `rank` or later. */
export function dueFrom(wall: boolean, rank: number): Uint8Array {
  const w = scratch;
  w.length = 0;
  writeDueHead(w, wall, rank);
  return w.take();
}

/** The upper half of the hash of a far timer's key. */
export function dueHigh(stored: Uint8Array): number {
  return new DataView(stored.buffer, stored.byteOffset, stored.byteLength).getUint32(DUE_HEAD);
}

export interface DueKey {
  readonly wall: boolean;
  readonly rank: number;
  readonly key: string;
  /** Clock and tag. */
  readonly id: string;
}

export function readDueKey(stored: Uint8Array): DueKey {
  const bits = new DataView(new ArrayBuffer(8));
  const isNegative = (stored[1] as number) < 0x80;
  for (let i = 0; i < 8; i++)
    bits.setUint8(i, isNegative ? ~(stored[1 + i] as number) & 0xff : (stored[1 + i] as number));
  if (!isNegative) bits.setUint8(0, (stored[1] as number) & 0x7f);
  const { key, end } = readEscaped(stored, DUE_HEAD + 8);
  return { wall: stored[0] === 1, rank: bits.getFloat64(0), key, id: decodeText(stored.subarray(end)) };
}

export function requestKey(id: string): Uint8Array {
  return utf8(id);
}

/** Sorted by the minute in which the key was first seen. */
export function requestTimeKey(since: number, id: string): Uint8Array {
  const w = scratch;
  w.length = 0;
  w.raw(requestMinute(since));
  w.utf8(id);
  return w.take();
}

/** The least key of the minute that `time` lies in. */
export function requestMinute(time: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, Math.max(0, Math.floor(time / 60_000)));
  return bytes;
}

export function readRequestTimeKey(stored: Uint8Array): string {
  return decodeText(stored.subarray(4));
}

/** Meta entries are few; their keys are readable text. */
export const metaKeys = {
  source: (node: number, partition: string) => utf8(`source/${node}/${partition}`),
  watermarks: (slot: number, node: number) => utf8(`watermark/${slot}/${node}`),
  counters: (slot: number, node: number) => utf8(`counters/${slot}/${node}`),
  /** What `ctx.count` counted. */
  named: (slot: number, node: number) => utf8(`named/${slot}/${node}`),
  stream: (slot: number, streamId: string) => utf8(`stream/${slot}/${streamId}`),
  /** Of a slot, or of the channel of an interval that moves. */
  delivered: (channel: number) => utf8(`delivered/${channel}`),
  /** The last change of intervals that the worker of a slot has come to. */
  intervalStep: (slot: number) => utf8(`interval-step/${slot}`),
  /** Who owns which keys, and which move; absent: one equal interval for each slot. The host's own. */
  intervals: () => utf8('intervals'),
  /** Dead letters given to a node again; of them rows of a sink; records put on a stream again. The host's own. */
  redriven: (node: number) => utf8(`redriven/host/${node}`),
  redrivenRows: (node: number) => utf8(`redriven-rows/host/${node}`),
  redrivenOn: (streamId: string) => utf8(`redriven-on/host/${streamId}`),
  nodeNumber: (nodeId: string) => utf8(`node/${nodeId}`),
  /** Worker slots of the running incarnation. */
  workers: () => utf8('workers'),
  /** Every batch at or below this position is delivered or saved as a row. */
  released: () => utf8('released'),
};

export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const d = (a[i] as number) - (b[i] as number);
    if (d !== 0) return d;
  }
  return a.length - b.length;
}

export function startsWith(bytes: Uint8Array, prefix: Uint8Array): boolean {
  if (bytes.length < prefix.length) return false;
  for (let i = 0; i < prefix.length; i++) if (bytes[i] !== prefix[i]) return false;
  return true;
}

/** The slot that owns a hash when the space is cut into `slots` equal intervals. */
export function slotOf(hash: KeyHash, slots: number): number {
  return Math.floor((hash.high * slots) / 4294967296);
}

/** First hash prefix (8 bytes) of a slot's interval. */
export function slotStart(slot: number, slots: number): Uint8Array {
  const w = scratch;
  w.length = 0;
  // The least `high` that `slotOf` maps to this slot.
  bigEndian(w, Math.min(4294967295, Math.ceil((slot * 4294967296) / slots)));
  bigEndian(w, 0);
  return w.take();
}

/** The first 8 bytes of every stored key whose hash has these upper 32 bits, or more. */
export function hashStart(high: number): Uint8Array {
  const w = scratch;
  w.length = 0;
  bigEndian(w, high);
  bigEndian(w, 0);
  return w.take();
}

const scratch = new ByteWriter(256);
const encoder = new TextEncoder();

function utf8(text: string): Uint8Array {
  return encoder.encode(text);
}

function bigEndian(w: ByteWriter, value: number): void {
  w.ensure(4);
  w.view.setUint32(w.length, value, false);
  w.length += 4;
}

function mapKey(w: ByteWriter, key: string | number): void {
  if (typeof key === 'number') {
    // Two's complement with the sign bit flipped, so that bytes sort as numbers. Numbers sort before strings.
    const high = Math.floor(key / 4294967296);
    w.u8(1);
    bigEndian(w, high + 2147483648);
    bigEndian(w, key - high * 4294967296);
  } else {
    w.u8(2);
    w.utf8(key);
  }
}

function escaped(w: ByteWriter, text: string): void {
  if (w.plainAscii(text)) {
    w.u8(0);
    w.u8(1);
    return;
  }
  const start = w.length;
  w.utf8(text);
  if (text.includes('\u0000')) {
    const plain = w.bytes.slice(start, w.length);
    w.length = start;
    for (const byte of plain) {
      w.u8(byte);
      if (byte === 0) w.u8(0xff);
    }
  }
  w.u8(0);
  w.u8(1);
}

function readEscaped(bytes: Uint8Array, from: number): { key: string; end: number } {
  let i = from;
  let escapes = false;
  for (; i + 1 < bytes.length; i++) {
    if (bytes[i] !== 0) continue;
    if (bytes[i + 1] === 1) break;
    escapes = true;
    i++;
  }
  const raw = bytes.subarray(from, i);
  const plain = escapes ? raw.filter((byte, at) => !(byte === 0xff && raw[at - 1] === 0)) : raw;
  return { key: decodeText(plain), end: i + 2 };
}

function appended(prefix: Uint8Array, byte: number): Uint8Array {
  const key = new Uint8Array(prefix.length + 1);
  key.set(prefix);
  key[prefix.length] = byte;
  return key;
}

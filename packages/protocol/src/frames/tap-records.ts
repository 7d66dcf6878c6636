/**
 * Sampled copies of records on their way to people who watch a stream. They are made in the worker, as JSON text,
 * and are not data any more: nothing is computed from them. Both sides hold to `TAP_BOUNDS`; lengths are in
 * UTF-16 units.
 */
import { type ByteReader, MalformedBytes } from '../bytes/byte-reader.ts';
import type { ByteWriter } from '../bytes/byte-writer.ts';
import { decodePane, encodePane, type StoredPane } from '../log/record-codec.ts';

export interface TapRecord {
  readonly key: string;
  readonly timestamp: number;
  readonly id: string;
  readonly pane: StoredPane | undefined;
  /** The value as JSON text; with `cut` only its beginning. */
  readonly text: string;
  readonly cut: boolean;
}

/** A timer whose firing made a record. */
export interface TapTimer {
  readonly tag: string;
  readonly clock: 'watermark' | 'wall';
  /** ms on its clock. */
  readonly time: number;
  /** Id of the record that armed it, or of a firing where a timer did. */
  readonly armedBy: string;
}

interface TapHop extends TapRecord {
  /** Absent: a record made it, or that is not known. */
  readonly timer?: TapTimer | undefined;
}

/** A record a sampled one was made of, or that armed the timer that made it, as it went over its stream. */
export interface TapAncestor extends TapHop {
  /** Plan index. */
  readonly stream: number;
}

export interface SampledRecord extends TapHop {
  /** What it was made of, nearest first, as far as the worker had it at hand. */
  readonly way: readonly TapAncestor[];
}

/** What one bundle sent over one stream. */
export interface TapSample {
  /** Plan index. */
  readonly stream: number;
  /** Records that went by, shown or not. */
  readonly seen: number;
  readonly records: readonly SampledRecord[];
}

/** How much of a stream a worker copies. */
export interface TapLimits {
  /** 0 closes the tap. */
  readonly recordsPerSecond: number;
  readonly charsPerSecond: number;
}

export const TAP_BOUNDS = {
  /** Of one record. */
  text: 64 * 1024,
  key: 1024,
  id: 1024,
  /** Records before it. */
  way: 16,
  /** Of one frame, over all streams, with what they were made of. */
  records: 2_048,
  chars: 2 * 1024 * 1024,
  streams: 4_096,
  recordsPerSecond: 2_000,
  charsPerSecond: 1024 * 1024,
} as const;

export function encodeTapSample(w: ByteWriter, { stream, seen, records }: TapSample): void {
  w.varint(stream);
  w.varint(seen);
  w.varint(records.length);
  for (const record of records) {
    encodeHop(w, record);
    w.varint(record.way.length);
    for (const ancestor of record.way) {
      w.varint(ancestor.stream);
      encodeHop(w, ancestor);
    }
  }
}

function encodeHop(w: ByteWriter, { timer, ...record }: TapHop): void {
  encodeTapRecord(w, record);
  w.u8(timer === undefined ? 0 : 1);
  if (timer === undefined) return;
  w.text(timer.tag);
  w.u8(timer.clock === 'wall' ? 1 : 0);
  w.f64(timer.time);
  w.text(timer.armedBy);
}

function encodeTapRecord(w: ByteWriter, { key, timestamp, id, pane, text, cut }: TapRecord): void {
  w.text(key);
  w.f64(timestamp);
  w.text(id);
  encodePane(w, pane);
  w.text(text);
  w.u8(cut ? 1 : 0);
}

export function decodeTapSamples(r: ByteReader): TapSample[] {
  const samples: TapSample[] = [];
  const left = { records: TAP_BOUNDS.records, chars: TAP_BOUNDS.chars };
  const streams = r.varint();
  if (streams > TAP_BOUNDS.streams) throw new MalformedBytes(`samples of ${streams} streams`);
  for (let i = 0; i < streams; i++) {
    const stream = r.varint();
    const seen = r.varint();
    const records: SampledRecord[] = [];
    for (let count = r.varint(); count > 0; count--)
      records.push({ ...decodeHop(r, left), way: decodeWay(r, left) });
    samples.push({ stream, seen, records });
  }
  return samples;
}

interface Left {
  records: number;
  chars: number;
}

function decodeWay(r: ByteReader, left: Left): TapAncestor[] {
  const way: TapAncestor[] = [];
  let count = r.varint();
  if (count > TAP_BOUNDS.way) throw new MalformedBytes(`a way of ${count} records`);
  for (; count > 0; count--) way.push({ stream: r.varint(), ...decodeHop(r, left) });
  return way;
}

function decodeHop(r: ByteReader, left: Left): TapHop {
  const record = decodeTapRecord(r, left);
  if (r.u8() === 0) return record;
  const tag = r.text();
  const clock = r.u8() === 1 ? 'wall' : 'watermark';
  const time = r.f64();
  const armedBy = r.text();
  if (tag.length > TAP_BOUNDS.key || armedBy.length > TAP_BOUNDS.id)
    throw new MalformedBytes('a timer of a sample with a longer name than it may have');
  return { ...record, timer: { tag, clock, time, armedBy } };
}

function decodeTapRecord(r: ByteReader, left: Left): TapRecord {
  if (--left.records < 0) throw new MalformedBytes(`more than ${TAP_BOUNDS.records} samples in a frame`);
  const key = r.text();
  const timestamp = r.f64();
  const id = r.text();
  const pane = decodePane(r);
  const text = r.text();
  const cut = r.u8() === 1;
  if (key.length > TAP_BOUNDS.key || id.length > TAP_BOUNDS.id || text.length > TAP_BOUNDS.text)
    throw new MalformedBytes('a sample longer than it may be');
  left.chars -= text.length;
  if (left.chars < 0) throw new MalformedBytes('samples of too many bytes');
  return { key, timestamp, id, pane, text, cut };
}

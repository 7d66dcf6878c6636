/** Records as they lie in batches and parked entries: everything a consumer needs, keyed for that consumer. */
import type { ByteReader } from '../bytes/byte-reader.ts';
import type { ByteWriter } from '../bytes/byte-writer.ts';
import { decodeValue, encodeValue } from '../bytes/value-codec.ts';

export interface StoredRecord {
  readonly key: string;
  readonly timestamp: number;
  readonly id: string;
  readonly value: unknown;
  readonly pane: StoredPane | undefined;
}

export interface StoredPane {
  readonly start: number;
  readonly end: number;
  readonly index: number;
  readonly timing: 'early' | 'on-time' | 'late';
  readonly last: boolean;
  readonly retracts?: true | undefined;
}

const TIMINGS = ['early', 'on-time', 'late'] as const;
/** Behind the flags of all other panes. */
const RETRACTS = 2 * TIMINGS.length;

export function encodeRecord(w: ByteWriter, record: StoredRecord): void {
  w.text(record.key);
  w.f64(record.timestamp);
  w.text(record.id);
  encodePane(w, record.pane);
  encodeValue(w, record.value);
}

export function decodeRecord(r: ByteReader): StoredRecord {
  const key = r.text();
  const timestamp = r.f64();
  const id = r.text();
  const pane = decodePane(r);
  return { key, timestamp, id, pane, value: decodeValue(r) };
}

export function encodePane(w: ByteWriter, pane: StoredPane | undefined): void {
  if (pane === undefined) return w.u8(0);
  w.u8(1 + (pane.retracts ? RETRACTS : 0) + TIMINGS.indexOf(pane.timing) * 2 + (pane.last ? 1 : 0));
  w.f64(pane.start);
  w.f64(pane.end);
  w.varint(pane.index);
}

export function decodePane(r: ByteReader): StoredPane | undefined {
  const flags = r.u8() - 1;
  if (flags < 0) return undefined;
  const pane = {
    timing: TIMINGS[(flags % RETRACTS) >> 1] ?? 'on-time',
    last: flags % 2 === 1,
    start: r.f64(),
    end: r.f64(),
    index: r.varint(),
  };
  return flags >= RETRACTS ? { ...pane, retracts: true } : pane;
}

/** One record for a sink: `bytes` is the line the egress stage made. */
export interface StoredSinkRow {
  readonly id: string;
  readonly key: string;
  readonly timestamp: number;
  readonly bytes: Uint8Array;
}

export function encodeSinkRow(w: ByteWriter, row: StoredSinkRow): void {
  w.text(row.id);
  w.text(row.key);
  w.f64(row.timestamp);
  w.blob(row.bytes);
}

/** Begins a batch that is one text of lines (`Egress`). No row begins so: its id is not empty. */
const TEXT = 0;

export function openSinkText(w: ByteWriter): void {
  w.u8(TEXT);
}

/** The lines of a batch for a sink, or undefined where it holds rows. */
export function sinkTextIn(batch: Uint8Array): Uint8Array | undefined {
  return batch[0] === TEXT ? batch.subarray(1) : undefined;
}

export function decodeSinkRow(r: ByteReader): StoredSinkRow {
  return { id: r.text(), key: r.text(), timestamp: r.f64(), bytes: r.blob() };
}

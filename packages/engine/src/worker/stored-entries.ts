/** How timers, parked records and state values lie in the store. */
import {
  type ByteReader,
  type ByteWriter,
  decodeRecord,
  decodeValue,
  encodeRecord,
  encodeValue,
  type StoredRecord,
} from '@millrace/protocol';

export interface StoredTimer {
  readonly time: number;
  readonly hold: number | undefined;
  /** Identity of what armed it (P4). */
  readonly armedBy: string;
  readonly armOrdinal: number;
}

export function encodeTimer(
  w: ByteWriter,
  time: number,
  hold: number | undefined,
  armedBy: string,
  armOrdinal: number,
): void {
  w.f64(time);
  w.f64(hold ?? Number.NaN);
  w.text(armedBy);
  w.varint(armOrdinal);
}

export function decodeTimer(r: ByteReader): StoredTimer {
  const time = r.f64();
  const hold = r.f64();
  return { time, hold: Number.isNaN(hold) ? undefined : hold, armedBy: r.text(), armOrdinal: r.varint() };
}

export interface ParkedRecord {
  /** Decided at delivery, and stored with it (W8). */
  readonly late: boolean;
  /** The input it came in on. */
  readonly stream: string;
  readonly record: StoredRecord;
}

export function encodeParked(w: ByteWriter, parked: ParkedRecord): void {
  w.u8(parked.late ? 1 : 0);
  w.text(parked.stream);
  encodeRecord(w, parked.record);
}

export function decodeParked(r: ByteReader): ParkedRecord {
  return { late: r.u8() === 1, stream: r.text(), record: decodeRecord(r) };
}

export interface StoredState {
  readonly version: number;
  readonly value: unknown;
}

export function encodeState(w: ByteWriter, version: number, value: unknown): void {
  w.varint(version);
  encodeValue(w, value);
}

export function decodeState(r: ByteReader): StoredState {
  return { version: r.varint(), value: decodeValue(r) };
}

import { encodeText, isWellFormed } from './text-codec.ts';

/** A growing little-endian buffer. `take` hands out a copy of what was written and starts anew. */
export class ByteWriter {
  bytes: Uint8Array;
  view: DataView;
  length = 0;

  constructor(capacity = 1024) {
    this.bytes = new Uint8Array(capacity);
    this.view = new DataView(this.bytes.buffer);
  }

  ensure(extra: number): void {
    const needed = this.length + extra;
    if (needed <= this.bytes.length) return;
    const grown = new Uint8Array(Math.max(needed, this.bytes.length * 2));
    grown.set(this.bytes.subarray(0, this.length));
    this.bytes = grown;
    this.view = new DataView(grown.buffer);
  }

  u8(value: number): void {
    this.ensure(1);
    this.bytes[this.length++] = value;
  }

  u16(value: number): void {
    this.ensure(2);
    this.view.setUint16(this.length, value, true);
    this.length += 2;
  }

  u32(value: number): void {
    this.ensure(4);
    this.view.setUint32(this.length, value, true);
    this.length += 4;
  }

  f64(value: number): void {
    this.ensure(8);
    this.view.setFloat64(this.length, value, true);
    this.length += 8;
  }

  /** Unsigned LEB128 of a safe non-negative integer. */
  varint(value: number): void {
    this.ensure(8);
    let rest = value;
    while (rest >= 0x80) {
      this.bytes[this.length++] = (rest % 0x80) | 0x80;
      rest = Math.floor(rest / 0x80);
    }
    this.bytes[this.length++] = rest;
  }

  raw(bytes: Uint8Array): void {
    this.ensure(bytes.length);
    this.bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  /** Part of other bytes; short ones without a view. */
  range(bytes: Uint8Array, start: number, end: number): void {
    const length = end - start;
    this.ensure(length);
    if (length > 48) this.bytes.set(bytes.subarray(start, end), this.length);
    else for (let i = 0; i < length; i++) this.bytes[this.length + i] = bytes[start + i] as number;
    this.length += length;
  }

  /** Length-prefixed bytes. */
  blob(bytes: Uint8Array): void {
    this.varint(bytes.length);
    this.raw(bytes);
  }

  /** Length-prefixed UTF-8. */
  text(value: string): void {
    const length = value.length;
    if (length < 64) {
      this.ensure(length + 1);
      const start = this.length;
      const bytes = this.bytes;
      bytes[start] = length;
      let i = 0;
      for (; i < length; i++) {
        const c = value.charCodeAt(i);
        if (c >= 0x80) break;
        bytes[start + 1 + i] = c;
      }
      if (i === length) {
        this.length = start + 1 + length;
        return;
      }
    }
    this.blob(encodeText(value));
  }

  /** Appends text of characters 1 … 127, without a length; false, and nothing appended, for any other. */
  plainAscii(value: string): boolean {
    const length = value.length;
    if (length > 128) return false;
    this.ensure(length);
    const { bytes } = this;
    const start = this.length;
    for (let i = 0; i < length; i++) {
      const c = value.charCodeAt(i);
      if (c === 0 || c >= 0x80) return false;
      bytes[start + i] = c;
    }
    this.length = start + length;
    return true;
  }

  /** Reserves the length of a blob that is written in place; `closeBlob` gets what this returns. */
  openBlob(): number {
    this.u8(0);
    return this.length;
  }

  /** Writes the length (plus `extra`) of what was appended since `openBlob`. */
  closeBlob(start: number, extra = 0): void {
    const length = this.length - start + extra;
    if (length < 0x80) {
      this.bytes[start - 1] = length;
      return;
    }
    let size = 1;
    for (let rest = length; rest >= 0x80; rest = Math.floor(rest / 0x80)) size++;
    this.ensure(size - 1);
    this.bytes.copyWithin(start + size - 1, start, this.length);
    const end = this.length + size - 1;
    this.length = start - 1;
    this.varint(length);
    this.length = end;
  }

  /** UTF-8 without a length. */
  utf8(value: string): void {
    this.ensure(value.length * 3);
    const { written } = encoder.encodeInto(value, this.bytes.subarray(this.length));
    if (written !== value.length && !isWellFormed(value)) this.raw(encodeText(value));
    else this.length += written;
  }

  take(): Uint8Array {
    const copy = this.bytes.slice(0, this.length);
    this.length = 0;
    return copy;
  }
}

const encoder = new TextEncoder();

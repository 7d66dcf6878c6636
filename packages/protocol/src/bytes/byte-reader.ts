/**
 * Reads what `ByteWriter` wrote. Every read is checked against the end: bytes may come from a hostile worker,
 * and a short or absurd length is a `MalformedBytes`, never a huge allocation.
 */
import { decodeText } from './text-codec.ts';

export class ByteReader {
  readonly bytes: Uint8Array;
  readonly #view: DataView;
  offset: number;

  constructor(bytes: Uint8Array, offset = 0) {
    this.bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.offset = offset;
  }

  get done(): boolean {
    return this.offset >= this.bytes.length;
  }

  u8(): number {
    return this.bytes[this.#skip(1)] as number;
  }

  u16(): number {
    return this.#view.getUint16(this.#skip(2), true);
  }

  u32(): number {
    return this.#view.getUint32(this.#skip(4), true);
  }

  f64(): number {
    return this.#view.getFloat64(this.#skip(8), true);
  }

  varint(): number {
    let value = 0;
    let scale = 1;
    for (let i = 0; i < 8; i++) {
      const byte = this.u8();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) {
        if (value > Number.MAX_SAFE_INTEGER) break;
        return value;
      }
      scale *= 0x80;
    }
    throw new MalformedBytes('a number is too long');
  }

  /** A view of the next `length` bytes, not a copy. */
  raw(length: number): Uint8Array {
    const start = this.#skip(length);
    return this.bytes.subarray(start, start + length);
  }

  skip(length: number): void {
    this.#skip(length);
  }

  blob(): Uint8Array {
    return this.raw(this.varint());
  }

  text(): string {
    const length = this.varint();
    const start = this.#skip(length);
    const bytes = this.bytes;
    if (length < 24) {
      let text = '';
      for (let i = start; i < start + length; i++) {
        const c = bytes[i] as number;
        if (c >= 0x80) return decodeText(bytes.subarray(start, start + length));
        text += String.fromCharCode(c);
      }
      return text;
    }
    return decodeText(bytes.subarray(start, start + length));
  }

  #skip(length: number): number {
    const start = this.offset;
    const end = start + length;
    if (!(end <= this.bytes.length))
      throw new MalformedBytes(`${length} bytes wanted at ${start}, ${this.bytes.length - start} there`);
    this.offset = end;
    return start;
  }
}

/** The bytes are not what the protocol says. */
export class MalformedBytes extends Error {
  readonly code = 'malformed-bytes';
  constructor(what: string) {
    super(`malformed bytes: ${what}`);
  }
}

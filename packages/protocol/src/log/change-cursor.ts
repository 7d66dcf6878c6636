/**
 * Walks the changes of a body that `readBundleBody` has found well formed, without an object or a view for
 * each: the host passes over every change of every bundle, hundreds of thousands a second.
 */
export class ChangeCursor {
  readonly bytes: Uint8Array;
  space = 0;
  /** Where the change begins; `read(at)` comes back to it. */
  at = 0;
  keyStart = 0;
  keyEnd = 0;
  valueStart = 0;
  /** Before `valueStart`: the entry is removed. */
  valueEnd = 0;
  #offset = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  /** Reads the change at `at` and returns where the next one begins. */
  read(at: number): number {
    this.#offset = at;
    this.at = at;
    this.space = this.#varint();
    const keyLength = this.#varint();
    this.keyStart = this.#offset;
    this.keyEnd = this.keyStart + keyLength;
    this.#offset = this.keyEnd;
    const valueLength = this.#varint();
    this.valueStart = this.#offset;
    this.valueEnd = this.valueStart + valueLength - 1;
    return valueLength === 0 ? this.valueStart : this.valueEnd;
  }

  get removed(): boolean {
    return this.valueEnd < this.valueStart;
  }

  /** A view of the key. */
  get key(): Uint8Array {
    return this.bytes.subarray(this.keyStart, this.keyEnd);
  }

  /** A view of the value; undefined when the entry is removed. */
  get value(): Uint8Array | undefined {
    return this.removed ? undefined : this.bytes.subarray(this.valueStart, this.valueEnd);
  }

  #varint(): number {
    const { bytes } = this;
    let byte = bytes[this.#offset++] as number;
    if (byte < 0x80) return byte;
    let value = byte & 0x7f;
    let scale = 0x80;
    do {
      byte = bytes[this.#offset++] as number;
      value += (byte & 0x7f) * scale;
      scale *= 0x80;
    } while (byte >= 0x80);
    return value;
  }
}

/** memcmp of two ranges. */
export function compareRanges(
  a: Uint8Array,
  aStart: number,
  aEnd: number,
  b: Uint8Array,
  bStart: number,
  bEnd: number,
): number {
  const length = Math.min(aEnd - aStart, bEnd - bStart);
  for (let i = 0; i < length; i++) {
    const d = (a[aStart + i] as number) - (b[bStart + i] as number);
    if (d !== 0) return d;
  }
  return aEnd - aStart - (bEnd - bStart);
}

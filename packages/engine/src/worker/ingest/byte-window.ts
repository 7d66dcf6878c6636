/**
 * The unread bytes of one partition as text, with byte offsets for every position.
 *
 * Chunks cut records and even characters anywhere; what is not consumed is carried over. A chunk is read only
 * when those before it are used up, so that a record's text is joined to the next chunk's, not the rest of a
 * whole chunk: that would copy every byte several times. Bytes that are not UTF-8 are read as "?" so that one
 * text position never stands for another number of bytes than it had.
 */
export class ByteWindow {
  text = '';
  /** Next unread position in `text`. */
  at = 0;
  #offset: number;
  #ascii = true;
  /** Trailing bytes of a character that is not complete. */
  #tail = new Uint8Array(0);
  /** Chunks that are not text yet. */
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #closing = false;

  constructor(offset: number) {
    this.#offset = offset;
  }

  /** Byte offset of the next unread position. */
  get offset(): number {
    return this.#offset;
  }

  /** Characters of the text that are not read. */
  get unread(): number {
    return this.text.length - this.at;
  }

  /** Bytes behind the text. */
  get waitingBytes(): number {
    return this.#waitingBytes;
  }

  push(bytes: Uint8Array): void {
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.length;
  }

  /** No more bytes will come. */
  end(): void {
    this.#closing = true;
  }

  /** True when the text is all that will ever come. */
  get ended(): boolean {
    return this.#closing && this.#waiting.length === 0 && this.#tail.length === 0;
  }

  /** Makes text of the next chunk; false when there is none. */
  pull(): boolean {
    const next = this.#waiting.shift();
    if (next !== undefined) {
      this.#waitingBytes -= next.length;
      this.#append(next);
      return true;
    }
    if (!this.#closing || this.#tail.length === 0) return false;
    this.#appendTail();
    return true;
  }

  /** Consumes up to text position `to`. */
  consume(to: number): void {
    this.#offset += this.#ascii ? to - this.at : utf8Length(this.text, this.at, to);
    this.at = to;
    if (this.at === this.text.length && this.#tail.length === 0) {
      this.text = '';
      this.at = 0;
      this.#ascii = true;
    }
  }

  #append(bytes: Uint8Array): void {
    const whole = this.#tail.length === 0 ? bytes : joined(this.#tail, bytes);
    const cut = completeLength(whole);
    this.#tail = whole.slice(cut);
    const usable = whole.subarray(0, cut);
    const text = decode(usable);
    if (text.length !== usable.length) this.#ascii = false;
    this.text = this.at === this.text.length ? text : this.text.slice(this.at) + text;
    this.at = 0;
  }

  /** No more bytes will come: a character that is not complete is read as it is, like any that is none. */
  #appendTail(): void {
    const tail = this.#tail;
    this.#tail = new Uint8Array(0);
    this.text = this.text.slice(this.at) + '?'.repeat(tail.length);
    this.at = 0;
  }
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decode(bytes: Uint8Array): string {
  try {
    return strict.decode(bytes);
  } catch {
    return strict.decode(withoutInvalid(bytes));
  }
}

/** Length without an incomplete character at the end. */
function completeLength(bytes: Uint8Array): number {
  const end = bytes.length;
  for (let back = 1; back <= 3 && back <= end; back++) {
    const byte = bytes[end - back] as number;
    if (byte < 0x80) return end;
    if (byte >= 0xc0) return sequenceLength(byte) > back ? end - back : end;
  }
  return end;
}

function sequenceLength(lead: number): number {
  if (lead < 0x80) return 1;
  if (lead >= 0xc2 && lead < 0xe0) return 2;
  if (lead >= 0xe0 && lead < 0xf0) return 3;
  return lead >= 0xf0 && lead < 0xf5 ? 4 : 0;
}

function withoutInvalid(bytes: Uint8Array): Uint8Array {
  const clean = bytes.slice();
  for (let i = 0; i < clean.length; ) {
    const length = sequenceLength(clean[i] as number);
    if (length > 0 && validSequence(clean, i, length)) i += length;
    else clean[i++] = 0x3f;
  }
  return clean;
}

function validSequence(bytes: Uint8Array, at: number, length: number): boolean {
  if (length === 1) return true;
  if (at + length > bytes.length) return false;
  for (let i = 1; i < length; i++) if (((bytes[at + i] as number) & 0xc0) !== 0x80) return false;
  const lead = bytes[at] as number;
  const second = bytes[at + 1] as number;
  if (lead === 0xe0) return second >= 0xa0;
  if (lead === 0xed) return second < 0xa0;
  if (lead === 0xf0) return second >= 0x90;
  return lead !== 0xf4 || second < 0x90;
}

function utf8Length(text: string, from: number, to: number): number {
  let length = 0;
  for (let i = from; i < to; i++) {
    const c = text.charCodeAt(i);
    if (c < 0x80) length += 1;
    else if (c < 0x800) length += 2;
    else if (c >= 0xd800 && c < 0xdc00) {
      length += 4;
      i++;
    } else length += 3;
  }
  return length;
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const all = new Uint8Array(a.length + b.length);
  all.set(a);
  all.set(b, a.length);
  return all;
}

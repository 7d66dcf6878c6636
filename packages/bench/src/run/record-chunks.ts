/**
 * The input of every benchmark: JSON lines of exactly 100 bytes in chunks of about 256 kB, made beforehand. A
 * benchmark may stamp its own digits into each record as it is handed out; a chunk depends on its number alone,
 * so that reading again from an offset gives the same bytes.
 */
export const RECORD_BYTES = 100;
const LARGEST_CHUNK = 262_144;

export interface RecordChunks {
  readonly recordsPerChunk: number;
  /** Chunk `index`, the next, and so on, without end. */
  chunk(index: number): Uint8Array;
}

export interface ChunkOptions {
  /** Fields of record `n`, without the filler that makes it 100 bytes. */
  readonly record: (n: number) => Readonly<Record<string, unknown>>;
  /** How many different chunks are made; they come round again. */
  readonly chunks: number;
  /** Writes into the record that begins at `at`; `n` counts all records handed out. */
  readonly stamp?: (bytes: Uint8Array, at: number, n: number) => void;
  readonly recordsPerChunk?: number;
}

export function recordChunks(options: ChunkOptions): RecordChunks {
  const recordsPerChunk = options.recordsPerChunk ?? Math.floor(LARGEST_CHUNK / RECORD_BYTES);
  const made = Array.from({ length: options.chunks }, (_, chunk) => {
    const bytes = Buffer.alloc(recordsPerChunk * RECORD_BYTES);
    for (let i = 0; i < recordsPerChunk; i++)
      bytes.write(recordLine(options.record(chunk * recordsPerChunk + i)), i * RECORD_BYTES, 'latin1');
    return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
  });
  const { stamp } = options;
  return {
    recordsPerChunk,
    chunk(index) {
      const bytes = made[index % made.length] as Uint8Array;
      if (stamp === undefined) return bytes;
      const copy = bytes.slice();
      const first = index * recordsPerChunk;
      for (let i = 0; i < recordsPerChunk; i++) stamp(copy, i * RECORD_BYTES, first + i);
      return copy;
    },
  };
}

/** One line of 100 bytes, the newline among them. */
export function recordLine(fields: Readonly<Record<string, unknown>>): string {
  const empty = JSON.stringify({ ...fields, fill: '' });
  const room = RECORD_BYTES - 1 - empty.length;
  if (room < 0)
    throw new RangeError(`a record of ${empty.length + 1} bytes does not fit into ${RECORD_BYTES}`);
  return `${JSON.stringify({ ...fields, fill: 'x'.repeat(room) })}\n`;
}

/** Writes `width` decimal digits, zeros in front. */
export function writeDigits(bytes: Uint8Array, at: number, width: number, value: number): void {
  let rest = value;
  for (let i = at + width - 1; i >= at; i--) {
    const next = Math.floor(rest / 10);
    bytes[i] = 48 + rest - next * 10;
    rest = next;
  }
}

/** Numbers that look random and depend on `n` alone (splitmix32). */
export function scatter(n: number): number {
  let z = (n + 0x9e3779b9) | 0;
  z = Math.imul(z ^ (z >>> 16), 0x21f0aaad);
  z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
  return (z ^ (z >>> 15)) >>> 0;
}

/** Lines in memory as a file of a known end would hand them out. */
import type { SourcePartition } from '@millrace/engine';

const LARGEST_CHUNK = 262_144;

/** Whole lines, in pieces of at most about 256 kB. */
export function lineChunks(lines: Iterable<string>): readonly Uint8Array[] {
  const chunks: Uint8Array[] = [];
  let text = '';
  for (const line of lines) {
    text += `${line}\n`;
    if (text.length < LARGEST_CHUNK) continue;
    chunks.push(Buffer.from(text));
    text = '';
  }
  if (text !== '') chunks.push(Buffer.from(text));
  return chunks;
}

/** Ends behind the last chunk. */
export function endingPartition(name: string, chunks: readonly Uint8Array[]): SourcePartition {
  return {
    name,
    async *read(offset, signal) {
      let begin = 0;
      for (const bytes of chunks) {
        const end = begin + bytes.length;
        if (signal.aborted) return;
        if (end > offset) {
          const skip = Math.max(0, offset - begin);
          yield { kind: 'bytes', offset: begin + skip, bytes: bytes.subarray(skip) };
        }
        begin = end;
      }
    },
  };
}

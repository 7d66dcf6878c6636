/**
 * Cuts standard input into frames. Small frames are copied once out of the read buffer; a frame that is not
 * whole yet gets its own bytes at once and the rest is read straight into them.
 */
const CHUNK_BYTES = 256 << 10;
const HEADER_BYTES = 4;
const LARGEST_FRAME = 64 << 20;

export async function readFrames(
  read: (into: Uint8Array) => Promise<number | null>,
  receive: (frame: Uint8Array) => void,
): Promise<void> {
  const chunk = new Uint8Array(CHUNK_BYTES);
  let kept = 0;
  for (;;) {
    const count = await read(chunk.subarray(kept));
    if (count === null) return;
    const end = kept + count;
    let at = 0;
    while (end - at >= HEADER_BYTES) {
      const length = frameLength(chunk, at);
      const from = at + HEADER_BYTES;
      if (from + length > end) break;
      receive(chunk.slice(from, from + length));
      at = from + length;
    }
    if (end - at < HEADER_BYTES) {
      chunk.copyWithin(0, at, end);
      kept = end - at;
      continue;
    }
    const frame = new Uint8Array(frameLength(chunk, at));
    frame.set(chunk.subarray(at + HEADER_BYTES, end));
    if (!(await fill(read, frame, end - at - HEADER_BYTES))) return;
    receive(frame);
    kept = 0;
  }
}

async function fill(
  read: (into: Uint8Array) => Promise<number | null>,
  frame: Uint8Array,
  from: number,
): Promise<boolean> {
  let at = from;
  while (at < frame.length) {
    const count = await read(frame.subarray(at));
    if (count === null) return false;
    at += count;
  }
  return true;
}

function frameLength(bytes: Uint8Array, at: number): number {
  const length = (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0;
  if (length > LARGEST_FRAME) throw new RangeError(`a frame of ${length} bytes is over the limit`);
  return length;
}

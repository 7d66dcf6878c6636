/**
 * Writes frames: four bytes of length, little-endian, then the payload. Small frames leave in one system call,
 * large ones without a copy.
 */
const SMALL_BYTES = 64 << 10;

export function frameWriter(writeSync: (bytes: Uint8Array) => number): (frame: Uint8Array) => void {
  const scratch = new Uint8Array(4 + SMALL_BYTES);
  const writeAll = (bytes: Uint8Array) => {
    let at = writeSync(bytes);
    while (at < bytes.length) at += writeSync(bytes.subarray(at));
  };
  return (frame) => {
    const { length } = frame;
    scratch[0] = length & 0xff;
    scratch[1] = (length >>> 8) & 0xff;
    scratch[2] = (length >>> 16) & 0xff;
    scratch[3] = length >>> 24;
    if (length > SMALL_BYTES) {
      writeAll(scratch.subarray(0, 4));
      writeAll(frame);
      return;
    }
    scratch.set(frame, 4);
    writeAll(scratch.subarray(0, 4 + length));
  };
}

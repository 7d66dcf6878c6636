/**
 * Cuts a worker's output into frames. The worker is hostile: a length over the limit ends it, before a byte of
 * that frame is kept. A frame that lies whole in one chunk is a view of that chunk.
 */
export const HEADER_BYTES = 4;
export const LARGEST_FRAME = 64 << 20;

export class OversizedFrame extends Error {
  constructor(length: number) {
    super(`it announced a frame of ${length} bytes; the limit is ${LARGEST_FRAME}`);
  }
}

export class FrameCutter {
  private readonly emit: (frame: Uint8Array) => void;
  private readonly header = Buffer.alloc(HEADER_BYTES);
  private headerBytes = 0;
  private frame: Buffer | undefined;
  private filled = 0;

  constructor(emit: (frame: Uint8Array) => void) {
    this.emit = emit;
  }

  /** Throws `OversizedFrame`. */
  push(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length) at = this.frame ? this.fill(this.frame, chunk, at) : this.begin(chunk, at);
  }

  /** True between frames: an end of input here cuts nothing off. */
  get clean(): boolean {
    return this.frame === undefined && this.headerBytes === 0;
  }

  private begin(chunk: Buffer, at: number): number {
    const taken = Math.min(HEADER_BYTES - this.headerBytes, chunk.length - at);
    chunk.copy(this.header, this.headerBytes, at, at + taken);
    this.headerBytes += taken;
    if (this.headerBytes < HEADER_BYTES) return at + taken;
    this.headerBytes = 0;
    const length = this.header.readUInt32LE(0);
    if (length > LARGEST_FRAME) throw new OversizedFrame(length);
    const from = at + taken;
    if (from + length <= chunk.length) {
      this.emit(chunk.subarray(from, from + length));
      return from + length;
    }
    this.frame = Buffer.allocUnsafeSlow(length);
    this.filled = 0;
    return from;
  }

  private fill(frame: Buffer, chunk: Buffer, at: number): number {
    const taken = chunk.copy(frame, this.filled, at, Math.min(chunk.length, at + frame.length - this.filled));
    this.filled += taken;
    if (this.filled === frame.length) {
      this.frame = undefined;
      this.emit(frame);
    }
    return at + taken;
  }
}

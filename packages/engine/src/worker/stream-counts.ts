/**
 * Records of each stream as one worker has produced and taken them (P9: produced = delivered + in flight).
 * Part of the commit, as absolute numbers: what is produced with the sender's, what is delivered with the
 * receiver's. A sink takes its records in the host, so only their production is counted here.
 */
import { ByteReader, ByteWriter } from '@millrace/protocol';

export interface StreamCount {
  readonly produced: number;
  readonly delivered: number;
}

export class StreamCounts {
  /** By plan index of the stream; the router counts in place. */
  readonly produced: Float64Array;
  readonly delivered: Float64Array;
  readonly #written: Float64Array;

  constructor(streams: number) {
    this.produced = new Float64Array(streams);
    this.delivered = new Float64Array(streams);
    this.#written = new Float64Array(2 * streams);
  }

  restore(stream: number, { produced, delivered }: StreamCount): void {
    this.produced[stream] = produced;
    this.delivered[stream] = delivered;
    this.#note(stream);
  }

  /** The post-image of a stream's counts, if they changed since they were last taken. */
  takeChange(stream: number): Uint8Array | undefined {
    const produced = this.produced[stream] as number;
    const delivered = this.delivered[stream] as number;
    if (produced === this.#written[2 * stream] && delivered === this.#written[2 * stream + 1])
      return undefined;
    this.#note(stream);
    return encodeStreamCount({ produced, delivered });
  }

  #note(stream: number): void {
    this.#written[2 * stream] = this.produced[stream] as number;
    this.#written[2 * stream + 1] = this.delivered[stream] as number;
  }
}

export function encodeStreamCount({ produced, delivered }: StreamCount): Uint8Array {
  const w = new ByteWriter(16);
  w.varint(produced);
  w.varint(delivered);
  return w.take();
}

/** Throws for anything else: a worker is not trusted. */
export function decodeStreamCount(bytes: Uint8Array): StreamCount {
  const r = new ByteReader(bytes);
  const count = { produced: r.varint(), delivered: r.varint() };
  if (!r.done) throw new RangeError('stream counts with something behind them');
  return count;
}

/** What a node has promised: states of their own, never numbers (W4). */
import { type ByteReader, MalformedBytes } from '../bytes/byte-reader.ts';
import type { ByteWriter } from '../bytes/byte-writer.ts';

export type Watermark =
  | { readonly kind: 'not-yet' }
  | { readonly kind: 'at'; readonly time: number }
  /** Nothing to say at present; does not hold others. `time` is the last value, if there was one. */
  | { readonly kind: 'idle'; readonly time: number | undefined }
  | { readonly kind: 'ended' };

export const NOT_YET: Watermark = { kind: 'not-yet' };
export const ENDED: Watermark = { kind: 'ended' };

export function encodeWatermark(w: ByteWriter, watermark: Watermark): void {
  switch (watermark.kind) {
    case 'not-yet':
      return w.u8(0);
    case 'at':
      w.u8(1);
      return w.f64(watermark.time);
    case 'idle':
      w.u8(watermark.time === undefined ? 2 : 3);
      if (watermark.time !== undefined) w.f64(watermark.time);
      return;
    case 'ended':
      return w.u8(4);
  }
}

export function decodeWatermark(r: ByteReader): Watermark {
  switch (r.u8()) {
    case 0:
      return NOT_YET;
    case 1:
      return { kind: 'at', time: readTime(r) };
    case 2:
      return { kind: 'idle', time: undefined };
    case 3:
      return { kind: 'idle', time: readTime(r) };
    case 4:
      return ENDED;
    default:
      throw new MalformedBytes('unknown watermark');
  }
}

function readTime(r: ByteReader): number {
  const time = r.f64();
  if (Number.isNaN(time)) throw new MalformedBytes('a watermark at no time');
  return time;
}

export function sameWatermark(a: Watermark, b: Watermark): boolean {
  return a.kind === b.kind && ('time' in a ? a.time : undefined) === ('time' in b ? b.time : undefined);
}

/** What a node has promised: states of their own, never numbers (W4). */
import type { ByteReader } from '../bytes/byte-reader.ts';
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
    case 1:
      return { kind: 'at', time: r.f64() };
    case 2:
      return { kind: 'idle', time: undefined };
    case 3:
      return { kind: 'idle', time: r.f64() };
    case 4:
      return ENDED;
    default:
      return NOT_YET;
  }
}

export function sameWatermark(a: Watermark, b: Watermark): boolean {
  return a.kind === b.kind && ('time' in a ? a.time : undefined) === ('time' in b ? b.time : undefined);
}

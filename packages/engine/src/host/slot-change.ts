/**
 * A change of the number of workers: keys move with their hashes, since rows know nothing of workers. What has
 * to be carried over are the watermarks. It happens when nothing is undelivered.
 *
 * Invariants (W3)
 *   SC1  the output of a new slot starts where receivers had come to: at the least of the old ones that hold; nowhere
 *        while one had said nothing, for what it reads may be older than what the others have promised.
 *   SC2  its input starts at the greatest. No old slot was ahead of what all senders had promised, only further in
 *        hearing of it, and a key that comes from there has seen it.
 */
import {
  ByteReader,
  ByteWriter,
  decodeValue,
  encodeValue,
  META_SPACE,
  metaKeys,
  type Watermark,
} from '@millrace/protocol';
import type { PagedStore } from './paged/paged-store.ts';
import { intervalBytes, numberBytes, readIntervals } from './recovery.ts';

interface StoredWatermark {
  readonly out?: number | undefined;
  readonly in?: number | undefined;
  readonly kind?: Watermark['kind'];
}

export async function changeSlots(
  paged: PagedStore,
  nodeNumbers: readonly number[],
  from: number,
  to: number,
): Promise<void> {
  for (const number of nodeNumbers) {
    const old: (StoredWatermark | undefined)[] = [];
    for (let slot = 0; slot < from; slot++) {
      const bytes = await paged.get(META_SPACE, metaKeys.watermarks(slot, number));
      old.push(bytes && (decodeValue(new ByteReader(bytes)) as StoredWatermark));
    }
    const floor = {
      out: promised(old),
      in: extreme(
        Math.max,
        old.map((of) => of?.in),
      ),
    };
    for (let slot = 0; slot < to; slot++) {
      const w = new ByteWriter(32);
      encodeValue(w, { ...floor, kind: floor.out === undefined ? 'not-yet' : 'at' });
      paged.putMeta(metaKeys.watermarks(slot, number), w.take());
    }
  }
  const { step } = await readIntervals(paged);
  // Cut anew; numbers of changes are not used again.
  if (step > 0) paged.putMeta(metaKeys.intervals(), intervalBytes({ step, tables: [] }));
  paged.putMeta(metaKeys.workers(), numberBytes(to));
}

/** SC1: as receivers take it from their senders (`WatermarkCoalescer`). */
function promised(old: readonly (StoredWatermark | undefined)[]): number | undefined {
  if (old.some((of) => of === undefined || of.kind === 'not-yet')) return undefined;
  const of = (kind: Watermark['kind']) => old.filter((it) => it?.kind === kind).map((it) => it?.out);
  return extreme(Math.min, of('at')) ?? extreme(Math.max, of('idle')) ?? extreme(Math.max, of('ended'));
}

function extreme(
  choose: (...times: number[]) => number,
  times: readonly (number | undefined)[],
): number | undefined {
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 ? undefined : choose(...known);
}

/**
 * A change of the number of workers: keys move with their hashes, since rows know nothing of workers. What has
 * to be carried over are the watermarks, so that no new interval starts above what its keys were promised or
 * below what others were told (W3): each starts at the minimum over the old ones.
 */
import { ByteReader, ByteWriter, decodeValue, encodeValue, META_SPACE, metaKeys } from '@millrace/protocol';
import type { PagedStore } from './paged/paged-store.ts';
import { numberBytes } from './recovery.ts';

interface StoredWatermark {
  readonly out?: number | undefined;
  readonly in?: number | undefined;
}

export async function changeSlots(
  paged: PagedStore,
  nodeNumbers: readonly number[],
  from: number,
  to: number,
): Promise<void> {
  for (const number of nodeNumbers) {
    const old: StoredWatermark[] = [];
    for (let slot = 0; slot < from; slot++) {
      const bytes = await paged.get(META_SPACE, metaKeys.watermarks(slot, number));
      if (bytes !== undefined) old.push(decodeValue(new ByteReader(bytes)) as StoredWatermark);
    }
    const floor = { out: least(old.map((w) => w.out)), in: least(old.map((w) => w.in)) };
    for (let slot = 0; slot < to; slot++) {
      const w = new ByteWriter(32);
      encodeValue(w, floor);
      paged.putMeta(metaKeys.watermarks(slot, number), w.take());
    }
  }
  paged.putMeta(metaKeys.workers(), numberBytes(to));
}

function least(times: readonly (number | undefined)[]): number | undefined {
  let result: number | undefined;
  for (const time of times) {
    if (time === undefined) continue;
    if (result === undefined || time < result) result = time;
  }
  return result;
}

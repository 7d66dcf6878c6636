/** A step of a move, or of a change of the number of workers, as a bundle of the host's own. */
import { type BundleBody, BundleBodyWriter, META_SPACE, metaKeys, readBundleBody } from '@millrace/protocol';
import type { StoredStep } from './interval-mover.ts';
import { intervalBytes } from './recovery.ts';

export function stepBody({ intervals, also = [] }: Pick<StoredStep, 'intervals' | 'also'>): BundleBody {
  const writer = new BundleBodyWriter();
  writer.put(META_SPACE, metaKeys.intervals(), intervalBytes(intervals));
  for (const [key, value] of also) writer.put(META_SPACE, key, value);
  return readBundleBody(writer.take());
}

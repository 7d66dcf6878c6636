/** Cuts what an earlier worker left into frames that fit a pipe; the last one is marked. */
import type { StoreEntry } from '@millrace/protocol';

const ENTRIES = 4_000;
const BYTES = 8 * 1024 * 1024;

export function* restoreFrames(
  entries: readonly StoreEntry[],
): Generator<{ readonly entries: readonly StoreEntry[]; readonly last: boolean }> {
  let from = 0;
  let bytes = 0;
  for (const [i, { key, value }] of entries.entries()) {
    const size = key.length + value.length;
    if (i > from && (i - from === ENTRIES || bytes + size > BYTES)) {
      yield { entries: entries.slice(from, i), last: false };
      from = i;
      bytes = 0;
    }
    bytes += size;
  }
  yield { entries: entries.slice(from), last: true };
}

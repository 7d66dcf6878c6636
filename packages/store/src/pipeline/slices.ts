/** Cuts long lists of rows into statements of bounded size. */

/** One parameter must stay far below a message's limit of 1 GB. */
const SLICE_BYTES = 8 << 20;
const SLICE_ROWS = 2_000;

export function* slices<T>(items: readonly T[], bytesOf: (item: T) => number): Generator<readonly T[]> {
  let from = 0;
  let bytes = 0;
  for (let at = 0; at < items.length; at++) {
    const size = bytesOf(items[at]!);
    if (at > from && (bytes + size > SLICE_BYTES || at - from >= SLICE_ROWS)) {
      yield items.slice(from, at);
      from = at;
      bytes = 0;
    }
    bytes += size;
  }
  if (from < items.length) yield items.slice(from);
}

export function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
}

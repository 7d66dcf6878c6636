/**
 * One reading of a table, looked through before it is handed over: whether it has what the last one had. A reading that
 * is small enough is kept meanwhile; a larger one is read once more where it differs.
 */
import { createHash } from 'node:crypto';

export interface Looked {
  readonly digest: string;
  /** All of it; undefined where that is more than may be kept. */
  readonly pieces: readonly Uint8Array[] | undefined;
}

export async function lookThrough(rows: AsyncIterable<Uint8Array>, mostBytes: number): Promise<Looked> {
  const hash = createHash('sha256');
  let pieces: Uint8Array[] | undefined = [];
  let bytes = 0;
  for await (const piece of rows) {
    hash.update(piece);
    bytes += piece.length;
    if (bytes > mostBytes) pieces = undefined;
    pieces?.push(piece);
  }
  return { digest: hash.digest('base64'), pieces };
}

/** Passes rows on and digests them on the way. */
export async function* digesting(
  rows: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  told: (digest: string) => void,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  for await (const piece of rows) {
    hash.update(piece);
    yield piece;
  }
  told(hash.digest('base64'));
}

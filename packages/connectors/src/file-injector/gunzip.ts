import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';

/**
 * The uncompressed bytes of a gzip file, in chunks of at most `chunkBytes`. Never holds more than a few chunks,
 * however far the file expands. Ends early when `signal` aborts; throws on bytes that are not gzip and on a
 * file that stops in the middle.
 */
export async function* gunzipFrom(
  handle: FileHandle,
  chunkBytes: number,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip({ chunkSize: chunkBytes });
  const stop = new AbortController();
  const feed = pipeline(Readable.from(packedBytes(handle, chunkBytes)), gunzip, {
    signal: AbortSignal.any([signal, stop.signal]),
  });
  // The stream's own error reaches the loop below; here it must only not go unhandled.
  feed.catch(() => undefined);
  try {
    for await (const chunk of gunzip) yield chunk as Uint8Array;
    await feed;
  } finally {
    stop.abort();
    await feed.catch(() => undefined);
  }
}

async function* packedBytes(handle: FileHandle, chunkBytes: number): AsyncGenerator<Uint8Array> {
  for (let position = 0; ; ) {
    const bytes = new Uint8Array(chunkBytes);
    const { bytesRead } = await handle.read(bytes, 0, chunkBytes, position);
    if (bytesRead === 0) return;
    yield bytes.subarray(0, bytesRead);
    position += bytesRead;
  }
}

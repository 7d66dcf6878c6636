import type { FileHandle } from 'node:fs/promises';

export type Compression = 'none' | 'gzip' | 'ending-lies';

/**
 * Told by the setting, else by the first bytes; a name that ends in `.gz` over other bytes is a mistake worth
 * a message and not a guess.
 */
export async function detectCompression(
  handle: FileHandle,
  path: string,
  setting: boolean | undefined,
): Promise<Compression> {
  if (setting !== undefined) return setting ? 'gzip' : 'none';
  const head = new Uint8Array(3);
  const { bytesRead } = await handle.read(head, 0, 3, 0);
  // RFC 1952: the magic number and the only compression method there is.
  if (bytesRead === 3 && head[0] === 0x1f && head[1] === 0x8b && head[2] === 8) return 'gzip';
  return bytesRead > 0 && path.toLowerCase().endsWith('.gz') ? 'ending-lies' : 'none';
}

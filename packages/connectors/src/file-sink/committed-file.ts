/**
 * What a mark says about the file: how long it was and which file it was.
 *
 * Identity is the inode and a digest of the last bytes before the committed length. Inodes alone are given out
 * again as soon as a file is deleted; the device is kept for people, not compared: its number may change when
 * the machine starts again.
 */
import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { z } from 'zod';

/** How many bytes before the end are digested. */
export const TAIL_BYTES = 4096;

export const committedFile = z.object({
  length: z.int().nonnegative(),
  dev: z.string(),
  ino: z.string(),
  tail: z.string(),
});

export type CommittedFile = z.infer<typeof committedFile>;

export function digest(tail: Uint8Array): string {
  return createHash('sha256').update(tail).digest('base64url');
}

/** The last bytes before `length`; fewer where the file is shorter. */
export async function readTail(handle: FileHandle, length: number): Promise<Uint8Array> {
  const wanted = Math.min(length, TAIL_BYTES);
  const tail = new Uint8Array(wanted);
  let read = 0;
  while (read < wanted) {
    const { bytesRead } = await handle.read(tail, read, wanted - read, length - wanted + read);
    if (bytesRead === 0) break;
    read += bytesRead;
  }
  return tail.subarray(0, read);
}

/** The tail after `added` was written behind a file that ended in `tail`. */
export function extendTail(tail: Uint8Array, added: Uint8Array): Uint8Array {
  if (added.length >= TAIL_BYTES) return added.slice(-TAIL_BYTES);
  const joined = new Uint8Array(tail.length + added.length);
  joined.set(tail);
  joined.set(added, tail.length);
  return joined.slice(-TAIL_BYTES);
}

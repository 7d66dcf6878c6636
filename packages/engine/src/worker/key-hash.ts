/** XXH64 of a key's UTF-8, seed 0 (G2: fixed for ever), and ids derived by it (P4). */
import type { KeyHash } from '@millrace/protocol';
import xxhash from 'xxhash-wasm';

export interface Hasher {
  keyHash(key: string): KeyHash;
  deriveId(causeId: string, computation: string, ordinal: number): string;
}

/** Compiled once a process; it keeps nothing between calls. */
let compiled: ReturnType<typeof xxhash> | undefined;

export async function createHasher(): Promise<Hasher> {
  compiled ??= xxhash();
  const { h64 } = await compiled;
  return {
    keyHash(key) {
      const hash = h64(key);
      return { high: Number(hash >> 32n), low: Number(hash & 0xffffffffn) };
    },
    deriveId(causeId, computation, ordinal) {
      const text = `${causeId}\u0000${computation}\u0000${ordinal}`;
      return h64(text, 0n).toString(16).padStart(16, '0') + h64(text, 1n).toString(16).padStart(16, '0');
    },
  };
}

/** A key of a node's state begins with the hash of its name. */
const HASH_BYTES = 8;
const FIRST_ROOM = 16;

/**
 * Finds changes by the hash their key begins with. Before a space is folded for the first time all of it is one page,
 * and a worker asks for thousands of keys at once: without it each of them would go through every change.
 *
 * A chain of changes per bucket, the newest first, in plain numbers: there may be a million of them.
 */
export class PendingIndex {
  #size = 0;
  #hashes = new Int32Array(FIRST_ROOM);
  #older = new Int32Array(FIRST_ROOM);
  #newest = new Int32Array(FIRST_ROOM).fill(-1);

  /** How many changes it knows. */
  get size(): number {
    return this.#size;
  }

  /** Whether all keys below a prefix begin with the same hash. */
  static serves(prefix: Uint8Array): boolean {
    return prefix.length >= HASH_BYTES;
  }

  /** Takes the key of the change after those it knows. */
  add(bytes: Uint8Array, keyStart: number, keyEnd: number): void {
    if (this.#size === this.#hashes.length) this.#grow();
    this.#hashes[this.#size] = keyEnd - keyStart < HASH_BYTES ? 0 : hashAt(bytes, keyStart);
    this.#link(this.#size++);
  }

  /** Indices of the changes whose keys may begin with the prefix, in order. */
  below(prefix: Uint8Array): number[] {
    const hash = hashAt(prefix, 0);
    const found: number[] = [];
    for (let i = this.#newest[this.#bucket(hash)] as number; i >= 0; i = this.#older[i] as number)
      if (this.#hashes[i] === hash) found.push(i);
    return found.reverse();
  }

  #link(i: number): void {
    const bucket = this.#bucket(this.#hashes[i] as number);
    this.#older[i] = this.#newest[bucket] as number;
    this.#newest[bucket] = i;
  }

  #bucket(hash: number): number {
    return hash & (this.#newest.length - 1);
  }

  #grow(): void {
    const hashes = new Int32Array(2 * this.#hashes.length);
    hashes.set(this.#hashes);
    this.#hashes = hashes;
    this.#older = new Int32Array(hashes.length);
    this.#newest = new Int32Array(hashes.length).fill(-1);
    for (let i = 0; i < this.#size; i++) this.#link(i);
  }
}

/** Its lower half: the upper one is much the same in all keys of a slot. */
function hashAt(bytes: Uint8Array, at: number): number {
  let hash = 0;
  for (let i = at + 4; i < at + HASH_BYTES; i++) hash = (hash << 8) | (bytes[i] as number);
  return hash;
}

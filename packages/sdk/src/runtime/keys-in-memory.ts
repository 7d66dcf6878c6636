/**
 * The keys of one computation that are in memory, what of them has to be fetched, and what of them changed.
 *
 * Owns: the entries, the list of missing content, the dirty list.
 * Does not own: the store, what waits for the content (`waiting-inputs`), when to evict.
 *
 * Invariants
 *   R6   everything that changed since the last `takeDirty` is in the dirty list.
 *   KM1  content is asked for once: a key being fetched is not asked for again.
 *   KM2  a key is forgotten only when nothing of it is unsealed, waiting or held, and its timers can be read back.
 */
import { KeyEntry } from './key-entry.ts';

export interface MissingContent {
  readonly entry: KeyEntry;
  /** Undefined: the key itself. */
  readonly map: string | undefined;
  /** Undefined: the whole map. */
  readonly mapKey: string | number | undefined;
}

export class KeysInMemory {
  readonly #entries = new Map<string, KeyEntry>();
  #storeIsEmpty: boolean;
  #dirty: KeyEntry[] = [];
  #missing: MissingContent[] = [];

  constructor(storeIsEmpty: boolean) {
    this.#storeIsEmpty = storeIsEmpty;
  }

  /** The entry of a key, made when the key is not known here. */
  at(key: string): KeyEntry {
    let entry = this.#entries.get(key);
    if (entry === undefined) {
      entry = new KeyEntry(key, this.#storeIsEmpty);
      this.#entries.set(key, entry);
    }
    return entry;
  }

  /** The entry if the key is known here. */
  peek(key: string): KeyEntry | undefined {
    return this.#entries.get(key);
  }

  /** Number of keys in memory. */
  get size(): number {
    return this.#entries.size;
  }

  all(): IterableIterator<KeyEntry> {
    return this.#entries.values();
  }

  /** True while no key can be in the store that is not in memory: nothing has to be fetched. */
  get knowsAll(): boolean {
    return this.#storeIsEmpty;
  }

  // ---- what must be fetched --------------------------------------------------------------------------

  /** Asks for the content of a key that is about to be needed, together with others. */
  need(entry: KeyEntry): void {
    if (entry.loaded || entry.fetching) return;
    entry.fetching = true;
    this.#missing.push({ entry, map: undefined, mapKey: undefined });
  }

  /** Asks for one entry of a map, or for all of it. */
  needMap(entry: KeyEntry, map: string, mapKey: string | number | undefined): void {
    this.#missing.push({ entry, map, mapKey });
  }

  /** Content the store must hand in before some key can go on; each is asked for once. */
  takeMissing(): readonly MissingContent[] {
    const missing = this.#missing;
    this.#missing = [];
    return missing.some(({ entry }) => entry.isGone) ? missing.filter(({ entry }) => !entry.isGone) : missing;
  }

  // ---- what changed, and what may go -----------------------------------------------------------------

  markDirty(entry: KeyEntry): void {
    if (entry.listed) return;
    entry.listed = true;
    this.#dirty.push(entry);
  }

  /** Entries changed since the last call; the driver reads and clears their dirty marks. */
  takeDirty(): KeyEntry[] {
    const dirty = this.#dirty;
    this.#dirty = [];
    for (const entry of dirty) entry.listed = false;
    return dirty;
  }

  /**
   * Forgets the content of a clean key; from now on an unknown key may exist in the store. `withTimers`: its timers
   * can be left there, too.
   */
  evict(entry: KeyEntry, withTimers = false): boolean {
    if (
      entry.listed ||
      entry.fetching ||
      entry.waiting !== undefined ||
      entry.blocked !== undefined ||
      entry.holdUntil !== undefined
    )
      return false;
    if (!withTimers && entry.timers !== undefined && entry.timers.size > 0) return false;
    this.#storeIsEmpty = false;
    this.#entries.delete(entry.key);
    return true;
  }

  /** Keys have come from another owner, or may come back: from now on an unknown key may exist in the store. */
  knowsNoMore(): void {
    this.#storeIsEmpty = false;
  }

  /** Another owner has the key from here on; everything of it is sealed. */
  giveUp(entry: KeyEntry): void {
    entry.isGone = true;
    this.#entries.delete(entry.key);
  }

  /** Puts an entry behind the others: it is the last to be looked at when memory is full. */
  defer(entry: KeyEntry): void {
    this.#entries.delete(entry.key);
    this.#entries.set(entry.key, entry);
  }

  /** Drops an entry that holds nothing. */
  forget(entry: KeyEntry): void {
    if (!entry.empty || entry.listed || !entry.loaded || entry.blocked !== undefined) return;
    if (this.#entries.get(entry.key) === entry) this.#entries.delete(entry.key);
  }
}

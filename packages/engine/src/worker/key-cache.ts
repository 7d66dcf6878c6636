/**
 * Key content between memory and the store: one fetch for all that a stage misses, and eviction when memory is
 * full (architecture.md "Why it is fast" 4).
 * Invariant KC1: only what is committed is evicted, so that it can be read back.
 */
import {
  type FetchResult,
  mapEntryKey,
  mapPrefix,
  type PrefixScan,
  spaceOf,
  type WorkerFrame,
} from '@millrace/protocol';
import type { MissingContent } from '@millrace/sdk/runtime';
import type { ComputationStage } from './computation-stage.ts';
import type { WorkerStages } from './worker-stages.ts';

/** Entries fetched with a key; beyond it maps are fetched when they are read. */
const KEY_FETCH_LIMIT = 256;

export class KeyCache {
  readonly #stages: WorkerStages;
  readonly #post: (frame: WorkerFrame) => void;
  readonly #fetches = new Map<number, (results: readonly FetchResult[]) => void>();
  #fetchCount = 0;
  /** Estimated bytes of all key content in memory. */
  #bytes = 0;

  constructor(stages: WorkerStages, post: (frame: WorkerFrame) => void) {
    this.#stages = stages;
    this.#post = post;
  }

  grew(bytes: number): void {
    this.#bytes += bytes;
  }

  fetched(request: number, results: readonly FetchResult[]): void {
    this.#fetches.get(request)?.(results);
    this.#fetches.delete(request);
  }

  async fetch(stage: ComputationStage, missing: readonly MissingContent[]): Promise<void> {
    const seal = this.#stages.sealOf(stage);
    const space = spaceOf(this.#stages.numberOf(stage.node.index), 'state');
    const scans = missing.map(({ entry, map, mapKey }): PrefixScan => {
      const prefix = seal.prefixOf(entry);
      if (map === undefined) return { space, prefix, limit: KEY_FETCH_LIMIT };
      return mapKey === undefined
        ? { space, prefix: mapPrefix(prefix, map), limit: Number.MAX_SAFE_INTEGER }
        : { space, prefix: mapEntryKey(prefix, map, mapKey), limit: 1 };
    });
    const request = ++this.#fetchCount;
    const results = await new Promise<readonly FetchResult[]>((resolve) => {
      this.#fetches.set(request, resolve);
      this.#post({ kind: 'fetch', request, scans });
    });
    missing.forEach(({ entry, map, mapKey }, i) => {
      const { entries, complete } = results[i] as FetchResult;
      if (map === undefined) this.#bytes += seal.load(entry, entries, complete);
      else {
        this.#bytes += seal.loadMap(entry, map, entries, mapKey);
        stage.runtime.mapLoaded(entry);
      }
    });
  }

  /** Drops keys when memory is full, the longest-known first; `committed` is the last bundle that is. */
  evict(committed: number): void {
    if (this.#bytes <= this.#stages.configuration.cacheBytes) return;
    for (const { runtime } of this.#stages.computations) {
      let surplus = Math.ceil(runtime.keys.size / 4);
      for (const entry of runtime.keys.all()) {
        if (surplus-- <= 0) break;
        const { weight } = entry;
        if (entry.sealedIn <= committed && runtime.keys.evict(entry)) this.#bytes -= weight;
      }
    }
  }
}

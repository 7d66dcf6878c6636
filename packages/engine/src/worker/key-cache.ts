/**
 * Key content between memory and the store: one fetch for all that a stage misses, and eviction when memory is
 * full (architecture.md "Why it is fast" 4).
 * Invariant KC1: only what is committed leaves memory, so that what is read back is never older than what was known.
 */
import {
  dueHigh,
  type FetchResult,
  mapEntryKey,
  mapPrefix,
  type PrefixScan,
  spaceOf,
  stateKey,
  type WorkerFrame,
} from '@millrace/protocol';
import type { Clock } from '@millrace/sdk';
import type { MissingContent } from '@millrace/sdk/runtime';
import type { ComputationStage } from './computation-stage.ts';
import type { WorkerStages } from './worker-stages.ts';

/** Share of the cache that is made free in one go. */
const ROOM = 0.1;
const MOST_LOOKS = 16_384;
/** Far timers read at a time. */
const LONGEST_STRETCH = 2_048;
/** Entries fetched with a key; beyond it maps are fetched when they are read. */
const KEY_FETCH_LIMIT = 256;

export class KeyCache {
  readonly #stages: WorkerStages;
  readonly #post: (frame: WorkerFrame) => void;
  readonly #fetches = new Map<number, (results: readonly FetchResult[]) => void>();
  #fetchCount = 0;
  /** Estimated bytes of all key content in memory. */
  #bytes = 0;
  /** Below this many nothing is looked for: the last time little was found. */
  #fullAt = 0;

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
    const results = await this.#answered({ kind: 'fetch', request, scans });
    const timers = await this.#restOfTimers(stage, missing, results);
    missing.forEach(({ entry, map, mapKey }, i) => {
      const { entries, complete } = timers.get(entry) ?? (results[i] as FetchResult);
      if (map === undefined) this.#bytes += seal.load(entry, entries, complete);
      else {
        this.#bytes += seal.loadMap(entry, map, entries, mapKey);
        stage.runtime.mapLoaded(entry);
      }
    });
  }

  /**
   * A call must know all timers of its key (AT3). They lie in front of its maps, so only of a key with very many
   * some are missing.
   */
  async #restOfTimers(
    stage: ComputationStage,
    missing: readonly MissingContent[],
    results: readonly FetchResult[],
  ): Promise<Map<MissingContent['entry'], FetchResult>> {
    const seal = this.#stages.sealOf(stage);
    const space = spaceOf(this.#stages.numberOf(stage.node.index), 'state');
    const cut = missing.filter(({ entry, map }, i) => {
      const { entries, complete } = results[i] as FetchResult;
      return map === undefined && !complete && seal.isTimer(entry, entries.at(-1)?.key);
    });
    if (cut.length === 0) return new Map();
    const scans = cut.map(({ entry }) => ({
      space,
      prefix: stateKey(seal.prefixOf(entry)),
      limit: Number.MAX_SAFE_INTEGER,
    }));
    const whole = await this.#answered({ kind: 'fetch', request: ++this.#fetchCount, scans });
    return new Map(
      cut.map(({ entry }, i) => [entry, { entries: (whole[i] as FetchResult).entries, complete: false }]),
    );
  }

  /** Reads the next far timers of a stage's clock. */
  async fetchDue(stage: ComputationStage, clock: Clock): Promise<void> {
    const { timers } = this.#stages.sealOf(stage);
    const stretch = Math.max(1, Math.min(LONGEST_STRETCH, this.#stages.configuration.timersInMemory >> 2));
    const [found] = await this.#answered({
      kind: 'due',
      request: ++this.#fetchCount,
      scan: { space: timers.dueSpace, from: timers.dueFrom(clock), limit: stretch + 1 },
    });
    const entries = found?.entries ?? [];
    const own = entries.slice(0, stretch).filter(({ key }) => !stage.hasLeft(dueHigh(key)));
    timers.restoreDue(clock, own, entries[stretch]?.key);
  }

  #answered(frame: Extract<WorkerFrame, { request: number }>): Promise<readonly FetchResult[]> {
    return new Promise((resolve) => {
      this.#fetches.set(frame.request, resolve);
      this.#post(frame);
    });
  }

  /** Drops keys when memory is full, the longest-known first; `committed` is the last bundle that is. */
  evict(committed: number): void {
    for (const stage of this.#stages.computations) this.#stages.sealOf(stage).committed(committed);
    const { cacheBytes } = this.#stages.configuration;
    if (this.#bytes <= Math.max(cacheBytes, this.#fullAt)) return;
    const enough = cacheBytes * (1 - ROOM);
    const before = this.#bytes;
    for (const { runtime } of this.#stages.computations) {
      let surplus = Math.min(MOST_LOOKS, Math.ceil(runtime.keys.size / 4));
      for (const entry of runtime.keys.all()) {
        if (surplus-- <= 0 || this.#bytes < enough) break;
        const { weight } = entry;
        if (entry.sealedIn <= committed && runtime.evict(entry)) this.#bytes -= weight;
        else runtime.keys.defer(entry);
      }
    }
    // Where little can go, it is not worth a look at thousands of keys for every bundle.
    this.#fullAt = before - this.#bytes > before * ROOM * 0.1 ? 0 : before * (1 + ROOM * 0.1);
  }
}

/**
 * What is remembered of the requests posted to one injector, by idempotency key. The truth is in the pipeline's
 * store, written by the same commit that took the records in; here it is found, and forgotten in time.
 *
 * Owns: the filter in front of the store. Does not own: what is written; requests on their way.
 * Invariant RM1: as long as the filter has not heard of everything stored, every key is looked for. Everything is also
 * what a host has stored whose clock went ahead of ours.
 */
import {
  BundleBodyWriter,
  ByteReader,
  decodeRemembered,
  type RememberedRequest,
  readRequestTimeKey,
  requestKey,
  requestMinute,
  spaceOf,
} from '@millrace/protocol';
import type { RequestMemory } from '../ports.ts';
import { KeyFilter } from './key-filter.ts';
import type { PagedStore } from './paged/paged-store.ts';

export interface RememberedRequestsOptions {
  readonly paged: PagedStore;
  /** The injector's number in the store. */
  readonly node: number;
  readonly keepMs: number;
  readonly now: () => number;
  /** Instead of one of its own; for tests. */
  readonly filter?: IdFilter;
}

export type IdFilter = Pick<KeyFilter, 'add' | 'mayKnow' | 'bytes'>;

/** Since the run began. */
export interface MemoryCounts {
  /** Keys that were asked for. */
  readonly lookups: number;
  /** Of them those the store was read for, and those it knew. */
  readonly storeReads: number;
  readonly known: number;
  readonly filterBytes: number;
  /** Whether the filter has heard of everything stored; before that every lookup reads. */
  readonly complete: boolean;
}

const MINUTE_MS = 60_000;
const NOTHING = new Uint8Array(0);

export class RememberedRequests implements RequestMemory {
  readonly #options: RememberedRequestsOptions;
  readonly #filter: IdFilter;
  readonly #requests: number;
  readonly #times: number;
  #complete = false;
  #lookups = 0;
  #storeReads = 0;
  #known = 0;
  #forgetting = false;
  #closed = false;

  constructor(options: RememberedRequestsOptions) {
    this.#options = options;
    this.#filter = options.filter ?? new KeyFilter(options.keepMs);
    this.#requests = spaceOf(options.node, 'requests');
    this.#times = spaceOf(options.node, 'requestTimes');
  }

  async find(key: string): Promise<RememberedRequest | undefined> {
    const { paged, now, keepMs } = this.#options;
    const known = !this.#complete || this.#filter.mayKnow(key);
    this.#lookups++;
    // Whoever asks is about to send it in.
    this.#filter.add(key, now());
    if (!known || paged.isEmpty(this.#requests)) return undefined;
    this.#storeReads++;
    const stored = await paged.get(this.#requests, requestKey(key));
    if (stored === undefined) return undefined;
    const request = decodeRemembered(new ByteReader(stored));
    if (request.since + keepMs <= now()) return undefined;
    this.#known++;
    return request;
  }

  get counts(): MemoryCounts {
    return {
      lookups: this.#lookups,
      storeReads: this.#storeReads,
      known: this.#known,
      filterBytes: this.#filter.bytes,
      complete: this.#complete,
    };
  }

  /** Tells the filter of what is stored, a minute's keys at a time. */
  async learn(): Promise<void> {
    const { paged, now, keepMs } = this.#options;
    const until = now();
    for (
      let from = Math.max(0, until - keepMs);
      from <= until && !paged.isEmpty(this.#times) && !this.#closed;
      from += MINUTE_MS
    )
      await this.#learn(from, requestMinute(from), requestMinute(from + MINUTE_MS));
    // RM1: what a clock ahead of ours has written.
    if (!paged.isEmpty(this.#times) && !this.#closed)
      await this.#learn(until, requestMinute(until), undefined);
    this.#complete = true;
  }

  /** Removes what is older than `keepMs`; durable with the next fold, and if that is lost, removed again. */
  async forget(): Promise<void> {
    const { paged, now, keepMs } = this.#options;
    if (this.#forgetting || paged.isEmpty(this.#times)) return;
    this.#forgetting = true;
    try {
      const before = requestMinute(now() - keepMs);
      const old = await this.#minutes(NOTHING, before);
      const removals = new BundleBodyWriter();
      for (const { key } of old.slice(0, MOST_FORGOTTEN)) {
        removals.remove(this.#times, key);
        const id = requestKey(readRequestTimeKey(key));
        const stored = await paged.get(this.#requests, id);
        // The same key may have come again since.
        if (stored !== undefined && isOlder(stored, before)) removals.remove(this.#requests, id);
      }
      if (old.length > 0 && !this.#closed) paged.applyOwn(removals.take());
    } finally {
      this.#forgetting = false;
    }
  }

  close(): void {
    this.#closed = true;
  }

  async #learn(at: number, from: Uint8Array, to: Uint8Array | undefined): Promise<void> {
    for (const { key } of await this.#minutes(from, to)) this.#filter.add(readRequestTimeKey(key), at);
    await new Promise((resolve) => setImmediate(resolve));
  }

  #minutes(from: Uint8Array, to: Uint8Array | undefined) {
    return this.#options.paged.range(this.#times, from, to);
  }
}

/** In one go; the rest goes a minute later. */
const MOST_FORGOTTEN = 50_000;

function isOlder(stored: Uint8Array, before: Uint8Array): boolean {
  const minute = requestMinute(decodeRemembered(new ByteReader(stored)).since);
  return Buffer.compare(minute, before) < 0;
}

/**
 * The ordered store of one pipeline as the host sees it: folded pages in the database, and over them every
 * committed change that is not folded yet (architecture.md "Why it is fast" 2 and 3).
 *
 * Owns: the page directory, pending changes, the folding of them into pages.
 * Does not own: bodies in memory (`page-bodies`), how entries are read off pages (`page-scan`), when to fold.
 *
 * Invariants
 *   PS1  a read sees every committed change, folded or not: pending over folding over page (`page-scan`).
 *   PS2  changes are post-images in log order, so folding a prefix of the log again changes nothing.
 *   PS3  a fold takes whole bundles, a prefix of the log; what arrives meanwhile waits for the next one.
 *   PS4  bodies of pages that are being folded stay in memory until the directory knows the new pages: a
 *        reader never sees half of a split; what was read before a fold is not kept after it.
 */
import type { RunPlan } from '@millrace/graph';
import type { BundleBody, ChangeCursor } from '@millrace/protocol';
import {
  BundleBodyWriter,
  compareBytes,
  dueSpaceOf,
  type FetchResult,
  META_SPACE,
  readBundleBody,
  spaceOf,
  startsWith,
  walkChanges,
} from '@millrace/protocol';
import type {
  CommitOutcome,
  DeadLetterRow,
  FoldBatch,
  PageKey,
  PageRow,
  PipelineStore,
} from '../../ports.ts';
import { foldPage, PendingChanges } from './page.ts';
import { PageBodies } from './page-bodies.ts';
import { newPage, type Page, SpaceDirectory } from './page-directory.ts';
import {
  collectBelow,
  collectWhere,
  refuseWide,
  type ScanBudget,
  type Scanned,
  type ScanRequest,
} from './page-scan.ts';

/** What it needs of a store. */
export type PagesStore = Pick<PipelineStore, 'foldedThrough' | 'pageDirectory' | 'readPages' | 'fold'>;

export interface SliceRequest {
  readonly space: number;
  readonly from: Uint8Array;
  /** How many pages to look at. */
  readonly pages: number;
}

export interface Slice {
  readonly entries: Scanned['entries'];
  /** Where the first page begins that was not looked at; undefined at the end of the space. */
  readonly next: Uint8Array | undefined;
}

export interface FoldExtras {
  readonly undelivered: FoldBatch['undelivered'];
  readonly delivered: FoldBatch['delivered'];
}

/** A bundle on its way through the host waits for it several times. */
const SLICE_MS = 1;

export class PagedStore {
  readonly #store: PagesStore;
  readonly #bodies: PageBodies;
  readonly #spaces = new Map<number, SpaceDirectory>();
  #dirty = new Set<Page>();
  #dirtySpaces = new Map<Page, number>();
  #letters: DeadLetterRow[] = [];
  #through: number;
  /** Bytes of bundles committed and not folded. */
  #pendingBytes = 0;
  #foldingBytes = 0;

  private constructor(store: PagesStore, foldedThrough: number) {
    this.#store = store;
    this.#bodies = new PageBodies(store);
    this.#through = foldedThrough;
  }

  static async open(store: PagesStore): Promise<PagedStore> {
    const paged = new PagedStore(store, await store.foldedThrough());
    const starts = new Map<number, Uint8Array[]>();
    for (const { space, start } of await store.pageDirectory()) {
      const list = starts.get(space);
      if (list === undefined) starts.set(space, [start]);
      else list.push(start);
    }
    for (const [space, list] of starts) paged.#spaces.set(space, new SpaceDirectory(list));
    return paged;
  }

  /** Bytes of committed bundles whose changes are not in pages yet. */
  get unfoldedBytes(): number {
    return this.#pendingBytes + this.#foldingBytes;
  }

  get pendingBytes(): number {
    return this.#pendingBytes;
  }

  get hasPending(): boolean {
    return this.#dirty.size > 0 || this.#letters.length > 0;
  }

  /** Position of the last bundle applied. */
  get through(): number {
    return this.#through;
  }

  isEmpty(space: number): boolean {
    return this.#spaces.get(space)?.empty ?? true;
  }

  /** Takes a committed bundle's changes; bundles come in log order. */
  apply(
    position: number,
    body: BundleBody,
    meta?: (key: Uint8Array, value: Uint8Array | undefined) => void,
  ): void {
    this.#through = position;
    this.#pendingBytes += body.bytes.length;
    walkChanges(body, (change) => {
      this.#add(change);
      if (change.space === META_SPACE) meta?.(change.key, change.value);
    });
    for (const letter of body.deadLetters) this.#letters.push(JSON.parse(letter) as DeadLetterRow);
  }

  /** A change of the host's own; it is durable with the next fold. */
  putMeta(key: Uint8Array, value: Uint8Array): void {
    const writer = new BundleBodyWriter();
    writer.put(META_SPACE, key, value);
    this.applyOwn(writer.take());
  }

  /** The same for any changes: they are not in the log, so losing them must do no harm. */
  applyOwn(body: Uint8Array): void {
    walkChanges(readBundleBody(body), (change) => this.#add(change));
  }

  /** Removes everything stored of the keys of some nodes (an explicit yes in the plan, Y1). */
  async dropNodes(ids: readonly string[], plan: RunPlan, nodeNumbers: readonly number[]): Promise<void> {
    const writer = new BundleBodyWriter();
    for (const { id, index } of plan.nodes) {
      if (!ids.includes(id)) continue;
      const number = nodeNumbers[index] as number;
      const kinds = ['state', 'timers', 'parked', 'holds'] as const;
      for (const space of [...kinds.map((kind) => spaceOf(number, kind)), dueSpaceOf(number)])
        for (const { key } of await this.range(space, new Uint8Array(0), undefined))
          writer.remove(space, key);
    }
    this.applyOwn(writer.take());
  }

  async get(space: number, key: Uint8Array): Promise<Uint8Array | undefined> {
    const [found] = await this.scan([{ space, prefix: key, limit: 1 }]);
    const first = found?.entries[0];
    return first !== undefined && compareBytes(first.key, key) === 0 ? first.value : undefined;
  }

  /**
   * Entries below each prefix, in key order, at most `limit` of each. A `budget` is drawn on; throws when there
   * is more than it holds.
   */
  async scan(requests: readonly ScanRequest[], budget?: ScanBudget): Promise<Scanned[]> {
    return this.#whenLoaded(
      () => {
        const spans = requests.map((request) => ({ space: request.space, pages: this.#span(request) }));
        if (budget !== undefined) refuseWide(spans);
        return spans;
      },
      (spans) => requests.map((request, i) => collectBelow(request, spans[i]?.pages ?? [], budget)),
    );
  }

  /** All entries with `from <= key < to`, in order. */
  async range(space: number, from: Uint8Array, to: Uint8Array | undefined): Promise<FetchResult['entries']> {
    return this.#whenLoaded(
      () => [{ space, pages: this.#pagesBetween(space, from, to) }],
      ([span]) =>
        collectWhere(
          span?.pages ?? [],
          Number.MAX_SAFE_INTEGER,
          (key) => compareBytes(key, from) >= 0 && (to === undefined || compareBytes(key, to) < 0),
        ).entries,
    );
  }

  /** Entries from a key on, of a bounded number of pages each; all of one moment. */
  async slices(requests: readonly SliceRequest[]): Promise<Slice[]> {
    return this.#whenLoaded(
      () => requests.map((request) => ({ space: request.space, ...this.#pagesFrom(request) })),
      (spans) =>
        spans.map(({ pages, next }, i) => {
          const { from } = requests[i] as SliceRequest;
          const wanted = (key: Uint8Array) => compareBytes(key, from) >= 0;
          return { entries: collectWhere(pages, Number.MAX_SAFE_INTEGER, wanted).entries, next };
        }),
    );
  }

  /** Moves everything pending into pages, in one transaction; `now`: wall time in ms. */
  async fold(hostSequencer: number, extras: FoldExtras, now: number): Promise<CommitOutcome> {
    const pages = [...this.#dirty];
    const spaces = this.#dirtySpaces;
    const letters = this.#letters;
    const through = this.#through;
    this.#dirty = new Set();
    this.#dirtySpaces = new Map();
    this.#letters = [];
    this.#foldingBytes = this.#pendingBytes;
    this.#pendingBytes = 0;
    for (const page of pages) {
      page.folding = page.pending;
      page.pending = undefined;
    }
    await this.#bodies.readAll(pages, spaces);
    const writes: PageRow[] = [];
    const deletes: PageKey[] = [];
    const results: { page: Page; space: number; parts: Page[] }[] = [];
    let sliceEnd = performance.now() + SLICE_MS;
    for (const page of pages) {
      const space = spaces.get(page) as number;
      const folded = foldPage(page.start, page.body, page.folding as PendingChanges, now);
      for (const part of folded) writes.push({ space, start: part.start, body: part.body });
      if (folded.length === 0 && page.stored) deletes.push({ space, start: page.start });
      results.push({
        page,
        space,
        parts: folded.map((part) => ({ ...newPage(part.start, true), body: part.body })),
      });
      if (performance.now() > sliceEnd) {
        // The commit path shares this thread.
        await new Promise((resolve) => setImmediate(resolve));
        sliceEnd = performance.now() + SLICE_MS;
      }
    }
    const outcome = await this.#store.fold(hostSequencer, {
      through,
      writes,
      deletes,
      deadLetters: letters,
      ...extras,
    });
    for (const { page, space, parts } of results) this.#swap(page, space, parts);
    this.#foldingBytes = 0;
    this.#bodies.trim();
    return outcome;
  }

  #add({ space, bytes, at, keyStart, keyEnd }: ChangeCursor): void {
    let directory = this.#spaces.get(space);
    if (directory === undefined) {
      directory = new SpaceDirectory([]);
      this.#spaces.set(space, directory);
    }
    const page = directory.pages[directory.indexOfRange(bytes, keyStart, keyEnd)] as Page;
    if (page.pending === undefined) {
      page.pending = new PendingChanges();
      this.#dirty.add(page);
      this.#dirtySpaces.set(page, space);
    }
    page.pending.add(bytes, at);
  }

  #span({ space, prefix }: ScanRequest): Page[] {
    const directory = this.#spaces.get(space);
    if (directory === undefined) return [];
    const pages: Page[] = [];
    for (let i = directory.indexOf(prefix); i < directory.pages.length; i++) {
      const page = directory.pages[i] as Page;
      if (pages.length > 0 && !startsWith(page.start, prefix)) break;
      pages.push(page);
    }
    return pages;
  }

  #pagesFrom({ space, from, pages }: SliceRequest): { pages: Page[]; next: Uint8Array | undefined } {
    const directory = this.#spaces.get(space);
    if (directory === undefined) return { pages: [], next: undefined };
    const first = directory.indexOf(from);
    return {
      pages: directory.pages.slice(first, first + pages),
      next: directory.pages[first + pages]?.start,
    };
  }

  #pagesBetween(space: number, from: Uint8Array, to: Uint8Array | undefined): Page[] {
    const directory = this.#spaces.get(space);
    if (directory === undefined) return [];
    const pages: Page[] = [];
    for (let i = directory.indexOf(from); i < directory.pages.length; i++) {
      const page = directory.pages[i] as Page;
      if (to !== undefined && compareBytes(page.start, to) >= 0) break;
      pages.push(page);
    }
    return pages;
  }

  /**
   * Reads bodies until `plan` finds all of them in memory, then collects at once. The plan is made anew after
   * every wait: a fold may have split or removed pages meanwhile (PS4).
   */
  async #whenLoaded<T, S extends { space: number; pages: Page[] }>(
    plan: () => S[],
    collectAll: (spans: S[]) => T,
  ): Promise<T> {
    for (;;) {
      const spans = plan();
      const wanted = new Map<number, Set<Page>>();
      for (const { space, pages } of spans) {
        for (const page of pages) {
          if (page.body !== undefined || !page.stored) continue;
          wanted.set(space, (wanted.get(space) ?? new Set()).add(page));
        }
      }
      if (wanted.size === 0) {
        const result = collectAll(spans);
        this.#bodies.trim();
        return result;
      }
      for (const [space, pages] of wanted) await this.#bodies.read(space, [...pages]);
    }
  }

  #swap(page: Page, space: number, parts: readonly Page[]): void {
    const directory = this.#spaces.get(space) as SpaceDirectory;
    const later = page.pending;
    page.folds++;
    this.#bodies.forget(page);
    if (parts.length === 1) {
      const body = (parts[0] as Page).body as Uint8Array;
      page.folding = undefined;
      page.stored = true;
      this.#bodies.keep(page, body);
      return;
    }
    if (parts.length === 0) {
      page.folding = undefined;
      page.stored = false;
      // An empty page in the middle gives its range to the one before it.
      if (page.start.length === 0 || later !== undefined) return;
      directory.replace(page, []);
      return;
    }
    for (const part of parts) {
      const body = part.body as Uint8Array;
      part.body = undefined;
      this.#bodies.keep(part, body);
    }
    directory.replace(page, parts);
    this.#dirty.delete(page);
    this.#dirtySpaces.delete(page);
    if (later === undefined) return;
    later.forEach((change) => {
      this.#add(change);
    });
  }
}

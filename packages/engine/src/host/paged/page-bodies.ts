/**
 * Bodies of pages in memory: read from the store when they are needed, forgotten when there are too many.
 *
 * Does not own: the pages themselves, which of them are needed.
 *
 * Invariant
 *   PB1 (PS4)  a body that was read before a fold of its page is not kept after it, and that of a page being folded
 *              is not forgotten.
 */
import type { PipelineStore } from '../../ports.ts';
import { latin1 } from './page.ts';
import type { Page } from './page-directory.ts';

const CACHE_BYTES = 64 * 1024 * 1024;
/** Pages asked for in one statement. */
const PAGES_AT_ONCE = 512;

export class PageBodies {
  readonly #store: Pick<PipelineStore, 'readPages'>;
  readonly #cached = new Set<Page>();
  #bytes = 0;

  constructor(store: Pick<PipelineStore, 'readPages'>) {
    this.#store = store;
  }

  /** Reads what is missing of some pages, of any spaces. */
  async readAll(pages: readonly Page[], spaces: ReadonlyMap<Page, number>): Promise<void> {
    const bySpace = new Map<number, Page[]>();
    for (const page of pages) {
      if (page.body !== undefined || !page.stored) continue;
      const space = spaces.get(page) as number;
      const list = bySpace.get(space);
      if (list === undefined) bySpace.set(space, [page]);
      else list.push(page);
    }
    for (const [space, list] of bySpace)
      for (let i = 0; i < list.length; i += PAGES_AT_ONCE)
        await this.read(space, list.slice(i, i + PAGES_AT_ONCE));
  }

  async read(space: number, pages: readonly Page[]): Promise<void> {
    const foldsBefore = pages.map((page) => page.folds);
    const rows = await this.#store.readPages(
      space,
      pages.map((page) => page.start),
    );
    const byStart = new Map(rows.map((row) => [latin1(row.start), row.body]));
    pages.forEach((page, i) => {
      if (page.body !== undefined || page.folds !== foldsBefore[i]) return;
      const body = byStart.get(latin1(page.start));
      if (body === undefined)
        throw new Error(`a page of space ${space} is named in the directory and missing in the store`);
      this.keep(page, body);
    });
  }

  keep(page: Page, body: Uint8Array): void {
    page.body = body;
    this.#cached.add(page);
    this.#bytes += body.length;
  }

  forget(page: Page): void {
    if (page.body === undefined) return;
    this.#bytes -= page.body.length;
    this.#cached.delete(page);
    page.body = undefined;
  }

  /** Makes room, the oldest first. */
  trim(): void {
    if (this.#bytes <= CACHE_BYTES) return;
    for (const page of this.#cached) {
      if (page.folding !== undefined) continue;
      this.forget(page);
      if (this.#bytes <= CACHE_BYTES / 2) return;
    }
  }
}

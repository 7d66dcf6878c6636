/**
 * Which page holds which keys of one space. Pages cover the whole key range: the first starts at the empty
 * key, each ends where the next begins. The directory is kept in memory; bodies are not.
 */
import { compareRanges } from '@millrace/protocol';
import type { PendingChanges } from './page.ts';

export interface Page {
  readonly start: Uint8Array;
  /** The first six bytes as a number, for a quick search. */
  readonly rank: number;
  /** True when a row of this page is in the store. */
  stored: boolean;
  /** The folded content, while it is kept in memory. */
  body: Uint8Array | undefined;
  /** Committed, and neither folded nor being folded. */
  pending: PendingChanges | undefined;
  /** Being folded right now. */
  folding: PendingChanges | undefined;
  /** Folds so far: what was read of the row before the last one is out of date. */
  folds: number;
}

export function newPage(start: Uint8Array, stored: boolean): Page {
  return {
    start,
    rank: rankOf(start, 0, start.length),
    stored,
    body: undefined,
    pending: undefined,
    folding: undefined,
    folds: 0,
  };
}

export class SpaceDirectory {
  readonly pages: Page[];

  constructor(stored: readonly Uint8Array[]) {
    this.pages = stored.map((start) => newPage(start, true));
    if (this.pages[0] === undefined || this.pages[0].start.length > 0)
      this.pages.unshift(newPage(new Uint8Array(0), false));
  }

  /** Index of the page that holds a key. */
  indexOf(key: Uint8Array): number {
    return this.indexOfRange(key, 0, key.length);
  }

  /** The same for a key that lies in other bytes. */
  indexOfRange(bytes: Uint8Array, start: number, end: number): number {
    const pages = this.pages;
    const rank = rankOf(bytes, start, end);
    let low = 0;
    let high = pages.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      const page = pages[middle] as Page;
      const holds =
        page.rank < rank ||
        (page.rank === rank && compareRanges(page.start, 0, page.start.length, bytes, start, end) <= 0);
      if (holds) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Puts the pages a fold made of `page` in its place. */
  replace(page: Page, parts: readonly Page[]): void {
    const at = this.pages.indexOf(page, Math.max(0, this.indexOf(page.start) - 1));
    this.pages.splice(at, 1, ...parts);
  }

  /** True when neither rows nor pending changes exist. */
  get empty(): boolean {
    return this.pages.every(
      (page) => !page.stored && page.pending === undefined && page.folding === undefined,
    );
  }
}

function rankOf(bytes: Uint8Array, start: number, end: number): number {
  let rank = 0;
  for (let i = start; i < start + 6; i++) rank = rank * 256 + (i < end ? (bytes[i] as number) : 0);
  return rank;
}

/**
 * Reads entries off pages whose bodies are in memory.
 *
 * Invariant
 *   PS1  a read sees every committed change, folded or not: pending over folding over page.
 */
import { compareBytes, type FetchResult, startsWith } from '@millrace/protocol';
import { latin1, pageEntries } from './page.ts';
import type { Page } from './page-directory.ts';

export interface ScannedEntry {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
  /** Wall time in ms at which its last change came into its page; unfolded: it has not yet. */
  readonly changed: 'unfolded' | number | undefined;
}

export interface Scanned extends FetchResult {
  readonly entries: readonly ScannedEntry[];
}

export interface ScanRequest {
  readonly space: number;
  readonly prefix: Uint8Array;
  readonly limit: number;
}

/** Bytes of keys and values that may still be read. */
export interface ScanBudget {
  bytes: number;
}

/** Pages read into memory together for one answer with a budget. */
const MOST_PAGES = 32_768;
const TOO_MUCH =
  'a node reads more of its state at once than fits in one answer (48 MB): spread it over more keys or maps';

const ANYTHING = new Uint8Array(0);

/** Throws when an answer with a budget would have to read too many pages. */
export function refuseWide(spans: readonly { readonly pages: readonly Page[] }[]): void {
  if (spans.reduce((sum, { pages }) => sum + pages.length, 0) > MOST_PAGES) throw new Error(TOO_MUCH);
}

/** Entries below a prefix, in order; draws on the budget, and throws when there is more than it holds. */
export function collectBelow(
  { prefix, limit }: ScanRequest,
  pages: readonly Page[],
  budget?: ScanBudget,
): Scanned {
  const result = collectWhere(pages, limit, (key) => startsWith(key, prefix), prefix);
  if (budget === undefined) return result;
  for (const { key, value } of result.entries) budget.bytes -= key.length + value.length;
  if (budget.bytes < 0) throw new Error(TOO_MUCH);
  return result;
}

/** Entries whose key is wanted, in order, at most `limit`; `below`: all that are wanted begin with this. */
export function collectWhere(
  pages: readonly Page[],
  limit: number,
  wanted: (key: Uint8Array) => boolean,
  below: Uint8Array = ANYTHING,
): Scanned {
  const entries: ScannedEntry[] = [];
  for (const page of pages) {
    const changed = new Map<string, { key: Uint8Array; value: Uint8Array | undefined }>();
    for (const changes of [page.folding, page.pending]) {
      changes?.forEachBelow(below, (change) => {
        const { key, value } = change;
        if (wanted(key)) changed.set(latin1(key), { key, value });
      });
    }
    const found: ScannedEntry[] = [];
    if (page.body !== undefined) {
      for (const { key, value, foldedAt } of pageEntries(page.body)) {
        if (wanted(key) && (changed.size === 0 || !changed.has(latin1(key))))
          found.push({ key, value, changed: foldedAt });
      }
    }
    for (const { key, value } of changed.values())
      if (value !== undefined) found.push({ key, value, changed: 'unfolded' });
    if (changed.size > 0) found.sort((a, b) => compareBytes(a.key, b.key));
    for (const entry of found) {
      if (entries.length >= limit) return { entries, complete: false };
      entries.push(entry);
    }
  }
  return { entries, complete: true };
}

/**
 * Whose a key is while intervals are not the same for all: by consumer and the upper half of the key's hash.
 *
 * Owns: the tables, the hashes of keys seen.
 */
import type { IntervalTable } from '@millrace/protocol';
import type { Hasher } from './key-hash.ts';
import { checkKey } from './key-text.ts';

const MOST_KEYS = 100_000;

export class IntervalRoutes {
  readonly #tables: readonly (Compiled | undefined)[];
  readonly #hasher: Hasher;
  #highs = new Map<string, number>();

  constructor(tables: readonly (IntervalTable | null)[], slots: number, hasher: Hasher) {
    this.#hasher = hasher;
    this.#tables = tables.map((table) => compiled(table ?? equalIntervals(slots)));
  }

  /** Also the place where a key is checked. */
  ownerOf(node: number, key: string): number {
    let high = this.#highs.get(key);
    if (high === undefined) {
      checkKey(key);
      high = this.#hasher.keyHash(key).high;
      if (this.#highs.size >= MOST_KEYS) this.#highs = new Map();
      this.#highs.set(key, high);
    }
    const table = this.#tables[node] as Compiled;
    return table.owners[indexIn(table.starts, high)] as number;
  }
}

interface Compiled {
  readonly starts: Float64Array;
  readonly owners: Uint16Array;
}

function compiled(table: IntervalTable): Compiled {
  return {
    starts: Float64Array.from(table, ([start]) => start),
    owners: Uint16Array.from(table, ([, owner]) => owner),
  };
}

/** The last start that is not beyond `high`; the first one is 0. */
function indexIn(starts: Float64Array, high: number): number {
  let low = 0;
  let beyond = starts.length;
  while (beyond - low > 1) {
    const middle = (low + beyond) >> 1;
    if ((starts[middle] as number) <= high) low = middle;
    else beyond = middle;
  }
  return low;
}

/** As `slotOf` cuts the space. */
export function equalIntervals(slots: number): IntervalTable {
  return Array.from({ length: slots }, (_, slot) => [Math.ceil((slot * 4294967296) / slots), slot] as const);
}

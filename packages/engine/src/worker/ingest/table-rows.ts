/**
 * The rows that a table had when it was read last, to find what has changed since. Bounded by the table: a row is kept
 * once, with its text as what it is compared by.
 */
import { jsonText } from '../json-text.ts';

export interface GoneRow {
  readonly value: unknown;
  /** Where it was read, and from when on it stood. */
  readonly position: number;
  readonly since: number;
}

interface Kept {
  readonly value: unknown;
  /** One for each row that is the same. */
  readonly places: { readonly position: number; readonly since: number }[];
  seen: number;
  reading: number;
}

export class TableRows {
  readonly #rows = new Map<string, Kept>();
  #reading = 0;

  /** The table is read from its start. */
  begin(): void {
    this.#reading++;
  }

  /** True if the reading before had it not, or not as often. */
  take(value: unknown, position: number, since: number): boolean {
    const text = jsonText(value);
    let kept = this.#rows.get(text);
    if (kept === undefined) {
      kept = { value, places: [], seen: 0, reading: this.#reading };
      this.#rows.set(text, kept);
    } else if (kept.reading !== this.#reading) {
      kept.seen = 0;
      kept.reading = this.#reading;
    }
    if (++kept.seen <= kept.places.length) return false;
    kept.places.push({ position, since });
    return true;
  }

  /** Forgets and gives what this reading has not found. */
  leaving(): GoneRow[] {
    const gone: GoneRow[] = [];
    for (const [text, { value, places, seen, reading }] of this.#rows) {
      const left = reading === this.#reading ? seen : 0;
      for (const place of places.splice(left)) gone.push({ value, ...place });
      if (left === 0) this.#rows.delete(text);
    }
    return gone;
  }
}

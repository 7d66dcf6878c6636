/**
 * A table that is read as a whole, again and again, by one partition. Each reading is a version; versions follow each
 * other without a gap, and the first one stands for all the time before, too. Of each only what differs from the one
 * before goes on: a row that is new, its pane from then to the end of time, and one that has gone, its pane as long as
 * it stood.
 *
 * Owns: the version that is being read, the rows of the last one, and chunks that came behind a version's end while its
 * rows are not used up. The rows are in memory only: whoever reads next reads from scratch, and says so in the index of
 * its panes; what is not found then has gone (`TableStanding`, TR4).
 *
 * Invariants
 *   TR1  the watermark follows whole versions only, so whoever waits for it has seen every row there is. A version begins
 *        where the last whole one ends, also behind a restart: what was answered by that stays so.
 *   TR3  whole readings are told apart from what was read before them: each raises the watermark (`from`).
 */
import type { Chunk, FreshReading, TableMemory, TableStanding } from '@millrace/protocol';
import { MOST_FRESH_READINGS } from '@millrace/protocol';
import type { Pane } from '@millrace/sdk';
import { type GoneRow, TableRows } from './table-rows.ts';

export interface Later {
  readonly chunk: Chunk;
  readonly sequence: number;
}

export interface Version {
  readonly pane: Pane;
  /** Event time of its rows: when they were read. */
  readonly time: number;
}

export interface LeavingRow extends GoneRow {
  readonly pane: Pane;
  readonly time: number;
}

type VersionChunk = Extract<Chunk, { kind: 'version' }>;

const EVER = Number.MAX_SAFE_INTEGER;
const EARLIEST = -8_640_000_000_000_000;

export class TableReadings {
  readonly #indexOf: (count: number) => number;
  readonly #rows = new TableRows();
  #memory: TableMemory | undefined;
  /** This reader's first version has begun. */
  #hasBegun = false;
  /** The last reading was whole: its rows are those of the table. */
  #isComplete = false;
  #open: (Version & { readonly goneAt: number; readonly end: number; readonly same: boolean }) | undefined;
  #wholeAt: number | undefined;
  #gone: GoneRow[] | undefined;
  #later: Later[] = [];

  /** `indexOf`: what its panes carry, of how often the table was read from scratch. */
  constructor(indexOf: (count: number) => number, memory: TableMemory | undefined) {
    this.#indexOf = indexOf;
    this.#memory = memory;
  }

  get version(): Version | undefined {
    return this.#open;
  }

  /** For the mark. */
  get memory(): TableMemory | undefined {
    return this.#memory;
  }

  get standing(): TableStanding | undefined {
    return this.#memory?.standing;
  }

  /** Number of the oldest frame that waits here. */
  get unfinished(): number | undefined {
    return this.#later[0]?.sequence;
  }

  /** True for a chunk that is kept until the rows in front of it are used up. */
  defers(chunk: Chunk, sequence: number): boolean {
    if (this.#wholeAt === undefined) return false;
    this.#later.push({ chunk, sequence });
    return true;
  }

  /** `reached`: the watermark so far. */
  begin({ time, end, same }: VersionChunk, reached: number | undefined): void {
    if (same === true && !this.#isComplete) throw new Error('the same table as before, and none was whole');
    if (!this.#hasBegun) this.#memory = { ...this.#memory, count: (this.#memory?.count ?? 0) + 1 };
    this.#hasBegun = true;
    const start = this.standing?.until ?? reached ?? Number.MIN_SAFE_INTEGER;
    const index = this.#indexOf(this.#memory?.count ?? 1);
    if (same !== true) this.#isComplete = false;
    this.#rows.begin();
    // Neither late nor, where it begins ahead of the clock, of a time to come.
    const readAt = Math.max(time, reached ?? time);
    this.#open = {
      pane: Object.freeze({ start, end: EVER, index, timing: 'on-time', last: false }),
      time: readAt,
      goneAt: Math.max(Math.min(start, readAt), EARLIEST),
      end: Math.max(end, start + 1),
      same: same === true,
    };
  }

  /** A row of the open version; true if it is new. */
  take(value: unknown, position: number): boolean {
    return this.#rows.take(value, position, this.#open?.pane.start ?? 0);
  }

  /** All rows of the open version are here. `Infinity`: it is the last one. */
  end(time: number): void {
    this.#wholeAt = time;
  }

  /** Behind the rows of a version: the next one that it has not. */
  nextGone(): LeavingRow | undefined {
    const open = this.#open;
    if (this.#wholeAt === undefined || open === undefined || open.same) return undefined;
    this.#gone ??= this.#rows.leaving();
    const row = this.#gone.pop();
    if (row === undefined) return undefined;
    const { start, index } = open.pane;
    const pane: Pane = Object.freeze({ start: row.since, end: start, index, timing: 'on-time', last: true });
    return { ...row, pane, time: open.goneAt };
  }

  /** All of it is used up: what the watermark has reached, and the chunks that waited. `reached`: what it had. */
  close(
    reached: number | undefined,
  ): { readonly reached: number; readonly later: readonly Later[] } | undefined {
    const [wholeAt, open, later] = [this.#wholeAt, this.#open, this.#later];
    if (wholeAt === undefined) return undefined;
    const isLast = wholeAt === Number.POSITIVE_INFINITY;
    // TR3
    const from = reached === undefined ? wholeAt : Math.max(wholeAt, reached + 1);
    if (open !== undefined) {
      const fresh = this.#freshWith({ index: open.pane.index, start: open.pane.start });
      const standing = { from: isLast ? EVER : from, until: isLast ? EVER : open.end, fresh };
      this.#memory = { count: this.#memory?.count ?? 1, standing };
    }
    this.#isComplete = true;
    this.#open = undefined;
    this.#wholeAt = undefined;
    this.#gone = undefined;
    this.#later = [];
    return { reached: from, later };
  }

  #freshWith(reading: FreshReading): readonly FreshReading[] {
    const fresh = this.standing?.fresh ?? [];
    return fresh.at(-1)?.index === reading.index ? fresh : [...fresh, reading].slice(-MOST_FRESH_READINGS);
  }
}

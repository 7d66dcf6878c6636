/**
 * A table that is read as a whole, again and again, by one partition. Each reading is a version: its rows carry, as
 * their pane, from when to when they stand for the table. Versions follow each other without a gap; the first one
 * stands for all the time before, too.
 *
 * Owns: the version that is being read, and chunks that came behind its end while its rows are not used up.
 * Invariant TR1: the watermark follows whole versions only, so whoever waits for it has seen every row there is.
 */
import type { Chunk } from '@millrace/protocol';
import type { Pane } from '@millrace/sdk';

export interface Later {
  readonly chunk: Chunk;
  readonly sequence: number;
}

export interface Version {
  readonly pane: Pane;
  /** Event time of its rows: when they were read. */
  readonly time: number;
}

export class TableReadings {
  #open: Version | undefined;
  #wholeAt: number | undefined;
  #later: Later[] = [];

  get version(): Version | undefined {
    return this.#open;
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
  begin({ time, end }: Extract<Chunk, { kind: 'version' }>, reached: number | undefined): void {
    const start = reached ?? Number.MIN_SAFE_INTEGER;
    const until = Math.max(end, start + 1);
    this.#open = {
      pane: Object.freeze({ start, end: until, index: 0, timing: 'on-time', last: true }),
      time: Math.max(time, start),
    };
  }

  /** All rows of the open version are here. */
  end(time: number): void {
    this.#wholeAt = time;
  }

  /** All rows are used up: what the watermark has reached, and the chunks that waited. */
  close(): { readonly reached: number; readonly later: readonly Later[] } | undefined {
    if (this.#wholeAt === undefined) return undefined;
    const [reached, later] = [this.#wholeAt, this.#later];
    this.#open = undefined;
    this.#wholeAt = undefined;
    this.#later = [];
    return { reached, later };
  }
}

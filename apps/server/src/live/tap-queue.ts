/** Records that wait for a viewer: bounded, the newest stay, what had to go is counted. */
import type { TapRecordShown } from '@millrace/protocol/api';

const MOST_RECORDS = 400;
const MOST_CHARS = 1024 * 1024;

export interface TapCounts {
  seen: number;
  filtered: number;
  dropped: number;
}

export class TapQueue {
  #records: TapRecordShown[] = [];
  #chars = 0;
  #counts: TapCounts = { seen: 0, filtered: 0, dropped: 0 };

  get empty(): boolean {
    return this.#records.length === 0 && this.#counts.seen === 0 && this.#counts.dropped === 0;
  }

  add(records: readonly TapRecordShown[]): void {
    this.#records.push(...records);
    for (const record of records) this.#chars += sizeOf(record);
    let gone = 0;
    while (
      this.#records.length - gone > MOST_RECORDS ||
      (this.#chars > MOST_CHARS && gone < this.#records.length)
    )
      this.#chars -= sizeOf(this.#records[gone++] as TapRecordShown);
    this.#records.splice(0, gone);
    this.#counts.dropped += gone;
  }

  count(counts: Partial<TapCounts>): void {
    for (const name of ['seen', 'filtered', 'dropped'] as const) this.#counts[name] += counts[name] ?? 0;
  }

  /** A message's worth, oldest first, and what was counted since the last. */
  take(most: number): TapCounts & { records: TapRecordShown[] } {
    const records = this.#records.splice(0, most);
    for (const record of records) this.#chars -= sizeOf(record);
    const counts = this.#counts;
    this.#counts = { seen: 0, filtered: 0, dropped: 0 };
    return { records, ...counts };
  }
}

const sizeOf = ({ text, key, id }: TapRecordShown): number => 200 + text.length + key.length + id.length;

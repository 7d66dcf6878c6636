/** The records a tap has shown: the newest of them, within bounds, and how much of what went by they are. Pure. */
import type { TapRecordShown } from '@millrace/protocol/api';
import type { TapBatch } from '../../sockets/watch-tap.ts';

export interface ShownRecord extends TapRecordShown {
  /** Of this list, counted up; a record has no number of its own. */
  readonly number: number;
}

export interface RecordLog {
  /** Oldest first. */
  readonly records: readonly ShownRecord[];
  readonly chars: number;
  readonly last: number;
  /** Taken and not kept, while it was paused. */
  readonly passed: number;
  /** What came within the last seconds. */
  readonly recent: readonly Taken[];
}

interface Taken {
  readonly at: number;
  readonly shown: number;
  readonly seen: number;
}

export const NO_RECORDS: RecordLog = { records: [], chars: 0, last: 0, passed: 0, recent: [] };
export const MOST_RECORDS = 2_000;
const MOST_CHARS = 16 << 20;
/** Rates are the mean of this long: batches come every tenth of a second at best. */
const OVER_MS = 3_000;

export interface TakeOptions {
  /** ms of any clock that does not go back. */
  readonly now: number;
  readonly isPaused: boolean;
}

export function takeBatch(log: RecordLog, batch: TapBatch, { now, isPaused }: TakeOptions): RecordLog {
  // What lay in the ring before is not what flows now.
  const flowing = batch.records.filter(({ earlier }) => !earlier).length;
  const recent = [...log.recent, { at: now, shown: flowing, seen: Math.max(batch.seen, flowing) }].filter(
    ({ at }) => at > now - OVER_MS,
  );
  if (isPaused) return { ...log, recent, passed: log.passed + batch.records.length };
  let { last, chars } = log;
  const records = [...log.records];
  for (const record of batch.records) {
    last += 1;
    chars += record.text.length;
    records.push({ ...record, number: last });
  }
  let gone = 0;
  while (records.length - gone > MOST_RECORDS || (chars > MOST_CHARS && records.length - gone > 1)) {
    chars -= records[gone]?.text.length ?? 0;
    gone += 1;
  }
  return { records: records.slice(gone), chars, last, passed: 0, recent };
}

export interface Share {
  readonly shown: number;
  readonly seen: number;
}

/** Per second, over the last few: "50 of 98,000/s". */
export function shareOf({ recent }: RecordLog, now: number): Share {
  const those = recent.filter(({ at }) => at > now - OVER_MS);
  const since = those[0]?.at;
  if (since === undefined) return { shown: 0, seen: 0 };
  const seconds = Math.max(1_000, now - since) / 1_000;
  const sum = (of: (taken: Taken) => number): number =>
    those.reduce((total, taken) => total + of(taken), 0) / seconds;
  return { shown: sum(({ shown }) => shown), seen: sum(({ seen }) => seen) };
}

/** One record a line: stream, key, time and the value exactly as it came. */
export const jsonLines = (records: readonly TapRecordShown[]): string =>
  records.map((record) => `${jsonOf(record)}\n`).join('');

export function jsonOf({ stream, key, timestamp, id, text, cut }: TapRecordShown): string {
  const facts = JSON.stringify({ stream, key, timestamp, id });
  // Not parsed and written again: a number keeps its digits. Half a value is a text.
  return `${facts.slice(0, -1)},${cut ? `"cut":${JSON.stringify(text)}` : `"value":${text}`}}`;
}

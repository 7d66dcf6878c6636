/**
 * The pending work of one interval that holds its node's output watermark the longest (W1): parked records, state
 * with a `holdUntil`, timers. Read from what is committed, so that the worker, which may hang, need not be asked.
 */
import {
  ByteReader,
  decodeText,
  dueFrom,
  dueSpaceOf,
  hashStart,
  readDueKey,
  readKeyPrefix,
  type SpaceKind,
  spaceOf,
} from '@millrace/protocol';
import { holdOf, ownTag, timerNamed } from '@millrace/sdk/runtime';
import { decodeParked, decodeTimer } from '../worker/stored-entries.ts';
import { answerDue } from './fetch-rules.ts';
import { highAt } from './frame-rules.ts';
import type { HashRange } from './intervals.ts';
import type { PagedStore, Slice } from './paged/paged-store.ts';
import { readable } from './readable.ts';

export type Hold =
  | { readonly kind: 'record'; readonly hold: number; readonly key: string; readonly id: string }
  | { readonly kind: 'state'; readonly hold: number; readonly key: string }
  | {
      readonly kind: 'timer';
      readonly hold: number;
      readonly key: string;
      readonly tag: string;
      readonly clock: 'watermark' | 'wall';
      readonly time: number;
    };

export interface Interval {
  readonly nodeNumber: number;
  /** Ranges of hashes, upper halves. */
  readonly ranges: readonly HashRange[];
}

interface Entry {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

const PAGES = 16;
/** Looked at in each space: whoever asks waits for it, and the commit path shares this thread. */
const MOST_ENTRIES = 200_000;

export async function oldestHold(paged: PagedStore, interval: Interval): Promise<Hold | undefined> {
  const found = [
    await oldestIn(paged, interval, 'parked', recordHold),
    await oldestIn(paged, interval, 'holds', stateHold),
    await oldestIn(paged, interval, 'timers', (entry) => timerHold(nearTimer(entry), entry.value)),
    await oldestFar(paged, interval),
  ];
  return found.reduce(older, undefined);
}

async function oldestIn(
  paged: PagedStore,
  { nodeNumber, ranges }: Interval,
  kind: SpaceKind,
  holdOf: (entry: Entry) => Hold | undefined,
): Promise<Hold | undefined> {
  const space = spaceOf(nodeNumber, kind);
  let oldest: Hold | undefined;
  let looks = 0;
  for (const { start, end } of ranges) {
    for (let from: Uint8Array | undefined = hashStart(start); from !== undefined; ) {
      const [slice]: Slice[] = await paged.slices([{ space, from, pages: PAGES }]);
      from = slice?.next;
      for (const entry of slice?.entries ?? []) {
        if (looks++ > MOST_ENTRIES) return oldest;
        if (highAt(entry.key, 0) >= end) {
          from = undefined;
          break;
        }
        oldest = older(
          oldest,
          readable(() => holdOf(entry)),
        );
      }
      if (from !== undefined) await new Promise((resolve) => setImmediate(resolve));
    }
  }
  return oldest;
}

/** They lie in the order of their holds. */
async function oldestFar(paged: PagedStore, { nodeNumber, ranges }: Interval): Promise<Hold | undefined> {
  const scan = { space: dueSpaceOf(nodeNumber), from: dueFrom(false, -Infinity), limit: 1 };
  const [found] = await answerDue(paged, scan, (high) =>
    ranges.some(({ start, end }) => high >= start && high < end),
  );
  const first = found?.entries[0];
  return first && readable(() => timerHold(readDueKey(first.key), first.value));
}

function recordHold({ key, value }: Entry): Hold | undefined {
  const { late, record } = decodeParked(new ByteReader(value));
  // A late record holds nothing.
  if (late) return undefined;
  return { kind: 'record', hold: holdOf(record), key: readKeyPrefix(key).key, id: record.id };
}

function stateHold({ key, value }: Entry): Hold {
  return { kind: 'state', hold: new ByteReader(value).f64(), key: readKeyPrefix(key).key };
}

function nearTimer({ key }: Entry): { key: string; id: string } {
  const { key: name, end } = readKeyPrefix(key);
  return { key: name, id: decodeText(key.subarray(end)) };
}

function timerHold({ key, id }: { key: string; id: string }, value: Uint8Array): Hold | undefined {
  const { time, hold } = decodeTimer(new ByteReader(value));
  const { clock, tag } = timerNamed(id);
  const holds = hold ?? (clock === 'watermark' ? time : undefined);
  return holds === undefined ? undefined : { kind: 'timer', hold: holds, key, tag: ownTag(tag), clock, time };
}

function older(one: Hold | undefined, other: Hold | undefined): Hold | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return other.hold < one.hold ? other : one;
}

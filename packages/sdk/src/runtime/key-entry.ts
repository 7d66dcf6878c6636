import type { Clock, MapKey } from '../api.ts';
import { type Cause, type DeliveredRecord, holdOf } from './delivered-record.ts';
import type { WaitingQueue } from './waiting-queue.ts';

/** An armed timer. `live` turns false when it fires, is cleared or is replaced. */
export interface TimerEntry {
  readonly owner: KeyEntry;
  readonly clock: Clock;
  readonly tag: string;
  readonly time: number;
  /** Holds the output watermark here; `undefined` for a wall timer without a hold (W2). */
  readonly hold: number | undefined;
  /** Ties in time fire in the order of arming. */
  readonly order: number;
  /** What armed it: the arming number of P4, unique for every arming. */
  armedBy: Cause | string;
  readonly armOrdinal: number;
  live: boolean;
  /** The store has it as a far timer, as of the last seal. */
  far: boolean;
  /** The next one of the same time; owned by `TimerHeap`. */
  behind: TimerEntry | undefined;
}

/** What of a timer is stored. */
export type StoredTimer = Omit<TimerEntry, 'owner' | 'live' | 'order' | 'far' | 'behind'>;

export const ABSENT: unique symbol = Symbol('absent');

/** What is known of one named map of one key. Values are the engine's own copies. */
export class KeyMap {
  readonly name: string;
  readonly entries = new Map<MapKey, unknown>();
  /** True when keys not in `entries` are known not to exist. */
  complete: boolean;
  /** Entries changed since the last seal. */
  readonly dirty = new Set<MapKey>();
  /** Keys in order, or undefined after a change of the key set. */
  sorted: MapKey[] | undefined;
  size = 0;

  constructor(name: string, complete: boolean) {
    this.name = name;
    this.complete = complete;
  }

  /** Keys in order. */
  sortedKeys(): readonly MapKey[] {
    this.sorted ??= [...this.entries.keys()]
      .filter((k) => this.entries.get(k) !== ABSENT)
      .sort(compareMapKeys);
    return this.sorted;
  }

  /** A key came or went; the order is kept rather than made anew. */
  keyChanged(key: MapKey, exists: boolean): void {
    this.size += exists ? 1 : -1;
    const { sorted } = this;
    if (sorted === undefined) return;
    const at = firstNotBefore(sorted, key);
    if (exists) sorted.splice(at, 0, key);
    else sorted.splice(at, 1);
  }

  /** For an `async` call, which must not show its writes before it has ended. */
  copy(): KeyMap {
    const copy = new KeyMap(this.name, this.complete);
    for (const [key, value] of this.entries) copy.entries.set(key, value);
    for (const key of this.dirty) copy.dirty.add(key);
    copy.size = this.size;
    return copy;
  }
}

/** Input a key could not finish yet, in order: it runs before anything newer of that key (P3). */
export interface WaitingInput {
  readonly input: DeliveredRecord | TimerEntry;
  /** Failed tries so far. */
  attempts: number;
  /** Wall time (ms) before which it is not tried again. */
  notBefore: number;
  /** Event time at which it holds the output watermark, if it does. */
  hold: number | undefined;
  /** Identity of the stored parked input; 0 = not stored yet. */
  storedAs: number;
  /** True while an `async` handler of this input runs. */
  running: boolean;
  /** It may end its worker: it stays where it is until `letGo`, and so does its key (P8). */
  held: boolean;
  /** It was held once: what it makes for others may be what ends a worker. */
  suspect: boolean;
}

/**
 * Everything the runtime knows of one (computation, key). What every record and every seal looks at comes first, so
 * that it lies together: there are many keys, and each of them is mostly far from the processor when its turn comes.
 */
export class KeyEntry {
  readonly key: string;
  /** False until the store's content for this key is here. */
  loaded: boolean;
  hasState = false;
  state: unknown = undefined;
  stateDirty = false;
  waiting: WaitingQueue | undefined;
  /** True while listed in the runtime's dirty list. */
  listed = false;
  holdUntil: number | undefined;
  /** Stored version of the state, when it is older than the code's (Y2); migrated on first read. */
  stateFrom: number | undefined;
  /** Timers changed since the last seal, by `timerId`. */
  dirtyTimers: Set<string> | undefined;
  /** True when some map has entries changed since the last seal. */
  mapsDirty = false;
  /** True while the store has a hold for this key. */
  holdStored = false;
  /** Stored parked inputs that are no longer waiting; tombstoned by the next seal. */
  unparked: number[] | undefined;
  /** The key's hash, upper and lower 32 bits as signed integers, once it was needed; owned by the engine. */
  hashed = false;
  hashHigh = 0;
  hashLow = 0;
  /** Number of the last bundle that holds a change of this key; owned by the engine. */
  sealedIn = 0;
  /** Encoded bytes of the state value, as last written or read; owned by the engine. */
  stateBytes = 0;
  /** Estimated bytes in memory, and `stateBytes` when they were counted; owned by the engine. */
  weight = 0;
  weighedStateBytes = 0;
  maps: Map<string, KeyMap> | undefined;
  /** True when the store is known to hold no map entries of this key: new maps are then complete. */
  mapsKnown: boolean;
  timers: Map<string, TimerEntry> | undefined;
  /** Far timers that are gone since the last seal: `timerId` and rank. */
  farGone: [string, number][] | undefined;
  /** How many of the inputs that wait are held. */
  held = 0;
  /** Due timers that the key's own waiting records hold back (W1). */
  blocked: TimerEntry[] | undefined;
  /** True while its content is being fetched. */
  fetching = false;
  /** Watermark-timer firings since the input ended, to stop a timer that re-arms itself for ever (W6). */
  firedAfterEnd = 0;
  /** Another owner has it: whatever still comes of it here is nothing. */
  isGone = false;

  constructor(key: string, loaded: boolean) {
    this.key = key;
    this.loaded = loaded;
    this.mapsKnown = loaded;
  }

  /** True when nothing of the key exists any more. */
  get empty(): boolean {
    return (
      !this.hasState &&
      (this.timers === undefined || this.timers.size === 0) &&
      (this.waiting === undefined || this.waiting.length === 0) &&
      (this.maps === undefined || [...this.maps.values()].every((m) => m.complete && m.size === 0))
    );
  }

  /** Least event time at which an on-time waiting record of this key holds its timers back. */
  oldestWaiting(): number | undefined {
    return this.waiting?.oldestHold;
  }

  /** The same, of one input, late ones too. */
  oldestWaitingOf(stream: string): number | undefined {
    let oldest: number | undefined;
    for (const { input } of this.waiting ?? []) {
      if ('owner' in input || input.stream !== stream) continue;
      const time = holdOf(input);
      if (oldest === undefined || time < oldest) oldest = time;
    }
    return oldest;
  }
}

export function timerId(clock: Clock, tag: string): string {
  return clock === 'wall' ? `p${tag}` : `w${tag}`;
}

/** The way back from `timerId`. */
export function timerNamed(id: string): { readonly clock: Clock; readonly tag: string } {
  return { clock: id[0] === 'p' ? 'wall' : 'watermark', tag: id.slice(1) };
}

/** Index of the first key that is not before `key`. */
export function firstNotBefore(sorted: readonly MapKey[], key: MapKey): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compareMapKeys(sorted[middle] as MapKey, key) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Numbers sort before strings; strings by code unit. */
export function compareMapKeys(a: MapKey, b: MapKey): number {
  if (typeof a === 'number') return typeof b === 'number' ? a - b : -1;
  if (typeof b === 'number') return 1;
  return a < b ? -1 : a > b ? 1 : 0;
}

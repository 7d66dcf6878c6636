/**
 * Turns what changed in a stage since the last seal into changes of a bundle's body, all of them post-images
 * (I-POST), and back again when a worker takes up where another stopped.
 */
import {
  type BundleBodyWriter,
  ByteReader,
  ByteWriter,
  decodeValue,
  encodeValue,
  keyPrefix,
  parkedKey,
  readKeyPrefix,
  readParkedSequence,
  readStateKey,
  type SpaceKind,
  spaceOf,
  writeKeyPrefix,
  writeMapEntryTail,
  writeStateTail,
} from '@millrace/protocol';
import { ABSENT, DeliveredRecord, freezeData, type KeyEntry, KeyMap } from '@millrace/sdk/runtime';
import type { ComputationStage } from './computation-stage.ts';
import type { Hasher } from './key-hash.ts';
import { decodeParked, decodeState, encodeParked, encodeState } from './stored-entries.ts';
import { TimerSeal } from './timer-seal.ts';

/** A stage's spaces in the store, and the numbering of its parked inputs. */
export class StageSeal {
  readonly timers: TimerSeal;
  readonly #stage: ComputationStage;
  readonly #nodeNumber: number;
  readonly #hasher: Hasher;
  readonly #scratch = new ByteWriter(1024);
  #parkedSequence = 0;
  /** Keys of which nothing is left, once the bundle that says so is committed. */
  #emptied: { readonly entry: KeyEntry; readonly bundle: number }[] = [];

  constructor(stage: ComputationStage, nodeNumber: number, hasher: Hasher) {
    this.timers = new TimerSeal(stage.runtime, nodeNumber);
    this.#stage = stage;
    this.#nodeNumber = nodeNumber;
    this.#hasher = hasher;
  }

  prefixOf(entry: KeyEntry): Uint8Array {
    this.#hash(entry);
    return keyPrefix(entry.key, { high: entry.hashHigh, low: entry.hashLow });
  }

  /** Returns by how much the keys' estimated bytes in memory have grown. */
  seal(body: BundleBodyWriter, bundleNumber: number): number {
    let grown = 0;
    for (const entry of this.#stage.runtime.keys.takeDirty()) {
      this.#sealEntry(body, entry);
      entry.sealedIn = bundleNumber;
      // A key that only rewrote its value is not empty, and mostly not of another size.
      if (entry.hasState && !entry.mapsDirty && !outgrew(entry)) continue;
      entry.mapsDirty = false;
      if (entry.empty) {
        grown -= entry.weight;
        entry.weight = 0;
        this.#emptied.push({ entry, bundle: bundleNumber });
      } else grown += weigh(entry);
    }
    return grown;
  }

  /** Forgets what was emptied up to a bundle: before, the store would give back what was there (KC1). */
  committed(bundle: number): void {
    const first = this.#emptied.findIndex((emptied) => emptied.bundle > bundle);
    const done = this.#emptied.splice(0, first < 0 ? this.#emptied.length : first);
    for (const { entry } of done) if (entry.sealedIn <= bundle) this.#stage.runtime.keys.forget(entry);
  }

  #sealEntry(body: BundleBodyWriter, entry: KeyEntry): void {
    this.#hash(entry);
    if (entry.stateDirty) {
      entry.stateDirty = false;
      this.#sealState(body, entry);
    }
    if (entry.mapsDirty && entry.maps !== undefined)
      for (const map of entry.maps.values()) if (map.dirty.size > 0) this.#sealMap(body, entry, map);
    if (entry.dirtyTimers !== undefined) this.timers.seal(body, entry);
    if (entry.waiting !== undefined || entry.unparked !== undefined) this.#sealParked(body, entry);
  }

  /** The upper half of a key's hash. */
  highOf(entry: KeyEntry): number {
    this.#hash(entry);
    return entry.hashHigh >>> 0;
  }

  #hash(entry: KeyEntry): void {
    if (entry.hashed) return;
    const { high, low } = this.#hasher.keyHash(entry.key);
    entry.hashed = true;
    // Signed: an integer beyond 2^31 would be an object of its own in every entry.
    entry.hashHigh = high | 0;
    entry.hashLow = low | 0;
  }

  /** Begins a change below the key's prefix; the rest of the key is the caller's to append. */
  #open(body: BundleBodyWriter, kind: SpaceKind, entry: KeyEntry): ByteWriter {
    const w = body.openKey(spaceOf(this.#nodeNumber, kind));
    writeKeyPrefix(w, entry.key, entry.hashHigh, entry.hashLow);
    return w;
  }

  #sealState(body: BundleBodyWriter, entry: KeyEntry): void {
    this.#sealHold(body, entry);
    const w = this.#open(body, 'state', entry);
    writeStateTail(w);
    if (!entry.hasState) {
      entry.stateBytes = 0;
      body.removed();
      return;
    }
    body.openValue();
    encodeState(w, entry.stateFrom ?? this.#stage.stateVersion, entry.state);
    entry.stateBytes = body.closeValue();
  }

  #sealHold(body: BundleBodyWriter, entry: KeyEntry): void {
    const { holdUntil } = entry;
    if (holdUntil === undefined && !entry.holdStored) return;
    const w = this.#open(body, 'holds', entry);
    entry.holdStored = holdUntil !== undefined;
    if (holdUntil === undefined) {
      body.removed();
      return;
    }
    body.openValue();
    w.f64(holdUntil);
    body.closeValue();
  }

  #sealMap(body: BundleBodyWriter, entry: KeyEntry, map: KeyMap): void {
    for (const name of map.dirty) {
      const w = this.#open(body, 'state', entry);
      writeMapEntryTail(w, map.name, name);
      const value = map.entries.get(name);
      if (value === undefined || value === ABSENT) {
        body.removed();
        continue;
      }
      body.openValue();
      encodeValue(w, value);
      body.closeValue();
    }
    map.dirty.clear();
  }

  #sealParked(body: BundleBodyWriter, entry: KeyEntry): void {
    if (entry.unparked !== undefined) {
      const prefix = this.prefixOf(entry);
      for (const sequence of entry.unparked) body.remove(this.#space('parked'), parkedKey(prefix, sequence));
      entry.unparked = undefined;
    }
    for (const item of entry.waiting ?? []) {
      const { input } = item;
      if (item.storedAs !== 0 || 'owner' in input) continue;
      item.storedAs = ++this.#parkedSequence;
      const w = this.#scratch;
      w.length = 0;
      const { late, stream, key, timestamp, id, value, pane } = input;
      encodeParked(w, { late, stream, record: { key, timestamp, id, value, pane } });
      body.put(
        this.#space('parked'),
        parkedKey(this.prefixOf(entry), item.storedAs),
        w.bytes.subarray(0, w.length),
      );
    }
  }

  #space(kind: SpaceKind): number {
    return spaceOf(this.#nodeNumber, kind);
  }

  // ---- the way back ----------------------------------------------------------------------------------

  restoreParked(key: Uint8Array, value: Uint8Array): void {
    const { end } = readKeyPrefix(key);
    const sequence = readParkedSequence(key, end);
    if (sequence > this.#parkedSequence) this.#parkedSequence = sequence;
    const { late, stream, record } = decodeParked(new ByteReader(value));
    const restored = new DeliveredRecord(
      record.key,
      freezeData(record.value),
      record.timestamp,
      stream,
      record.pane,
      undefined,
      record.id,
      undefined,
      0,
    );
    restored.late = late;
    this.#stage.runtime.restoreWaiting(restored, sequence);
  }

  restoreHold(key: Uint8Array, value: Uint8Array): void {
    const { key: name } = readKeyPrefix(key);
    this.#stage.runtime.restoreHold(name, new ByteReader(value).f64());
  }

  /** Puts the store's content under a key's prefix into its entry; returns by how much it grew. */
  load(entry: KeyEntry, found: readonly Stored[], complete: boolean): number {
    const end = this.prefixOf(entry).length;
    entry.mapsKnown = complete;
    for (const { key, value } of found) {
      const place = readStateKey(key, end);
      if (place.kind === 'state') {
        const stored = decodeState(new ByteReader(value));
        entry.hasState = true;
        entry.stateBytes = value.length;
        entry.state = stored.value;
        entry.stateFrom = stored.version === this.#stage.stateVersion ? undefined : stored.version;
      } else if (place.kind === 'timer') this.timers.restoreWithKey(entry, place.id, value);
      else putLoaded(mapOf(entry, place.map), place.key, decodeValue(new ByteReader(value)));
    }
    if (complete) for (const map of entry.maps?.values() ?? []) map.complete = true;
    this.#stage.runtime.loaded(entry);
    return weigh(entry);
  }

  /** Whether a key of the state space is that of a far timer. */
  isTimer(entry: KeyEntry, key: Uint8Array | undefined): boolean {
    return key !== undefined && readStateKey(key, this.prefixOf(entry).length).kind === 'timer';
  }

  /** Puts entries of one map into it; `whole`: these are all there are. */
  loadMap(
    entry: KeyEntry,
    name: string,
    found: readonly Stored[],
    asked: string | number | undefined,
  ): number {
    const end = this.prefixOf(entry).length;
    const map = mapOf(entry, name);
    for (const { key, value } of found) {
      const place = readStateKey(key, end);
      if (place.kind === 'map' && (asked === undefined || place.key === asked))
        putLoaded(map, place.key, decodeValue(new ByteReader(value)));
    }
    if (asked !== undefined) {
      if (!map.entries.has(asked)) map.entries.set(asked, ABSENT);
    } else {
      map.complete = true;
      for (const [key, value] of map.entries) if (value === ABSENT) map.entries.delete(key);
      map.size = map.entries.size;
    }
    map.sorted = undefined;
    return weigh(entry);
  }
}

interface Stored {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

/** What an entry, a map entry and a timer take beside their values, measured on Node 20 with short keys. */
const ENTRY_BYTES = 450;
const MAP_ENTRY_BYTES = 150;
const TIMER_BYTES = 350;

function outgrew(entry: KeyEntry): boolean {
  return entry.weight === 0 || Math.abs(entry.stateBytes - entry.weighedStateBytes) > 256;
}

function weigh(entry: KeyEntry): number {
  let weight = ENTRY_BYTES + 2 * entry.stateBytes;
  if (entry.maps !== undefined)
    for (const map of entry.maps.values()) weight += MAP_ENTRY_BYTES * (1 + map.entries.size);
  if (entry.timers !== undefined) weight += TIMER_BYTES * entry.timers.size;
  const grown = weight - entry.weight;
  entry.weight = weight;
  entry.weighedStateBytes = entry.stateBytes;
  return grown;
}

function mapOf(entry: KeyEntry, name: string): KeyMap {
  entry.maps ??= new Map();
  let map = entry.maps.get(name);
  if (map === undefined) {
    map = new KeyMap(name, false);
    entry.maps.set(name, map);
  }
  return map;
}

/** What is in memory is newer than what was fetched. */
function putLoaded(map: KeyMap, key: string | number, value: unknown): void {
  if (map.entries.has(key)) return;
  map.entries.set(key, value);
  map.size++;
  map.sorted = undefined;
}

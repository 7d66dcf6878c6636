/**
 * Everything a computation's runtime holds between two steps, as plain data. A snapshot shares nothing with
 * the runtime it was taken from, so what is put back is what a store would have put back.
 */

import type { Clock, MapKey } from '../api.ts';
import {
  ABSENT,
  armingId,
  type ComputationRuntime,
  compareMapKeys,
  copyData,
  type KeyEntry,
  KeyMap,
} from '../runtime/index.ts';

export interface SavedTimer {
  readonly tag: string;
  readonly time: number;
  readonly clock: Clock;
  readonly hold: number | undefined;
  /** Identity of the arming (P4). */
  readonly arming: string;
}

export interface SavedKey {
  /** Absent when the key has no state; a box, since the state may be null. */
  readonly state?: { readonly value: unknown; readonly holdUntil: number | undefined };
  readonly maps: ReadonlyMap<string, readonly (readonly [MapKey, unknown])[]>;
  /** In order of arming, which decides between timers of one time. */
  readonly timers: readonly SavedTimer[];
}

export type Snapshot = ReadonlyMap<string, SavedKey>;

export function takeSnapshot(runtime: ComputationRuntime): Snapshot {
  const keys = new Map<string, SavedKey>();
  for (const entry of runtime.keys.all()) if (!entry.empty) keys.set(entry.key, saveKey(entry));
  return keys;
}

/** Into a fresh runtime whose watermark has been set. */
export function restoreSnapshot(snapshot: Snapshot, runtime: ComputationRuntime): void {
  for (const [key, saved] of snapshot) {
    const entry = runtime.keys.at(key);
    restoreState(saved, runtime, entry);
    if (saved.maps.size > 0) entry.maps = new Map([...saved.maps].map(restoreMap));
    for (const { arming, ...timer } of saved.timers) {
      runtime.restoreTimer({ ...timer, ...armedAs(arming) }, key);
    }
  }
}

function restoreState(saved: SavedKey, runtime: ComputationRuntime, entry: KeyEntry): void {
  if (saved.state === undefined) return;
  if (saved.state.holdUntil !== undefined) runtime.restoreHold(entry.key, saved.state.holdUntil);
  entry.hasState = true;
  entry.state = copyData(saved.state.value);
}

function saveKey(entry: KeyEntry): SavedKey {
  const maps = new Map<string, readonly (readonly [MapKey, unknown])[]>();
  for (const [name, map] of entry.maps ?? []) if (map.size > 0) maps.set(name, saveMap(map));
  const timers = [...(entry.timers?.values() ?? [])].sort((a, b) => a.order - b.order);
  const saved = {
    maps,
    timers: timers.map((timer) => {
      const { tag, time, clock, hold } = timer;
      return { tag, time, clock, hold, arming: armingId(timer) };
    }),
  };
  if (!entry.hasState) return saved;
  return { ...saved, state: { value: copyData(entry.state), holdUntil: entry.holdUntil } };
}

function saveMap(map: KeyMap): readonly (readonly [MapKey, unknown])[] {
  return [...map.entries]
    .filter(([, value]) => value !== ABSENT)
    .sort(([a], [b]) => compareMapKeys(a, b))
    .map(([key, value]) => [key, copyData(value)]);
}

function restoreMap([name, entries]: readonly [string, readonly (readonly [MapKey, unknown])[]]): [
  string,
  KeyMap,
] {
  const map = new KeyMap(name, true);
  for (const [key, value] of entries) map.entries.set(key, copyData(value));
  map.size = entries.length;
  return [name, map];
}

function armedAs(arming: string): { armedBy: string; armOrdinal: number } {
  const cut = arming.lastIndexOf('#');
  return { armedBy: arming.slice(0, cut), armOrdinal: Number(arming.slice(cut + 1)) };
}

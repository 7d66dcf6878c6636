/**
 * An `async` call works on a shadow of its key's entry, so that what it wrote so far is in no bundle; when it
 * ends well the entry takes the shadow's content.
 */
import { KeyEntry } from './key-entry.ts';

export function shadowOf(entry: KeyEntry): KeyEntry {
  const shadow = new KeyEntry(entry.key, entry.loaded);
  shadow.mapsKnown = entry.mapsKnown;
  shadow.hasState = entry.hasState;
  shadow.state = entry.state;
  shadow.holdUntil = entry.holdUntil;
  shadow.stateFrom = entry.stateFrom;
  shadow.timers = entry.timers && new Map(entry.timers);
  shadow.maps = entry.maps && new Map([...entry.maps].map(([name, map]) => [name, map.copy()]));
  return shadow;
}

export function adopt(entry: KeyEntry, shadow: KeyEntry): void {
  entry.hasState = shadow.hasState;
  entry.state = shadow.state;
  entry.holdUntil = shadow.holdUntil;
  entry.stateFrom = shadow.stateFrom;
  entry.stateDirty ||= shadow.stateDirty;
  entry.timers = shadow.timers;
  entry.maps = shadow.maps;
  entry.mapsDirty ||= shadow.mapsDirty;
}

/** What one handler call changed and sent, so that it can be carried out or taken back as a whole (P8). */
import type { MapKey } from '../api.ts';
import { ABSENT, type KeyMap, type TimerEntry } from './key-entry.ts';
import type { Production } from './ports.ts';

export interface MapChange {
  readonly map: KeyMap;
  readonly key: MapKey;
  readonly before: unknown;
  readonly known: boolean;
}

export interface TimerChange {
  readonly id: string;
  readonly before: TimerEntry | undefined;
  readonly after: TimerEntry | undefined;
}

/**
 * What one call changed and sent. One object serves many calls that follow each other (`reset`): on the hot
 * path of a worker it would otherwise be most of the garbage.
 */
export class Journal {
  stateSaved = false;
  stateBefore: unknown = undefined;
  hadState = false;
  holdBefore: number | undefined;
  fromBefore: number | undefined;
  dropsLate = false;
  armed = 0;
  maps: MapChange[] = [];
  timers: TimerChange[] = [];
  productions: Production[] = [];
  counts: [string, number][] = [];

  get changed(): boolean {
    return this.stateSaved || this.maps.length > 0 || this.timers.length > 0;
  }

  reset(): void {
    this.stateSaved = false;
    this.stateBefore = undefined;
    this.dropsLate = false;
    this.armed = 0;
    if (this.maps.length > 0) this.maps = [];
    if (this.timers.length > 0) this.timers = [];
    if (this.productions.length > 0) this.productions = [];
    if (this.counts.length > 0) this.counts = [];
  }
}

export function putEntry(map: KeyMap, key: MapKey, value: unknown, existed: boolean): void {
  if (value === ABSENT && map.complete) map.entries.delete(key);
  else map.entries.set(key, value);
  const exists = value !== ABSENT;
  if (exists !== existed) map.keyChanged(key, exists);
}

export function restoreEntry({ map, key, before, known }: MapChange): void {
  const exists = map.entries.has(key) && map.entries.get(key) !== ABSENT;
  const existed = known && before !== ABSENT;
  if (known) map.entries.set(key, before);
  else map.entries.delete(key);
  if (exists !== existed) map.keyChanged(key, existed);
}

/** What one handler call changed and sent, so that it can be carried out or taken back as a whole (P8). */
import type { MapKey } from '../api.ts';
import { ABSENT, type KeyEntry, type KeyMap, type TimerEntry } from './key-entry.ts';
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

/** Remembers the state that a call found, in front of its first change. */
export function saveState(journal: Journal, entry: KeyEntry): void {
  if (journal.stateSaved) return;
  journal.stateSaved = true;
  journal.stateBefore = entry.state;
  journal.hadState = entry.hasState;
  journal.holdBefore = entry.holdUntil;
  journal.fromBefore = entry.stateFrom;
}

/** Gives the entry back what it held before the call (R2). */
export function takeBack(journal: Journal, entry: KeyEntry): void {
  if (journal.stateSaved) {
    entry.hasState = journal.hadState;
    entry.state = journal.stateBefore;
    entry.holdUntil = journal.holdBefore;
    entry.stateFrom = journal.fromBefore;
  }
  for (const change of journal.maps.reverse()) restoreEntry(change);
  for (const { id, before } of journal.timers.reverse()) {
    if (before === undefined) entry.timers?.delete(id);
    else entry.timers?.set(id, before);
  }
}

/**
 * The earliest time at which the key holds the watermark: by what it holds now, or held when the call began;
 * `base` when that is earlier.
 */
export function earliestHeld(base: number, entry: KeyEntry, journal: Journal | undefined): number {
  let earliest = base;
  const hold = journal?.stateSaved ? journal.holdBefore : entry.holdUntil;
  if (hold !== undefined && hold < earliest) earliest = hold;
  for (const timer of entry.timers?.values() ?? [])
    if (timer.hold !== undefined && timer.hold < earliest) earliest = timer.hold;
  for (const { before } of journal?.timers ?? [])
    if (before?.hold !== undefined && before.hold < earliest) earliest = before.hold;
  return earliest;
}

export function putEntry(map: KeyMap, key: MapKey, value: unknown, existed: boolean): void {
  if (value === ABSENT && map.complete) map.entries.delete(key);
  else map.entries.set(key, value);
  const exists = value !== ABSENT;
  if (exists !== existed) map.keyChanged(key, exists);
}

function restoreEntry({ map, key, before, known }: MapChange): void {
  const exists = map.entries.has(key) && map.entries.get(key) !== ABSENT;
  const existed = known && before !== ABSENT;
  if (known) map.entries.set(key, before);
  else map.entries.delete(key);
  if (exists !== existed) map.keyChanged(key, existed);
}

/**
 * One handler call: the `ctx` user code sees, and the journal that makes it all or nothing (P8).
 *
 * Writes go to the key's entry at once, so that a call reads what it wrote; the journal remembers what was
 * there before. `apply` makes the effects count (timers armed, holds moved, productions emitted), `undo` puts
 * everything back. After either the context is dead: any use throws (P10).
 */

import type {
  Clock,
  Context,
  Log,
  MapKey,
  Pane,
  ProduceOptions,
  StateCell,
  StateMap,
  StateOptions,
  TableKnowledge,
  TimerOptions,
} from '../api.ts';
import { checkMapKey, checkTime, describe } from './argument-checks.ts';
import type { Cause, DeliveredRecord } from './delivered-record.ts';
import { earliestHeld, Journal, putEntry, saveState, takeBack } from './journal.ts';
import { ABSENT, type KeyEntry, KeyMap, type TimerEntry, timerId } from './key-entry.ts';
import { type MapAccess, MapHandle } from './map-handle.ts';
import { copyData, freezeData } from './plain-data.ts';
import type { LogLevel } from './ports.ts';
import { seededRandom } from './random.ts';
import type { RuntimeClock } from './runtime-clock.ts';

/** What a call needs of the runtime it runs in. */
export interface CallHost {
  readonly params: Readonly<Record<string, unknown>>;
  /** Handlers change no value that was handed in or out, so none is copied (`Computation.sharesValues`). */
  readonly sharesValues: boolean;
  readonly clock: RuntimeClock;
  nextOrder(): number;
  table(input: string): TableKnowledge | undefined;
  /** An empty journal for a call that ends before the next one begins. */
  sharedJournal(): Journal;
  prepare(port: string, value: unknown, key: string, timestamp: number, pane: Pane | undefined): unknown;
  migrateState(old: unknown, from: number): unknown;
  /** Reports map content that must be fetched before the call can run. */
  missed(entry: KeyEntry, map: string, key: MapKey | undefined): void;
  log(level: LogLevel, parts: readonly unknown[], key: string): void;
}

/** Thrown when map content is not in memory yet: the call is abandoned and run again after the fetch. */
export class Miss extends Error {
  constructor() {
    super('map entries are being fetched; this call is abandoned and runs again');
  }
}

export class CallContext implements Context, StateCell<unknown>, Log {
  readonly key: string;
  /** Where effects go: the key's entry, or an `async` call's shadow of it. */
  readonly #entry: KeyEntry;
  readonly #owner: KeyEntry;
  readonly #host: CallHost;
  readonly #cause: Cause;
  readonly #byTimer: boolean;
  /** Default timestamp of productions and the earliest time this call may send at. */
  readonly #base: number | undefined;
  #ended = false;
  #missed = false;
  /** Nothing was written yet while there is none. */
  #journal: Journal | undefined;
  #random: (() => number) | undefined;

  constructor(
    host: CallHost,
    entry: KeyEntry,
    owner: KeyEntry,
    cause: Cause,
    byTimer: boolean,
    base: number | undefined,
  ) {
    this.#host = host;
    this.#entry = entry;
    this.#owner = owner;
    this.#cause = cause;
    this.#byTimer = byTimer;
    this.#base = base;
    this.key = entry.key;
  }

  get now(): number {
    this.#alive();
    return this.#host.clock.now();
  }

  /** W1: not behind what waits of the key on time, this record among it: it came in front of what has moved since. */
  get watermark(): number | undefined {
    this.#alive();
    const { input } = this.#host.clock;
    if (input === undefined || this.#owner.waiting === undefined) return input;
    const oldest = this.#owner.oldestWaiting();
    return oldest !== undefined && oldest < input ? oldest : input;
  }

  /** Not behind its rows of this key that wait: what was known meanwhile was known without them (TR2). */
  table(input: string): TableKnowledge | undefined {
    this.#alive();
    const known = this.#host.table(input);
    const waits = known && this.#owner.waiting && this.#owner.oldestWaitingOf(input);
    if (known === undefined || waits === undefined || waits >= known.until) return known;
    return { until: waits, goneFrom: (index) => known.goneFrom(index) };
  }

  get params(): Readonly<Record<string, unknown>> {
    return this.#host.params;
  }

  get state(): StateCell<unknown> {
    this.#alive();
    return this;
  }

  get(): unknown {
    this.#alive();
    const entry = this.#entry;
    if (!entry.hasState) return undefined;
    if (entry.stateFrom !== undefined) {
      saveState(this.#write(), this.#entry);
      const migrated = this.#host.migrateState(copyData(entry.state), entry.stateFrom);
      entry.stateFrom = undefined;
      entry.hasState = migrated !== undefined;
      entry.state = copyData(migrated);
      entry.stateDirty = true;
    }
    return this.#host.sharesValues ? entry.state : copyData(entry.state);
  }

  set(value: unknown, options?: StateOptions): void {
    this.#alive();
    if (value === undefined) {
      this.clear();
      return;
    }
    const hold = options?.holdUntil;
    if (hold !== undefined) checkTime(hold, 'holdUntil');
    const copy = this.#host.sharesValues ? value : copyData(value, 'state');
    saveState(this.#write(), this.#entry);
    const entry = this.#entry;
    entry.hasState = true;
    entry.state = copy;
    entry.holdUntil = hold;
    entry.stateFrom = undefined;
    entry.stateDirty = true;
  }

  clear(): void {
    this.#alive();
    saveState(this.#write(), this.#entry);
    const entry = this.#entry;
    entry.hasState = false;
    entry.state = undefined;
    entry.holdUntil = undefined;
    entry.stateFrom = undefined;
    entry.stateDirty = true;
  }

  // The declared type has two overload-like parameters for user code; here it is one name.
  map<V>(name: string): StateMap<V> {
    this.#alive();
    if (typeof name !== 'string' || name === '')
      throw new TypeError('ctx.map needs the name of the map, a non-empty string');
    const entry = this.#entry;
    entry.maps ??= new Map();
    let map = entry.maps.get(name);
    if (map === undefined) {
      map = new KeyMap(name, entry.mapsKnown);
      entry.maps.set(name, map);
    }
    return new MapHandle(MAP_ACCESS, this, map, this.#host.sharesValues) as unknown as StateMap<V>;
  }

  setTimer(tag: string, time: number, options?: TimerOptions): void {
    this.#alive();
    if (typeof tag !== 'string') throw new TypeError(`a timer's tag is a string, not ${describe(tag)}`);
    const clock: Clock = options?.clock ?? 'watermark';
    if (clock !== 'watermark' && clock !== 'wall')
      throw new TypeError(`a timer's clock is 'watermark' or 'wall', not ${describe(clock)}`);
    checkTime(time, `time of timer "${tag}"`);
    const hold = this.#holdOf(tag, time, clock, options?.hold);
    const id = timerId(clock, tag);
    const cause = this.#cause;
    this.#changeTimer(id, {
      owner: this.#owner,
      clock,
      tag,
      time,
      hold,
      order: this.#host.nextOrder(),
      // A firing's id is taken now, so that a timer that re-arms itself never builds a chain of causes.
      armedBy: this.#byTimer ? cause.id : cause,
      armOrdinal: this.#write().armed++,
      live: false,
      far: false,
      behind: undefined,
    });
  }

  clearTimer(tag: string, clock: Clock = 'watermark'): void {
    this.#alive();
    const id = timerId(clock, tag);
    if (this.#entry.timers?.has(id)) this.#changeTimer(id, undefined);
  }

  produce(port: string, value: unknown, options?: ProduceOptions): void {
    this.#alive();
    if (typeof port !== 'string')
      throw new TypeError(`ctx.produce needs the name of an output, not ${describe(port)}`);
    const key = options?.key ?? this.key;
    if (typeof key !== 'string')
      throw new TypeError(`the key of a production is a string, not ${describe(key)}`);
    const timestamp = options?.timestamp ?? this.#base;
    if (timestamp === undefined)
      throw new TypeError(
        `this timer has no watermark yet to take a timestamp from: give ctx.produce("${port}", …, { timestamp })`,
      );
    checkTime(timestamp, `timestamp of a production on "${port}"`);
    if (
      this.#base !== undefined &&
      timestamp < this.#base &&
      timestamp < earliestHeld(this.#base, this.#entry, this.#journal)
    ) {
      throw new RangeError(
        `production on "${port}" at ${timestamp} is earlier than ${this.#base}, the time of its cause, and no hold of this key allows it: set a timer or state with a hold, or keep the timestamp`,
      );
    }
    const copy = this.#isOwn(value) ? value : freezeData(copyData(value, `value produced on "${port}"`));
    const pane = options?.pane;
    const prepared = this.#host.prepare(port, copy, key, timestamp, pane);
    const journal = this.#write();
    journal.productions.push({
      port,
      value: copy,
      key,
      timestamp,
      pane,
      cause: this.#cause,
      ordinal: journal.productions.length,
      byTimer: this.#byTimer,
      prepared,
    });
  }

  /** What came in goes out again: it is frozen, and a copy of the engine's already. */
  #isOwn(value: unknown): boolean {
    return !this.#byTimer && typeof value === 'object' && value === (this.#cause as DeliveredRecord).value;
  }

  get log(): Log {
    this.#alive();
    return this;
  }
  debug(...parts: unknown[]): void {
    this.#host.log('debug', parts, this.key);
  }
  info(...parts: unknown[]): void {
    this.#host.log('info', parts, this.key);
  }
  warn(...parts: unknown[]): void {
    this.#host.log('warn', parts, this.key);
  }
  error(...parts: unknown[]): void {
    this.#host.log('error', parts, this.key);
  }

  count(name: string, n = 1): void {
    this.#alive();
    this.#write().counts.push([String(name), Number(n)]);
  }

  random(): number {
    this.#alive();
    this.#random ??= seededRandom(this.#cause.id);
    return this.#random();
  }

  dropLate(): void {
    this.#alive();
    this.#write().dropsLate = true;
  }

  // ---- the map handle's side -------------------------------------------------------------------------

  /** @internal Value of one entry, `ABSENT` when there is none. */
  static readEntry(ctx: CallContext, map: KeyMap, key: MapKey): unknown {
    ctx.#alive();
    checkMapKey(key);
    const value = map.entries.get(key);
    if (value !== undefined) return value;
    if (map.complete) return ABSENT;
    return ctx.#miss(map, key);
  }

  /** @internal Makes every entry of the map readable, or abandons the call. */
  static needWhole(ctx: CallContext, map: KeyMap): void {
    ctx.#alive();
    if (!map.complete) ctx.#miss(map, undefined);
  }

  /** @internal */
  static writeEntry(ctx: CallContext, map: KeyMap, key: MapKey, value: unknown): void {
    ctx.#alive();
    checkMapKey(key);
    const before = map.entries.get(key);
    // Nothing stored is undefined.
    const known = before !== undefined;
    const existed = known && before !== ABSENT;
    if (value === ABSENT && map.complete && !existed) return;
    ctx.#write().maps.push({ map, key, before, known });
    putEntry(map, key, value, existed);
    map.dirty.add(key);
    ctx.#entry.mapsDirty = true;
  }

  // ---- the runtime's side ----------------------------------------------------------------------------

  /** @internal True when the call needs content that is not in memory: it must be undone and run again. */
  static missed(ctx: CallContext): boolean {
    return ctx.#missed;
  }

  /** @internal Ends the call and puts everything back. */
  static undo(ctx: CallContext): void {
    if (ctx.#ended) return;
    ctx.#ended = true;
    if (ctx.#journal !== undefined) takeBack(ctx.#journal, ctx.#entry);
  }

  /** @internal Ends the call and hands over what it did; undefined when it did nothing. */
  static end(ctx: CallContext): Journal | undefined {
    ctx.#ended = true;
    return ctx.#journal;
  }

  #alive(): void {
    if (this.#ended)
      throw new Error(
        'this context belongs to a call that has ended: use ctx only before the handler returns (or its promise settles)',
      );
  }

  #miss(map: KeyMap, key: MapKey | undefined): never {
    this.#missed = true;
    this.#host.missed(this.#owner, map.name, key);
    throw new Miss();
  }

  #write(): Journal {
    // An `async` call's journal outlives others; all others follow each other and share one.
    this.#journal ??= this.#entry === this.#owner ? this.#host.sharedJournal() : new Journal();
    return this.#journal;
  }

  #changeTimer(id: string, after: TimerEntry | undefined): void {
    const entry = this.#entry;
    entry.timers ??= new Map();
    this.#write().timers.push({ id, before: entry.timers.get(id), after });
    if (after === undefined) entry.timers.delete(id);
    else entry.timers.set(id, after);
  }

  #holdOf(tag: string, time: number, clock: Clock, explicit: number | undefined): number | undefined {
    if (explicit === undefined && clock === 'wall') return undefined;
    const published = this.#host.clock.published;
    if (explicit === undefined) {
      // A timer for a time already passed cannot hold what is already published.
      return published === undefined || time >= published
        ? time
        : Math.max(time, Math.min(this.#base ?? published, published));
    }
    checkTime(explicit, `hold of timer "${tag}"`);
    if (clock === 'watermark' && explicit > time) {
      throw new RangeError(
        `timer "${tag}" is due at ${time} but would hold at ${explicit}, after it fired: the hold must not be later than the time`,
      );
    }
    if (
      published !== undefined &&
      explicit < published &&
      explicit < earliestHeld(this.#base ?? published, this.#entry, this.#journal)
    ) {
      throw new RangeError(
        `timer "${tag}" cannot hold at ${explicit}: the watermark ${published} has been sent downstream already`,
      );
    }
    return explicit;
  }
}

// Handlers reach it through what they are given; one call must not change what the next one finds.
Object.freeze(CallContext);
Object.freeze(CallContext.prototype);

const MAP_ACCESS: MapAccess<CallContext> = {
  read: CallContext.readEntry,
  needWhole: CallContext.needWhole,
  write: CallContext.writeEntry,
};

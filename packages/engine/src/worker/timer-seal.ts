/**
 * How a stage's timers go into a bundle and come back: near ones by key, far ones beside their key's value and a
 * second time in the order in which they fall due (docs/decisions/far-timers.md).
 *
 * Invariant TS1: a timer lies in the near place or in both far ones, never in all, and leaves them in one bundle.
 */
import {
  type BundleBodyWriter,
  ByteReader,
  type ByteWriter,
  decodeText,
  dueFrom,
  dueSpaceOf,
  readDueKey,
  readKeyPrefix,
  type StoreEntry,
  spaceOf,
  writeDueHead,
  writeFarTimerTail,
  writeKeyPrefix,
} from '@millrace/protocol';
import type { Clock } from '@millrace/sdk';
import {
  type ComputationRuntime,
  type KeyEntry,
  rankOf,
  type StoredTimer,
  type TimerEntry,
  timerNamed,
} from '@millrace/sdk/runtime';
import { decodeTimer, encodeTimer } from './stored-entries.ts';

export class TimerSeal {
  /** Where far timers lie by rank. */
  readonly dueSpace: number;
  readonly #nearSpace: number;
  readonly #stateSpace: number;
  readonly #runtime: ComputationRuntime;

  constructor(runtime: ComputationRuntime, nodeNumber: number) {
    this.#runtime = runtime;
    this.#nearSpace = spaceOf(nodeNumber, 'timers');
    this.#stateSpace = spaceOf(nodeNumber, 'state');
    this.dueSpace = dueSpaceOf(nodeNumber);
  }

  /** The entry's key is hashed. */
  seal(body: BundleBodyWriter, entry: KeyEntry): void {
    for (const id of entry.dirtyTimers ?? []) {
      const timer = entry.timers?.get(id);
      const storedRank = storedRankOf(entry, id, timer);
      if (storedRank !== undefined || (timer !== undefined && this.#runtime.isFar(timer)))
        this.#sealFar(body, entry, id, timer, storedRank);
      else this.#putNear(body, entry, id, timer);
    }
    entry.dirtyTimers = undefined;
    entry.farGone = undefined;
  }

  /** One that is far now, or was when it was stored. */
  #sealFar(
    body: BundleBodyWriter,
    entry: KeyEntry,
    id: string,
    timer: TimerEntry | undefined,
    storedRank: number | undefined,
  ): void {
    const far = timer !== undefined && this.#runtime.isFar(timer) ? timer : undefined;
    const rank = far && rankOf(far);
    if (storedRank !== undefined && storedRank !== rank) this.#putDue(body, entry, id, storedRank, undefined);
    if (rank !== undefined) this.#putDue(body, entry, id, rank, far);
    const w = openKey(body, this.#stateSpace, entry);
    writeFarTimerTail(w, id);
    closeTimer(body, w, far);
    if (timer !== undefined) timer.far = far !== undefined;
    if (storedRank === undefined) this.#putNear(body, entry, id, undefined);
    else if (far === undefined && timer !== undefined) this.#putNear(body, entry, id, timer);
  }

  #putNear(body: BundleBodyWriter, entry: KeyEntry, id: string, timer: TimerEntry | undefined): void {
    const w = openKey(body, this.#nearSpace, entry);
    w.utf8(id);
    closeTimer(body, w, timer);
  }

  #putDue(
    body: BundleBodyWriter,
    entry: KeyEntry,
    id: string,
    rank: number,
    timer: TimerEntry | undefined,
  ): void {
    const w = body.openKey(this.dueSpace);
    writeDueHead(w, timerNamed(id).clock === 'wall', rank);
    writeKeyPrefix(w, entry.key, entry.hashHigh, entry.hashLow);
    w.utf8(id);
    closeTimer(body, w, timer);
  }

  // ---- the way back ----------------------------------------------------------------------------------

  restoreNear(key: Uint8Array, value: Uint8Array): void {
    const { key: name, end } = readKeyPrefix(key);
    this.#runtime.restoreTimer(storedTimer(decodeText(key.subarray(end)), value), name);
  }

  /** One that was fetched with its key. */
  restoreWithKey(entry: KeyEntry, id: string, value: Uint8Array): void {
    this.#runtime.restoreFarOf(entry, storedTimer(id, value));
  }

  /** Where the next far timers of a clock are to be read from. */
  dueFrom(clock: Clock): Uint8Array {
    const { rank, cursor } = this.#runtime.timersInStore(clock);
    return cursor ?? dueFrom(clock === 'wall', rank);
  }

  /** Takes those that were read from there on; `next` is the key of the first that was not. */
  restoreDue(
    clock: Clock,
    found: readonly Pick<StoreEntry, 'key' | 'value'>[],
    next: Uint8Array | undefined,
  ): void {
    for (const { key, value } of found) {
      const due = readDueKey(key);
      this.#runtime.restoreFar(storedTimer(due.id, value), due.key);
    }
    if (next === undefined) return this.#runtime.timersWereRead(clock);
    const { rank, key } = readDueKey(next);
    // A copy: the rest of its frame would stay in memory with it.
    this.#runtime.timersWereReadTo(clock, rank, next.slice(), key);
  }
}

/** The rank under which the store has this timer as a far one. */
function storedRankOf(entry: KeyEntry, id: string, timer: TimerEntry | undefined): number | undefined {
  if (timer?.far === true) return rankOf(timer);
  return entry.farGone?.find(([gone]) => gone === id)?.[1];
}

function openKey(body: BundleBodyWriter, space: number, entry: KeyEntry): ByteWriter {
  const w = body.openKey(space);
  writeKeyPrefix(w, entry.key, entry.hashHigh, entry.hashLow);
  return w;
}

function closeTimer(body: BundleBodyWriter, w: ByteWriter, timer: TimerEntry | undefined): void {
  if (timer === undefined) return body.removed();
  // From here on the arming is known by its id; its cause may be forgotten.
  if (typeof timer.armedBy !== 'string') timer.armedBy = timer.armedBy.id;
  body.openValue();
  encodeTimer(w, timer.time, timer.hold, timer.armedBy, timer.armOrdinal);
  body.closeValue();
}

function storedTimer(id: string, value: Uint8Array): StoredTimer {
  return { ...timerNamed(id), ...decodeTimer(new ByteReader(value)) };
}

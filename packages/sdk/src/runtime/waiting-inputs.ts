/**
 * Inputs that a key cannot finish yet: it is not loaded, an older input is in front, the last try failed, or an
 * `async` handler runs.
 *
 * Owns: the order of what waits per key, its holds, the keys that can go on, back-offs, the counts.
 * Does not own: running anything.
 *
 * Invariants
 *   WI1 (P3)  inputs of a key leave in the order in which they came; only a failed timer, which was due before
 *             all of them, goes in front.
 *   WI2 (R3)  every waiting on-time record has one hold (`holdOf`), until it is done with.
 *   SU2 (P11) a held input keeps its place: what comes behind it in its key waits for it.
 */
import { type DeliveredRecord, holdOf } from './delivered-record.ts';
import type { HoldSet } from './hold-set.ts';
import type { KeyEntry, TimerEntry, WaitingInput } from './key-entry.ts';
import type { KeysInMemory } from './keys-in-memory.ts';
import { WaitingQueue } from './waiting-queue.ts';

export class WaitingInputs {
  readonly #keys: KeysInMemory;
  readonly #holds: HoldSet;
  readonly #unheld: boolean;
  readonly #heldKeys = new Set<KeyEntry>();
  #ready: KeyEntry[] = [];
  #delayed: { entry: KeyEntry; at: number }[] = [];
  #count = 0;
  #records = 0;

  /** `unheld`: nothing that waits holds the watermark, the negative control of the crash sweep. */
  constructor(keys: KeysInMemory, holds: HoldSet, unheld: boolean) {
    this.#keys = keys;
    this.#holds = holds;
    this.#unheld = unheld;
  }

  get count(): number {
    return this.#count;
  }

  /** Records among them (P9). */
  get records(): number {
    return this.#records;
  }

  /** Wall time (ms) at which the first back-off ends, if any input waits for one. */
  get nextRetry(): number | undefined {
    let next: number | undefined;
    for (const { at } of this.#delayed) if (next === undefined || at < next) next = at;
    return next;
  }

  add(entry: KeyEntry, input: DeliveredRecord | TimerEntry): WaitingInput {
    const hold = 'owner' in input || input.late || this.#unheld ? undefined : holdOf(input);
    const item: WaitingInput = { input, attempts: 0, notBefore: 0, hold, ...FRESH };
    entry.waiting ??= new WaitingQueue();
    // A timer that failed was due before every record that waits, so it goes in front of them.
    if ('owner' in input && entry.waiting.first?.running !== true) entry.waiting.unshift(item);
    else entry.waiting.push(item);
    if (hold !== undefined) this.#holds.add(hold);
    this.#count++;
    if (!('owner' in input)) this.#records++;
    this.#keys.markDirty(entry);
    return item;
  }

  /** Adds an input that does not run before it is let go. */
  hold(entry: KeyEntry, input: DeliveredRecord | TimerEntry): WaitingInput {
    const item = this.add(entry, input);
    item.held = true;
    item.suspect = true;
    entry.held++;
    this.#heldKeys.add(entry);
    return item;
  }

  /** Keys with held inputs. */
  get heldKeys(): ReadonlySet<KeyEntry> {
    return this.#heldKeys;
  }

  /** The inputs of a key for which it is true may run. */
  letGo(entry: KeyEntry, may: (item: WaitingInput) => boolean): void {
    for (const item of entry.waiting ?? []) {
      if (!item.held || !may(item)) continue;
      item.held = false;
      entry.held--;
    }
    if (entry.held === 0) this.#heldKeys.delete(entry);
    this.goOn(entry);
  }

  /** It is finished with, one way or the other. */
  remove(entry: KeyEntry, item: WaitingInput): void {
    const waiting = entry.waiting as WaitingQueue;
    waiting.remove(item);
    if (waiting.length === 0) entry.waiting = undefined;
    if (item.hold !== undefined) this.#holds.remove(item.hold);
    if (item.storedAs !== 0) {
      entry.unparked ??= [];
      entry.unparked.push(item.storedAs);
    }
    this.#count--;
    if (!('owner' in item.input)) this.#records--;
    this.#keys.markDirty(entry);
  }

  /** Another owner has the key: what waits of it is stored, and waits there. */
  giveUp(entry: KeyEntry): void {
    for (const { input, hold } of entry.waiting ?? []) {
      if (hold !== undefined) this.#holds.remove(hold);
      this.#count--;
      if (!('owner' in input)) this.#records--;
    }
    entry.waiting = undefined;
    entry.held = 0;
    this.#heldKeys.delete(entry);
  }

  // ---- when a key can go on --------------------------------------------------------------------------

  /** The key can go on; or its content is asked for. */
  goOn(entry: KeyEntry): void {
    if (entry.loaded) this.#ready.push(entry);
    else this.#keys.need(entry);
  }

  /** The key's first input is not tried again before `at`, wall time in ms. */
  goOnAt(entry: KeyEntry, at: number): void {
    this.#delayed.push({ entry, at });
  }

  get hasDelayed(): boolean {
    return this.#delayed.length > 0;
  }

  /** Keys whose back-off has ended can go on. */
  wakeDelayed(now: number): void {
    const delayed = this.#delayed;
    this.#delayed = [];
    for (const d of delayed) {
      if (d.at <= now) this.#ready.push(d.entry);
      else this.#delayed.push(d);
    }
  }

  get hasReady(): boolean {
    return this.#ready.length > 0;
  }

  takeReady(): KeyEntry[] {
    const ready = this.#ready;
    this.#ready = [];
    return ready;
  }
}

const FRESH = { storedAs: 0, running: false, held: false, suspect: false };

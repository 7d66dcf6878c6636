/**
 * Decides which spare of a slot tries which key next, when another one starts, and when it is enough (P8).
 *
 * Owns: the keys that are asked for, the order in which they are tried, what each spare has in hand.
 * Does not own: processes and frames (`spare-link`), what a spare's end proves (`worker-health`).
 *
 * Invariants
 *   SU4  only the first key a spare has in hand is on trial: what it says, and its end, count for that one alone. A key
 *        in which a spare ended without proving anything is tried again alone, by one that has tried nothing else.
 *   SU5  behind a key that takes long no other key stays; how long that is doubles where it was slow and nothing else.
 *   SU6  it ends: `give-up` when nothing was found out for long, or too often.
 *
 *   starting ──ready──> idle <──> trying ──recalled, spent──> leaving
 */
import type { Watermark } from '@millrace/protocol';
import { noProgress, type SilenceVerdict } from './silence.ts';

export interface Suspect {
  readonly number: number;
  readonly node: number;
  readonly prefix: Uint8Array;
  readonly watermark: Watermark;
}

export type Decision =
  | { readonly kind: 'start' }
  | { readonly kind: 'hand'; readonly spare: number; readonly suspects: readonly Suspect[] }
  | { readonly kind: 'end'; readonly spare: number; readonly reason: string; readonly isDoubtful?: true }
  | { readonly kind: 'give-up' };

/** Of a spare that tries something. */
export interface SpareSilence {
  /** Since it was last heard of. */
  readonly ms: number;
  readonly verdict: SilenceVerdict;
}

type SilenceOf = (spare: number) => SpareSilence;

interface Spare {
  state: 'starting' | 'idle' | 'trying' | 'leaving';
  readonly startedAt: number;
  hand: readonly Suspect[];
  /** It has tried something. */
  isUsed: boolean;
}

const START_MS = 30_000;
/** What a spare has in hand behind the key that takes so long is given to another one. */
const PATIENCE_MS = 250;
const MOST_PATIENCE_MS = 2_000;
const MOST_SPARES = 4;
/** Started in advance: where one hangs, the other goes on. */
const FIRST_SPARES = 2;
const HANDFUL = 32;
const FRUITLESS_MS = 30_000;
const MOST_FRUITLESS = 4;
/** Without anything to try, spares wait so long for more. */
const REST_MS = 2_000;

export class Trials {
  readonly #spares = new Map<number, Spare>();
  #waiting: Suspect[] = [];
  /** Keys a spare ended in, which proves nothing yet. */
  #accused: Suspect[] = [];
  #fruitless = 0;
  #patienceMs = PATIENCE_MS;
  #foundAt: number;
  #busyAt: number;
  #isGivenUp = false;

  constructor(now: number) {
    this.#foundAt = now;
    this.#busyAt = now;
  }

  /** Keys asked for and not answered. */
  get outstanding(): number {
    let inHand = 0;
    for (const { hand } of this.#spares.values()) inHand += hand.length;
    return this.#waiting.length + this.#accused.length + inHand;
  }

  asked(suspect: Suspect, now: number): void {
    if (this.outstanding === 0) this.#foundAt = now;
    this.#waiting.push(suspect);
  }

  started(spare: number, now: number): void {
    this.#spares.set(spare, { state: 'starting', startedAt: now, hand: [], isUsed: false });
  }

  ready(spare: number): void {
    const known = this.#spares.get(spare);
    if (known?.state === 'starting') known.state = 'idle';
  }

  /** The key a spare is at, if any. */
  onTrial(spare: number): Suspect | undefined {
    return this.#spares.get(spare)?.hand[0];
  }

  /** Whether it has this key in hand, to try it now or later. */
  hasInHand(spare: number, number: number): boolean {
    return this.#spares.get(spare)?.hand.some((suspect) => suspect.number === number) === true;
  }

  /** A spare is through with the key it is at. */
  tried(spare: number, spent: boolean, now: number): void {
    const known = this.#spares.get(spare);
    if (known === undefined || known.hand.length === 0) return;
    known.hand = known.hand.slice(1);
    this.#found(now);
    if (known.state === 'leaving') this.#patienceMs = Math.min(MOST_PATIENCE_MS, 2 * this.#patienceMs);
    if (spent) this.#recall(known, 0);
    if (known.state === 'trying' && known.hand.length === 0) known.state = 'idle';
  }

  /** A spare has ended; `condemned`: it is known which input of the key it was at did that. */
  ended(spare: number, end: 'condemned' | 'named' | 'nothing', now: number): void {
    const known = this.#spares.get(spare);
    if (known === undefined) return;
    this.#spares.delete(spare);
    const [first, ...rest] = known.hand;
    this.#waiting.unshift(...rest);
    if (first === undefined) {
      if (known.state !== 'leaving') this.#fruitless++;
    } else if (end === 'condemned') {
      this.#found(now);
      this.#waiting.unshift(first);
    } else {
      this.#fruitless++;
      if (end === 'named') this.#accused.push(first);
      else this.#waiting.unshift(first);
    }
  }

  /** No more spares are worth it. */
  giveUp(): void {
    this.#fruitless = MOST_FRUITLESS;
  }

  /** What is to be done now. */
  decide(now: number, silenceOf: SilenceOf): Decision[] {
    if (this.#isGivenUp) return [];
    if (this.outstanding > 0) this.#busyAt = now;
    const isStuck = this.outstanding > 0 && now - this.#foundAt > FRUITLESS_MS;
    if (isStuck || this.#fruitless >= MOST_FRUITLESS) {
      this.#isGivenUp = true;
      return [{ kind: 'give-up' }];
    }
    // In this order: what one gives back another may take.
    const endings = this.#endings(now, silenceOf);
    const hands = this.#hands();
    return [...endings, ...hands, ...this.#starts(now, silenceOf)];
  }

  #endings(now: number, silenceOf: SilenceOf): Decision[] {
    const decisions: Decision[] = [];
    const isOver = this.outstanding === 0 && now - this.#busyAt > REST_MS;
    for (const [spare, known] of this.#spares) {
      const end = (reason: string) => decisions.push({ kind: 'end', spare, reason });
      const { ms, verdict } = silenceOf(spare);
      if (known.state === 'starting' && now - known.startedAt > START_MS) end('its code did not load');
      else if (known.state === 'leaving' && known.hand.length === 0) end(LEFT);
      else if (known.hand.length > 0 && verdict === 'guilty') end(noProgress(verdict));
      else if (known.hand.length > 0 && verdict === 'doubtful')
        decisions.push({ kind: 'end', spare, reason: noProgress(verdict), isDoubtful: true });
      else if (isOver && known.hand.length === 0) {
        known.state = 'leaving';
        end(LEFT);
      } else if (known.hand.length > 1 && ms > this.#patienceMs) this.#recall(known, 1);
    }
    return decisions;
  }

  #hands(): Decision[] {
    const decisions: Decision[] = [];
    for (const [spare, known] of this.#spares) {
      if (known.state !== 'idle') continue;
      const suspects = this.#next(known);
      if (suspects.length === 0) continue;
      known.hand = suspects;
      known.state = 'trying';
      known.isUsed = true;
      decisions.push({ kind: 'hand', spare, suspects });
    }
    return decisions;
  }

  #next({ isUsed }: Spare): readonly Suspect[] {
    if (!isUsed && this.#accused.length > 0) return this.#accused.splice(0, 1);
    return this.#waiting.splice(0, HANDFUL);
  }

  #starts(now: number, silenceOf: SilenceOf): Decision[] {
    const able = [...this.#spares].filter(
      ([spare, { state }]) => state !== 'leaving' && silenceOf(spare).ms <= this.#patienceMs,
    );
    const isYoung = this.outstanding === 0 && now - this.#busyAt <= REST_MS;
    const wanted = this.#waiting.length > 0 || isYoung ? FIRST_SPARES : 0;
    const needsFresh = this.#accused.length > 0 && able.every(([, { isUsed }]) => isUsed);
    const missing = Math.max(wanted - able.length, needsFresh ? 1 : 0);
    const room = MOST_SPARES - this.#spares.size;
    if (missing > 0 && room === 0) return needsFresh ? this.#makeRoom() : [];
    return Array.from({ length: Math.max(0, Math.min(missing, room)) }, () => ({ kind: 'start' }));
  }

  #makeRoom(): Decision[] {
    const idle = [...this.#spares].find(([, { state }]) => state === 'idle');
    if (idle === undefined) return [];
    idle[1].state = 'leaving';
    return [{ kind: 'end', spare: idle[0], reason: LEFT }];
  }

  /** It keeps the first `keep` keys, and takes no more. */
  #recall(spare: Spare, keep: number): void {
    this.#waiting.unshift(...spare.hand.slice(keep));
    spare.hand = spare.hand.slice(0, keep);
    spare.state = 'leaving';
  }

  #found(now: number): void {
    this.#foundAt = now;
    this.#fruitless = 0;
  }
}

const LEFT = 'it is needed no more';

/**
 * How long somebody has said nothing, and whether that proves anything. Who is given no processor can say nothing:
 * what counts is the processor time that went by in silence, where the system tells it.
 */

/** `guilty`: it ran all that time; or nobody can say whether it did. `doubtful`: it waited, for whatever. */
export type SilenceVerdict = 'patience' | 'guilty' | 'doubtful';

export interface SilenceLimits {
  /** Of processor time; of wall time, where processor time is not known. */
  readonly ownMs: number;
  /** Of wall time, however little of it was spent running. */
  readonly wallMs: number;
}

export interface SpentInSilence {
  readonly wallMs: number;
  /** Processor time; undefined: not known. */
  readonly ownMs: number | undefined;
}

export function judgeSilence({ wallMs, ownMs }: SpentInSilence, limits: SilenceLimits): SilenceVerdict {
  if (wallMs <= limits.ownMs) return 'patience';
  if (ownMs === undefined || ownMs > limits.ownMs) return 'guilty';
  return wallMs > limits.wallMs ? 'doubtful' : 'patience';
}

/** Of a worker, or a spare, that is busy. */
export const AT_WORK: SilenceLimits = { ownMs: 5_000, wallMs: 30_000 };
/** Of one whose code is being loaded. */
export const AT_START: SilenceLimits = { ownMs: 30_000, wallMs: 120_000 };

export function noProgress(verdict: SilenceVerdict): string {
  return `no progress for ${(verdict === 'guilty' ? AT_WORK.ownMs : AT_WORK.wallMs) / 1000} s`;
}

/** Somebody looks again and again; what was kept from looking, from the very beginning on, was kept from hearing. */
export class Looks {
  /** A look that comes later than this is late. */
  readonly #longestMs: number;
  #lookedAt: number;

  constructor(began: number, longestMs: number) {
    this.#lookedAt = began;
    this.#longestMs = longestMs;
  }

  /** For how long nobody could be heard before this look; less than 0: so far was the clock set back. */
  pauseBefore(now: number): number {
    const since = now - this.#lookedAt;
    this.#lookedAt = now;
    return since > this.#longestMs || since < 0 ? since : 0;
  }
}

/** A shorter silence is not looked into: nearly all of them are. */
const LOOK_AFTER_MS = 500;

/**
 * Measures one silence after the other. Processor time is asked for at looks only; what went by before the first look
 * of a silence counts as if it had been spent running.
 */
export class Silence {
  readonly #now: () => number;
  /** Processor time of the silent one since it began. */
  readonly #spentMs: () => number | undefined;
  #heardAt: number;
  /** Up to the last look; undefined: not looked at since it was heard. */
  #own: { ms: number; spentMs: number } | undefined;

  constructor(now: () => number, spentMs: () => number | undefined) {
    this.#now = now;
    this.#spentMs = spentMs;
    this.#heardAt = now();
  }

  /** It said something, or has something to do only now. */
  heard(): void {
    this.#heardAt = this.#now();
    this.#own = undefined;
  }

  /** For so many milliseconds nobody could have heard it; less than 0: so far was the clock set back. */
  excuse(ms: number): void {
    if (ms === 0) return;
    this.#heardAt = Math.min(this.#now(), this.#heardAt + ms);
    const spentMs = this.#spentMs();
    this.#own = this.#own === undefined || spentMs === undefined ? undefined : { ms: this.#own.ms, spentMs };
  }

  get wallMs(): number {
    return this.#now() - this.#heardAt;
  }

  judge(limits: SilenceLimits): SilenceVerdict {
    const { wallMs } = this;
    if (wallMs < LOOK_AFTER_MS) return 'patience';
    return judgeSilence({ wallMs, ownMs: this.#look(wallMs) }, limits);
  }

  #look(wallMs: number): number | undefined {
    const spentMs = this.#spentMs();
    if (spentMs === undefined) return undefined;
    const before = this.#own ?? { ms: wallMs, spentMs };
    this.#own = { ms: before.ms + spentMs - before.spentMs, spentMs };
    return this.#own.ms;
  }
}

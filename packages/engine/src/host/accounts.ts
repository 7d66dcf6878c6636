/**
 * P9 while a run goes on: every second the equation of every node and stream is looked at, between two commits. One that
 * does not hold is an alarm: a record has disappeared, or was counted twice.
 *
 * Owns: which imbalances stand, and that each is told once. Does not own: the counters.
 */
import type { Counts, Imbalance } from './counts.ts';

export interface AccountsOptions {
  readonly counts: Pick<Counts, 'imbalances' | 'streamImbalances'>;
  /** Committed on a stream and not delivered, by plan index. */
  readonly inFlightOf: (stream: number) => number;
  /** Some records are between two counts: nothing can be said. */
  readonly isBetween?: () => boolean;
  readonly alarm: (text: string) => void;
}

const EVERY_MS = 1_000;

export class Accounts {
  readonly #options: AccountsOptions;
  readonly #told = new Set<string>();
  #standing: readonly Imbalance[] = [];
  readonly #timer: NodeJS.Timeout;

  constructor(options: AccountsOptions) {
    this.#options = options;
    this.#timer = setInterval(() => this.look(), EVERY_MS);
  }

  /** In words, as of the last look. */
  get standing(): string[] {
    return this.#standing.map(({ text }) => text);
  }

  look(): void {
    const { counts, inFlightOf, isBetween, alarm } = this.#options;
    if (isBetween?.() === true) return;
    this.#standing = [...counts.imbalances(), ...counts.streamImbalances(inFlightOf)];
    for (const { of, text } of this.#standing) {
      // Its numbers go on changing; it is one fault.
      if (!this.#told.has(of)) alarm(text);
      this.#told.add(of);
    }
  }

  /** The run is over: what it leaves is looked at, too. */
  close(): void {
    clearInterval(this.#timer);
    this.look();
  }
}

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
  /**
   * Whether this host has committed since it read the counts. One that was frozen while it read has some from before
   * another took over and some from after; it is refused as soon as it writes.
   */
  readonly isOwner?: () => boolean;
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
    const { isBetween, isOwner } = this.#options;
    if (isBetween?.() !== true && isOwner?.() !== false) this.#compare();
  }

  #compare(): void {
    const { counts, inFlightOf, alarm } = this.#options;
    this.#standing = [...counts.imbalances(), ...counts.streamImbalances(inFlightOf)];
    for (const { of, text } of this.#standing) {
      // Its numbers go on changing; it is one fault.
      if (!this.#told.has(of)) alarm(text);
      this.#told.add(of);
    }
  }

  /** The run is over: what it leaves is looked at, too. `isFenced`: what that is, another host knows. */
  close(isFenced = false): void {
    clearInterval(this.#timer);
    if (!isFenced) this.look();
  }
}

/** How much one connection and one account may hold open and ask for. */
import type { Actor } from '../http/actor.ts';

export const CAPS = {
  socketsInAll: 1_000,
  socketsOfAccount: 24,
  viewsOfSocket: 32,
  tapsOfSocket: 8,
  logsOfSocket: 4,
  tapsOfAccount: 16,
  filtersOfAccount: 4,
  /** Events a second, and at once. Somebody who types, drags and is looked at sends some thirty. */
  eventsPerSecond: 60,
  eventsAtOnce: 200,
} as const;

/** Counts things by account. */
export class AccountTally {
  readonly #most: number;
  readonly #counts = new Map<string, number>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Returns how to give it back, once; undefined when there is no room. */
  take(actor: Actor): (() => void) | undefined {
    const account = actor.kind === 'nobody' ? '' : actor.account;
    const count = this.#counts.get(account) ?? 0;
    if (count >= this.#most) return undefined;
    this.#counts.set(account, count + 1);
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      const left = (this.#counts.get(account) ?? 1) - 1;
      if (left > 0) this.#counts.set(account, left);
      else this.#counts.delete(account);
    };
  }
}

/** A bucket of events that refills. */
export class EventBudget {
  #left: number = CAPS.eventsAtOnce;
  #at: number;
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#at = now();
  }

  /** False once a client sends more than anybody clicks. */
  spend(): boolean {
    const now = this.#now();
    this.#left = Math.min(CAPS.eventsAtOnce, this.#left + ((now - this.#at) / 1000) * CAPS.eventsPerSecond);
    this.#at = now;
    return --this.#left >= 0;
  }
}

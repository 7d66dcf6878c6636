/**
 * Lets what has come be received while a bundle is being made.
 *
 * Whoever reads the pipe gets a turn only when the data plane waits, and the pipe holds little: a worker that never waits
 * finds it empty again and again, and has to wait for the host each time.
 *
 * Invariant BR1: between two passes, at most once a millisecond, and not while enough lies here unread: what is in the
 * worker's memory for long costs it, and the host's answers come close behind what is in the pipe.
 */
const ENOUGH_BYTES = 4 * 1024 * 1024;

export class Breath {
  readonly #now: () => number;
  readonly #breathe: (() => Promise<void>) | undefined;
  #lastAt = 0;

  /** `breathe`: gives a turn to whoever reads the pipe. Missing where frames come by themselves. */
  constructor(now: () => number, breathe: (() => Promise<void>) | undefined) {
    this.#now = now;
    this.#breathe = breathe;
  }

  /** Undefined: go on at once. */
  take(unreadBytes: number): Promise<void> | undefined {
    if (this.#breathe === undefined || unreadBytes >= ENOUGH_BYTES) return undefined;
    const now = this.#now();
    // A clock that is set back must not stop it for long.
    if (Math.abs(now - this.#lastAt) < 1) return undefined;
    this.#lastAt = now;
    return this.#breathe();
  }
}

/**
 * When what is with a worker came in: wall time at which a source gave it, or at which the oldest input came in of the
 * bundle that made it. For latencies people look at; nothing is decided by it.
 */
export class InputOrigins {
  #waiting: { readonly sequence: number; readonly at: number }[] = [];

  add(sequence: number, at: number): void {
    this.#waiting.push({ sequence, at });
  }

  /** Of a bundle that finishes input up to `through`: its oldest. One in the middle of a chunk has that chunk's. */
  take(through: number): number | undefined {
    let oldest = this.#waiting[0]?.at;
    let done = 0;
    for (const { sequence, at } of this.#waiting) {
      if (sequence > through) break;
      if (oldest === undefined || at < oldest) oldest = at;
      done++;
    }
    if (done > 0) this.#waiting = this.#waiting.slice(done);
    return oldest;
  }
}

/** How long the stages ran, for "busy": told to the host now and then, when there is something to tell. */

const EVERY_MS = 250;

export class Effort {
  readonly #now: () => number;
  readonly #spentMs: Float64Array;
  #toldAt = 0;
  #worked = false;

  constructor(now: () => number, nodes: number) {
    this.#now = now;
    this.#spentMs = new Float64Array(nodes);
  }

  /** A clock of whole milliseconds will do: what one stage gains at a tick another loses. */
  of<T>(node: number, work: () => T): T {
    const started = this.#now();
    try {
      return work();
    } finally {
      const took = this.#now() - started;
      // A wall clock may go back.
      if (took > 0) {
        this.#spentMs[node] = (this.#spentMs[node] as number) + took;
        this.#worked = true;
      }
    }
  }

  /** By plan index, since the last time; undefined when it is too soon or nothing was done. */
  take(): number[] | undefined {
    const now = this.#now();
    if (!this.#worked || Math.abs(now - this.#toldAt) < EVERY_MS) return undefined;
    this.#toldAt = now;
    this.#worked = false;
    const spent = Array.from(this.#spentMs, Math.round);
    this.#spentMs.fill(0);
    return spent;
  }
}

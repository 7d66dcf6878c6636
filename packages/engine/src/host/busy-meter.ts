/** The time workers say their stages took. They may lie about it: it is shown, and nothing is decided by it. */

/** Of one report; a stage that ran longer has its worker killed (P8). */
const MOST_MS = 60_000;

export class BusyMeter {
  readonly #ms: Float64Array;

  constructor(nodes: number) {
    this.#ms = new Float64Array(nodes);
  }

  /** By plan index. */
  take(spentMs: readonly number[]): void {
    const length = Math.min(spentMs.length, this.#ms.length);
    for (let i = 0; i < length; i++)
      this.#ms[i] = (this.#ms[i] as number) + Math.min(MOST_MS, spentMs[i] as number);
  }

  msOf(node: number): number {
    return this.#ms[node] ?? 0;
  }
}

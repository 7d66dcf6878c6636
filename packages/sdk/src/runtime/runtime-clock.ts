/**
 * What time it is for one computation: its input watermark, what it has published, the wall clock as its
 * handlers see it.
 *
 * Does not own: holds, timers, or when to publish.
 */
export class RuntimeClock {
  /** What this computation has told its consumers; only the driver moves it. */
  published: number | undefined;

  readonly #wall: () => number;
  #input: number | undefined;
  /** The last input watermark that was a time, for wall timers after the end. */
  #lastFinite: number | undefined;
  #virtualNow: number | undefined;

  constructor(wall: () => number) {
    this.#wall = wall;
  }

  /** `Infinity` = ended. */
  get input(): number | undefined {
    return this.#input;
  }

  /** Raises the input watermark; false for one that is not higher (W3). */
  raise(watermark: number): boolean {
    if (this.#input !== undefined && watermark <= this.#input) return false;
    this.#input = watermark;
    if (watermark !== Number.POSITIVE_INFINITY) this.#lastFinite = watermark;
    return true;
  }

  /** Wall time in ms; inside `at` the time given there. */
  now(): number {
    return this.#virtualNow ?? this.#wall();
  }

  /** Runs `work` as if it were `time` (W6). */
  at(time: number, work: () => void): void {
    this.#virtualNow = time;
    try {
      work();
    } finally {
      this.#virtualNow = undefined;
    }
  }

  /** Default timestamp of what a wall timer without a hold produces (W2); with no watermark yet, now. */
  timeOfWallFiring(): number {
    const watermark = this.#input;
    if (watermark === undefined) return Math.floor(this.now());
    return watermark === Number.POSITIVE_INFINITY ? (this.#lastFinite ?? Math.floor(this.now())) : watermark;
  }
}

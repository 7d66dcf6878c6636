/** Bytes that may be held at a time; a budget may draw on another one that several share. */
export class ByteBudget {
  readonly #most: number;
  readonly #shared: ByteBudget | undefined;
  #held = 0;

  constructor(most: number, shared?: ByteBudget) {
    this.#most = most;
    this.#shared = shared;
  }

  get held(): number {
    return this.#held;
  }

  /** False: there is no room, and nothing is taken. */
  take(bytes: number): boolean {
    if (this.#held + bytes > this.#most) return false;
    if (this.#shared !== undefined && !this.#shared.take(bytes)) return false;
    this.#held += bytes;
    return true;
  }

  give(bytes: number): void {
    this.#held -= bytes;
    this.#shared?.give(bytes);
  }
}

/** How far a partition's bytes are committed: whoever hands them over may wait until all of them are. */
export class TakenUp {
  #offset = 0;
  #waiting: { readonly offset: number; readonly resolve: () => void }[] = [];

  committed(offset: number): void {
    this.#offset = Math.max(this.#offset, offset);
    const [reached, open] = [true, false].map((isReached) =>
      this.#waiting.filter((each) => each.offset <= this.#offset === isReached),
    );
    this.#waiting = open ?? [];
    for (const { resolve } of reached ?? []) resolve();
  }

  /** Also when the signal aborts. */
  async upTo(offset: number, signal: AbortSignal): Promise<void> {
    if (offset <= this.#offset || signal.aborted) return;
    await new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve(), { once: true });
      this.#waiting.push({ offset, resolve });
    });
  }
}

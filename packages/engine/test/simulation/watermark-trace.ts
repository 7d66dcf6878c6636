/** W3: what hosts say of committed watermarks, in the order of the log. */
import type { Watermark } from '@millrace/protocol';

export class WatermarkTrace {
  readonly problems: string[] = [];
  #position = 0;
  #slots = 0;
  /** By slot and node. */
  #last: (number | undefined)[][] = [];

  committed(position: number, slot: number, slots: number, watermarks: readonly Watermark[]): void {
    // A frozen host may tell of its last commit when another has gone on.
    if (position <= this.#position) return;
    this.#position = position;
    if (slots !== this.#slots) this.#changeSlots(slots);
    const last = this.#last[slot] ?? [];
    watermarks.forEach((watermark, node) => {
      const time = watermark?.kind === 'at' ? watermark.time : undefined;
      if (time === undefined) return;
      const before = last[node];
      if (before !== undefined && time < before)
        this.problems.push(`watermark of node ${node} at slot ${slot} went back from ${before} to ${time}`);
      last[node] = time;
    });
    this.#last[slot] = last;
  }

  /** New slots start at the minimum of the old ones. */
  #changeSlots(slots: number): void {
    const nodes = Math.max(0, ...this.#last.map((of) => of?.length ?? 0));
    const least = Array.from({ length: nodes }, (_, node) => {
      const times = this.#last.slice(0, this.#slots).map((of) => of?.[node]);
      return times.some((time) => time === undefined) ? undefined : Math.min(...(times as number[]));
    });
    this.#slots = slots;
    this.#last = Array.from({ length: slots }, () => [...least]);
  }
}

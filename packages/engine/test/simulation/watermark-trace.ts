/** W3: what hosts say of committed watermarks, in the order of the log. */
import type { Watermark } from '@millrace/protocol';

export class WatermarkTrace {
  readonly problems: string[] = [];
  #position = 0;
  #slots = 0;
  readonly #keysMove: boolean;
  readonly #slotsJoin: boolean;
  /** By slot and node. */
  #last: Map<string, number>[] = [];

  /**
   * `keysMove`: where a slot takes keys over it goes down, no further than where their old owner stands (WA3).
   * `slotsJoin`: one that comes while the others go on has no keys, and what it says holds nobody.
   */
  constructor(keysMove = false, slotsJoin = false) {
    this.#keysMove = keysMove;
    this.#slotsJoin = slotsJoin;
  }

  committed(
    position: number,
    slot: number,
    slots: number,
    watermarks: ReadonlyMap<string, Watermark | undefined>,
  ): void {
    // A frozen host may tell of its last commit when another has gone on.
    if (position <= this.#position) return;
    this.#position = position;
    if (slots !== this.#slots) this.#changeSlots(slots);
    // What is absent from a version begins anew when it comes back.
    for (const of of this.#last) for (const node of of.keys()) if (!watermarks.has(node)) of.delete(node);
    const last = this.#last[slot] ?? new Map<string, number>();
    for (const [node, watermark] of watermarks) {
      const time = watermark?.kind === 'at' ? watermark.time : undefined;
      if (time === undefined) continue;
      const before = last.get(node);
      if (before !== undefined && time < before && !this.#isInherited(slot, node, time))
        this.problems.push(`watermark of ${node} at slot ${slot} went back from ${before} to ${time}`);
      last.set(node, time);
    }
    this.#last[slot] = last;
  }

  #isInherited(slot: number, node: string, time: number): boolean {
    return (
      this.#keysMove &&
      this.#last.some((of, other) => other !== slot && (of.get(node) ?? Number.NEGATIVE_INFINITY) <= time)
    );
  }

  /** New slots start at the minimum of the old ones. */
  #changeSlots(slots: number): void {
    const old = Array.from(
      { length: this.#slots },
      (_, slot) => this.#last[slot] ?? new Map<string, number>(),
    );
    const least = new Map<string, number>();
    for (const node of new Set(old.flatMap((of) => [...of.keys()]))) {
      const times = old.map((of) => of.get(node));
      if (times.every((time) => time !== undefined)) least.set(node, Math.min(...times));
    }
    const joined = this.#slotsJoin ? this.#slots : slots;
    this.#slots = slots;
    this.#last = Array.from({ length: slots }, (_, slot) => new Map(slot < joined ? least : []));
  }
}

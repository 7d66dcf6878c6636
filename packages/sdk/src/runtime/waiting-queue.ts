/**
 * The inputs that one key cannot finish yet, in order. A hot key whose content must be fetched may have a whole bundle of
 * them, so what is done for each must not take longer the more there are.
 *
 * Invariant WQ1: `#minima` holds, in order, every item with a hold that no later item has a smaller one than. So the
 * first of them has the least hold of all.
 */
import type { WaitingInput } from './key-entry.ts';

/** Places in front of the first item that are kept until they are worth a copy. */
const MOST_EMPTY = 1024;

export class WaitingQueue {
  #items: WaitingInput[] = [];
  /** Where the first item is; what lies before it has left. */
  #head = 0;
  #minima: WaitingInput[] = [];
  #minimaHead = 0;

  get length(): number {
    return this.#items.length - this.#head;
  }

  get first(): WaitingInput | undefined {
    return this.#items[this.#head];
  }

  /** Least event time at which an on-time record among them holds its key's watermark. */
  get oldestHold(): number | undefined {
    return this.#minima[this.#minimaHead]?.hold;
  }

  push(item: WaitingInput): void {
    this.#items.push(item);
    this.#see(item);
  }

  /** In front of all others; it has no hold. */
  unshift(item: WaitingInput): void {
    if (this.#head === 0) this.#items.unshift(item);
    else this.#items[--this.#head] = item;
  }

  remove(item: WaitingInput): void {
    if (item !== this.first) {
      const at = this.#items.indexOf(item, this.#head);
      if (at < 0) return;
      this.#items.splice(at, 1);
      this.#seeAll();
      return;
    }
    this.#head++;
    if (this.#minima[this.#minimaHead] === item) this.#minimaHead++;
    if (this.#head < MOST_EMPTY || this.#head * 2 < this.#items.length) return;
    this.#items = this.#items.slice(this.#head);
    this.#head = 0;
    this.#minima = this.#minima.slice(this.#minimaHead);
    this.#minimaHead = 0;
  }

  *[Symbol.iterator](): Generator<WaitingInput> {
    for (let at = this.#head; at < this.#items.length; at++) yield this.#items[at] as WaitingInput;
  }

  #see(item: WaitingInput): void {
    const { hold } = item;
    if (hold === undefined) return;
    const minima = this.#minima;
    while (minima.length > this.#minimaHead && (minima.at(-1)?.hold as number) > hold) minima.pop();
    minima.push(item);
  }

  #seeAll(): void {
    this.#minima = [];
    this.#minimaHead = 0;
    for (const item of this) this.#see(item);
  }
}

/**
 * A multiset of event times with its minimum: everything that holds a computation's output watermark (W1).
 * Removal is lazy: a time whose count fell to zero leaves the heap when it reaches the top.
 */
export class HoldSet {
  readonly #counts = new Map<number, number>();
  readonly #heap: number[] = [];
  /** No hold that is not in memory is earlier than this; undefined: there is none. */
  beyond: number | undefined;

  add(time: number): void {
    const count = this.#counts.get(time);
    if (count === undefined) push(this.#heap, time);
    this.#counts.set(time, (count ?? 0) + 1);
  }

  remove(time: number): void {
    const count = this.#counts.get(time);
    if (count === undefined || count === 0) throw new Error(`hold at ${time} is removed but was never added`);
    // Zero stays in the map until the heap drops it, so that `add` does not push the same time twice.
    this.#counts.set(time, count - 1);
  }

  /** `undefined` when nothing holds. */
  min(): number | undefined {
    const least = this.#least();
    const { beyond } = this;
    return least === undefined || (beyond !== undefined && beyond < least) ? beyond : least;
  }

  #least(): number | undefined {
    const heap = this.#heap;
    while (heap.length > 0) {
      const top = heap[0] as number;
      if (this.#counts.get(top) !== 0) return top;
      this.#counts.delete(top);
      pop(heap);
    }
    return undefined;
  }
}

function push(heap: number[], time: number): void {
  let i = heap.length;
  heap.push(time);
  while (i > 0) {
    const parent = (i - 1) >> 1;
    if ((heap[parent] as number) <= time) break;
    heap[i] = heap[parent] as number;
    i = parent;
  }
  heap[i] = time;
}

function pop(heap: number[]): void {
  const last = heap.pop() as number;
  const size = heap.length;
  if (size === 0) return;
  let i = 0;
  for (;;) {
    let child = 2 * i + 1;
    if (child >= size) break;
    if (child + 1 < size && (heap[child + 1] as number) < (heap[child] as number)) child++;
    if ((heap[child] as number) >= last) break;
    heap[i] = heap[child] as number;
    i = child;
  }
  heap[i] = last;
}

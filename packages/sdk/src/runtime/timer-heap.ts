import type { TimerEntry } from './key-entry.ts';

const SAMPLE = 512;

/**
 * Armed timers of one clock, by (time, order of arming). Cleared and replaced timers stay until they surface
 * (`live` is false); a call that throws may make one live again, which is safe because nothing is popped
 * while a call runs.
 *
 * Timers that are pushed one after the other for the same time, as those of one window of many keys are, make a chain
 * of which only the head lies in the heap: to append to it and to take from it costs the same however many there are.
 *
 * Invariant TH1: the orders along a chain rise. So the least of all heads is the least of all timers.
 */
export class TimerHeap {
  #heap: TimerEntry[] = [];
  /** The end of the chain that grew last. */
  #tail: TimerEntry | undefined;
  #size = 0;

  /** Those that are not live included. */
  get size(): number {
    return this.#size;
  }

  /** Drops those that are not live; never while a call runs. */
  prune(): void {
    const live = this.#all().filter((timer) => timer.live);
    this.#heap = [];
    this.#tail = undefined;
    this.#size = 0;
    for (const timer of live) {
      timer.behind = undefined;
      this.push(timer);
    }
  }

  /** Some of the live ones, evenly chosen. */
  sample(): TimerEntry[] {
    const step = Math.max(1, Math.floor(this.#size / SAMPLE));
    return this.#all().filter((timer, i) => i % step === 0 && timer.live);
  }

  push(timer: TimerEntry): void {
    const tail = this.#tail;
    this.#tail = timer;
    this.#size++;
    if (tail !== undefined && tail.time === timer.time && tail.order < timer.order) tail.behind = timer;
    else siftUp(this.#heap, timer);
  }

  /** The earliest live timer, left in place. */
  peek(): TimerEntry | undefined {
    for (;;) {
      const top = this.#heap[0];
      if (top === undefined || top.live) return top;
      this.pop();
    }
  }

  pop(): TimerEntry | undefined {
    const heap = this.#heap;
    const top = heap[0];
    if (top === undefined) return undefined;
    this.#size--;
    const { behind } = top;
    if (behind !== undefined) {
      top.behind = undefined;
      siftDown(heap, behind);
      return top;
    }
    if (top === this.#tail) this.#tail = undefined;
    const last = heap.pop() as TimerEntry;
    if (heap.length > 0) siftDown(heap, last);
    return top;
  }

  /** In no order. */
  #all(): TimerEntry[] {
    const all: TimerEntry[] = [];
    for (const head of this.#heap)
      for (let timer: TimerEntry | undefined = head; timer !== undefined; timer = timer.behind)
        all.push(timer);
    return all;
  }
}

function siftUp(heap: TimerEntry[], timer: TimerEntry): void {
  let i = heap.length;
  heap.push(timer);
  while (i > 0) {
    const parent = (i - 1) >> 1;
    if (!before(timer, heap[parent] as TimerEntry)) break;
    heap[i] = heap[parent] as TimerEntry;
    i = parent;
  }
  heap[i] = timer;
}

/** Puts a timer in the place of the first. */
function siftDown(heap: TimerEntry[], timer: TimerEntry): void {
  const size = heap.length;
  let i = 0;
  for (;;) {
    let child = 2 * i + 1;
    if (child >= size) break;
    if (child + 1 < size && before(heap[child + 1] as TimerEntry, heap[child] as TimerEntry)) child++;
    if (!before(heap[child] as TimerEntry, timer)) break;
    heap[i] = heap[child] as TimerEntry;
    i = child;
  }
  heap[i] = timer;
}

function before(a: TimerEntry, b: TimerEntry): boolean {
  return a.time !== b.time ? a.time < b.time : a.order < b.order;
}

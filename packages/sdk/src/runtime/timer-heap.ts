import type { TimerEntry } from './key-entry.ts';

const SAMPLE = 512;

/**
 * Armed timers of one clock, by (time, order of arming). Cleared and replaced timers stay until they surface
 * (`live` is false); a call that throws may make one live again, which is safe because nothing is popped
 * while a call runs.
 */
export class TimerHeap {
  #heap: TimerEntry[] = [];

  /** Those that are not live included. */
  get size(): number {
    return this.#heap.length;
  }

  /** Drops those that are not live; never while a call runs. */
  prune(): void {
    const live = this.#heap.filter((timer) => timer.live);
    this.#heap = [];
    for (const timer of live) this.push(timer);
  }

  /** Some of the live ones, evenly chosen. */
  sample(): TimerEntry[] {
    const step = Math.max(1, Math.floor(this.#heap.length / SAMPLE));
    return this.#heap.filter((timer, i) => i % step === 0 && timer.live);
  }

  push(timer: TimerEntry): void {
    const heap = this.#heap;
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
    const last = heap.pop();
    const size = heap.length;
    if (size === 0 || last === undefined) return top;
    let i = 0;
    for (;;) {
      let child = 2 * i + 1;
      if (child >= size) break;
      if (child + 1 < size && before(heap[child + 1] as TimerEntry, heap[child] as TimerEntry)) child++;
      if (!before(heap[child] as TimerEntry, last)) break;
      heap[i] = heap[child] as TimerEntry;
      i = child;
    }
    heap[i] = last;
    return top;
  }
}

function before(a: TimerEntry, b: TimerEntry): boolean {
  return a.time !== b.time ? a.time < b.time : a.order < b.order;
}

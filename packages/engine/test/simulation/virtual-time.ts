/**
 * Time, and who may act in it. While it is installed every timer of this process is an event in virtual time: a run of
 * minutes takes as long as its code takes, and one seed is one order of events.
 *
 * Owns: the queue of events, the clock, the processes that are simulated. An event is a process's, and so is all that
 * follows of it up to the next one: whoever waits for a promise is told in an event of his own.
 * Does not own: what happens in them.
 *
 * Invariants
 *   VT1  an event runs only when all promises that could be settled are: nothing but events makes anything happen.
 *   VT2  what a dead process still has to do is never done; what a frozen one has to do waits until it is thawed.
 */
interface Event {
  readonly at: number;
  readonly order: number;
  readonly process: SimulatedProcess | undefined;
  readonly run: () => void;
  isOff: boolean;
}

export class SimulatedProcess {
  readonly name: string;
  readonly #parent: SimulatedProcess | undefined;
  #state: 'running' | 'frozen' | 'dead' = 'running';
  #later: Event[] = [];
  /** Until then nothing that it has sent arrives anywhere. */
  wireHeldUntil = 0;
  /** Since when it has run in one call, by virtual time. */
  hangsSince: number | undefined;

  constructor(name: string, parent?: SimulatedProcess) {
    this.name = name;
    this.#parent = parent;
  }

  get isDead(): boolean {
    return this.#state === 'dead' || this.#parent?.isDead === true;
  }

  get isFrozen(): boolean {
    return this.#state === 'frozen';
  }

  kill(): void {
    this.#state = 'dead';
    this.#later = [];
  }

  freeze(): void {
    if (!this.isDead) this.#state = 'frozen';
  }

  /** It runs for ever in the call it is in: nothing else of it happens, and it is not thawed. */
  hang(now: number): void {
    this.freeze();
    this.hangsSince = now;
  }

  get hangs(): boolean {
    return this.hangsSince !== undefined;
  }

  /** What it would have done meanwhile, in its order. */
  thaw(): readonly Event[] {
    if (this.#state !== 'frozen' || this.hangs) return [];
    this.#state = 'running';
    return this.#later.splice(0);
  }

  keep(event: Event): void {
    this.#later.push(event);
  }
}

/** As Node's own, for code that calls them. */
class Handle {
  readonly event: Event;
  again: (() => void) | undefined;
  constructor(event: Event) {
    this.event = event;
  }
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }
  hasRef(): boolean {
    return true;
  }
}

const REAL = {
  setTimeout: globalThis.setTimeout,
  clearTimeout: globalThis.clearTimeout,
  setInterval: globalThis.setInterval,
  clearInterval: globalThis.clearInterval,
  setImmediate: globalThis.setImmediate,
  clearImmediate: globalThis.clearImmediate,
} as const;
const realDateNow = Date.now;
const realPerformanceNow = performance.now;
/** What an event costs: a loop without a pause gets somewhere, too. */
const EVENT_MS = 0.002;

export class VirtualTime {
  readonly #start: number;
  #now: number;
  #order = 0;
  #events = 0;
  readonly #heap: Event[] = [];
  #running: SimulatedProcess | undefined;

  constructor(start: number) {
    this.#start = start;
    this.#now = start;
  }

  get now(): number {
    return Math.floor(this.#now);
  }

  /** In ms. */
  get elapsed(): number {
    return this.#now - this.#start;
  }

  get events(): number {
    return this.#events;
  }

  /** In a process, or in none: the world's. */
  at(at: number, process: SimulatedProcess | undefined, run: () => void): void {
    this.#add(at, process, run);
  }

  after(ms: number, process: SimulatedProcess | undefined, run: () => void): void {
    this.#add(this.#now + ms, process, run);
  }

  thaw(process: SimulatedProcess): void {
    for (const { run, isOff } of process.thaw()) if (!isOff) this.#add(this.#now, process, run);
  }

  /** Until `isOver`, or nothing is left to happen, or `limitMs` of virtual time have gone by. */
  async run(isOver: () => boolean, limitMs: number): Promise<'over' | 'nothing left' | 'too late'> {
    this.#install();
    try {
      for (;;) {
        await new Promise((resolve) => REAL.setImmediate(resolve));
        if (isOver()) return 'over';
        const event = this.#pop();
        if (event === undefined) return 'nothing left';
        if (event.at - this.#start > limitMs) return 'too late';
        this.#now = Math.max(this.#now, event.at) + EVENT_MS;
        this.#happen(event);
      }
    } finally {
      this.#uninstall();
    }
  }

  /** VT2 */
  #happen(event: Event): void {
    const { process, run, isOff } = event;
    if (isOff || process?.isDead === true) return;
    if (process?.isFrozen === true) return process.keep(event);
    this.#events++;
    this.#running = process;
    run();
  }

  // ---- timers of the code that runs -------------------------------------------------------------------

  #install(): void {
    const timer = (run: (...args: unknown[]) => void, ms: number | undefined, args: unknown[]): Handle =>
      new Handle(this.#add(this.#now + Math.max(0, ms ?? 0), this.#running, () => run(...args)));
    const clear = (handle: unknown): void => {
      if (handle instanceof Handle) handle.again = undefined;
      if (handle instanceof Handle) handle.event.isOff = true;
    };
    const every = (run: () => void, ms: number): Handle => {
      const process = this.#running;
      const next = (): Event =>
        this.#add(this.#now + Math.max(1, ms), process, () => {
          if (handle.again === undefined) return;
          run();
          handle.again?.();
        });
      const handle = new Handle(next());
      handle.again = () => void next();
      return handle;
    };
    Object.assign(globalThis, {
      setTimeout: (run: () => void, ms?: number, ...args: unknown[]) => timer(run, ms, args),
      setImmediate: (run: () => void, ...args: unknown[]) => timer(run, 0, args),
      setInterval: every,
      clearTimeout: clear,
      clearInterval: clear,
      clearImmediate: clear,
    });
    Date.now = () => this.now;
    performance.now = () => this.elapsed;
  }

  #uninstall(): void {
    Object.assign(globalThis, REAL);
    Date.now = realDateNow;
    performance.now = realPerformanceNow;
  }

  // ---- the queue: a binary heap by time, then by order ------------------------------------------------

  #add(at: number, process: SimulatedProcess | undefined, run: () => void): Event {
    const event: Event = { at, order: this.#order++, process, run, isOff: false };
    const heap = this.#heap;
    let i = heap.length;
    heap.push(event);
    while (i > 0) {
      const parent = (i - 1) >> 1;
      if (!isBefore(event, heap[parent] as Event)) break;
      heap[i] = heap[parent] as Event;
      i = parent;
    }
    heap[i] = event;
    return event;
  }

  #pop(): Event | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (first === undefined || last === undefined || heap.length === 0) return first;
    let i = 0;
    for (;;) {
      let child = 2 * i + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1] as Event, heap[child] as Event)) child++;
      if (!isBefore(heap[child] as Event, last)) break;
      heap[i] = heap[child] as Event;
      i = child;
    }
    heap[i] = last;
    return first;
  }
}

function isBefore(a: Event, b: Event): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order);
}

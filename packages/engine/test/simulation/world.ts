/** What all processes of one run share: time, chance, and how long things take. */
import type { SeededRandom } from '../seeded-random.ts';
import { type SimulatedProcess, VirtualTime } from './virtual-time.ts';

export const WORLD_START = 1_700_000_000_000;

/** What may be slow for a while. */
export type Way = 'store' | 'frames' | 'sinks';

/** Usual times of one way, in ms, and how often it takes much longer. */
const TIMES: Readonly<Record<Way, { least: number; most: number; rare: number; long: number }>> = {
  store: { least: 0.1, most: 2, rare: 0.01, long: 200 },
  frames: { least: 0.01, most: 0.5, rare: 0.005, long: 100 },
  sinks: { least: 0.2, most: 5, rare: 0.01, long: 500 },
};

export class World {
  readonly time = new VirtualTime(WORLD_START);
  readonly random: SeededRandom;
  readonly #slow = new Map<Way, number>();
  /** Until when the database is away. */
  databaseBackAt = 0;

  constructor(random: SeededRandom) {
    this.random = random;
  }

  slow(way: Way, factor: number): void {
    this.#slow.set(way, factor);
  }

  /** In ms. */
  latency(way: Way): number {
    const { least, most, rare, long } = TIMES[way];
    const usual = least + this.random.next() * (most - least);
    const ms = this.random.chance(rare) ? usual + this.random.next() * long : usual;
    return ms * (this.#slow.get(way) ?? 1);
  }

  /**
   * A request of `process` over a way, and its answer. What was sent arrives even if the sender dies meanwhile; the
   * answer reaches it only if it lives. While the database is away it is sent again, by a sender that lives.
   */
  call<T>(process: SimulatedProcess, way: Way, work: () => Promise<T> | T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const answer = (tell: () => void): void => this.time.after(this.latency(way), process, tell);
      const arrive = (): void => {
        if (this.time.now < process.wireHeldUntil)
          return this.time.at(process.wireHeldUntil + this.latency(way), undefined, arrive);
        if (this.time.now < this.databaseBackAt) {
          if (!process.isDead) this.time.after(20 + this.latency(way), undefined, arrive);
          return;
        }
        Promise.resolve()
          .then(work)
          .then(
            (value) => answer(() => resolve(value)),
            (error: unknown) => answer(() => reject(error)),
          );
      };
      if (!process.isDead) this.time.after(this.latency(way), undefined, arrive);
    });
  }

  /** Over early when `signal` aborts. */
  pause(process: SimulatedProcess, ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const over = (): void => {
        signal?.removeEventListener('abort', over);
        resolve();
      };
      this.time.after(ms, process, over);
      signal?.addEventListener('abort', over);
    });
  }
}

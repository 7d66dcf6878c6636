/** How long commits take and how many bundles they carry. */
import type { CommitProgress } from './run-options.ts';

const KEPT = 256;

export class CommitMeter {
  /** The latest latencies, in a ring. */
  readonly #latencies = new Float64Array(KEPT);
  #transactions = 0;
  bundles = 0;
  /** When the last one was, by `performance.now`. */
  lastAt = Number.NEGATIVE_INFINITY;

  took(ms: number, bundles: number): void {
    this.#latencies[this.#transactions % KEPT] = ms;
    this.#transactions++;
    this.bundles += bundles;
    this.lastAt = performance.now();
  }

  percentiles(): Pick<CommitProgress, 'p50Ms' | 'p95Ms' | 'p99Ms'> {
    if (this.#transactions === 0) return {};
    const sorted = this.#latencies.slice(0, Math.min(KEPT, this.#transactions)).sort();
    const at = (share: number) => sorted[Math.ceil(share * sorted.length) - 1] as number;
    return { p50Ms: at(0.5), p95Ms: at(0.95), p99Ms: at(0.99) };
  }
}

/**
 * How long records took from their arrival at an injector until a node's work on them was committed, in ms. One sample
 * a bundle and node, of the bundle's oldest input: an upper bound for the others, and it costs next to nothing.
 */
export interface Quantiles {
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
}

const KEPT = 256;
/** Older samples say nothing of now. */
const WINDOW_MS = 10_000;
const AGAIN_MS = 500;

interface Ring {
  readonly ms: Float64Array;
  readonly at: Float64Array;
  count: number;
  readAt: number;
  last: Quantiles | undefined;
}

export class LatencyMeter {
  readonly #rings = new Map<number, Ring>();

  took(node: number, ms: number, now: number): void {
    let ring = this.#rings.get(node);
    if (ring === undefined) {
      ring = { ms: new Float64Array(KEPT), at: new Float64Array(KEPT), count: 0, readAt: 0, last: undefined };
      this.#rings.set(node, ring);
    }
    ring.ms[ring.count % KEPT] = Math.max(0, ms);
    ring.at[ring.count % KEPT] = now;
    ring.count++;
  }

  /** Undefined: nothing was processed lately. */
  of(node: number, now: number): Quantiles | undefined {
    const ring = this.#rings.get(node);
    if (ring === undefined) return undefined;
    // Whoever watches asks ten times a second, of every node.
    if (now - ring.readAt < AGAIN_MS) return ring.last;
    ring.readAt = now;
    ring.last = quantiles(ring, now);
    return ring.last;
  }
}

function quantiles({ ms, at, count }: Ring, now: number): Quantiles | undefined {
  const known = Math.min(KEPT, count);
  const recent = ms.subarray(0, known).filter((_, i) => now - (at[i] as number) <= WINDOW_MS);
  if (recent.length === 0) return undefined;
  recent.sort();
  const share = (part: number) => recent[Math.ceil(part * recent.length) - 1] as number;
  return { p50Ms: share(0.5), p95Ms: share(0.95), p99Ms: share(0.99) };
}

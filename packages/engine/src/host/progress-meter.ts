/** Turns committed counters into what people watch: rates, watermarks, backlog; as often as somebody looks. */
import type { Counts } from './counts.ts';
import type { PipelineHost } from './pipeline-host.ts';
import type { NodeCounts, RunOptions } from './run-options.ts';

const EVERY_MS = 100;
/** Rates are taken over this long, so that they neither jump nor lag. */
const WINDOW_MS = 1_000;

export class ProgressMeter {
  readonly #options: RunOptions;
  readonly #counts: Counts;
  readonly #host: PipelineHost;
  #timer: NodeJS.Timeout | undefined;
  readonly #waitingSince = new Map<number, number>();
  #closed = false;
  #samples: { at: number; nodes: readonly NodeCounts[] }[] = [];

  constructor(options: RunOptions, counts: Counts, host: PipelineHost, everyMs = EVERY_MS) {
    this.#options = options;
    this.#counts = counts;
    this.#host = host;
    this.every(everyMs);
  }

  every(ms: number): void {
    if (this.#options.onProgress === undefined || this.#closed) return;
    clearInterval(this.#timer);
    this.#timer = setInterval(() => this.#report(), ms);
  }

  /** What waits in a worker is as old as the first moment at which it was seen to wait. */
  #workLag(index: number, { waiting }: NodeCounts, wall: number): { workLagMs?: number } {
    if (waiting === 0) this.#waitingSince.delete(index);
    else if (!this.#waitingSince.has(index)) this.#waitingSince.set(index, wall);
    const since = Math.min(
      this.#host.workSince(index) ?? Infinity,
      this.#waitingSince.get(index) ?? Infinity,
    );
    return since === Infinity ? {} : { workLagMs: Math.max(0, wall - since) };
  }

  close(): void {
    if (this.#timer === undefined) return;
    clearInterval(this.#timer);
    this.#closed = true;
    this.#report();
  }

  #report(): void {
    const now = performance.now();
    const { nodes } = this.#counts.summary();
    this.#samples.push({ at: now, nodes });
    while (this.#samples.length > 2 && now - (this.#samples[1] as { at: number }).at >= WINDOW_MS)
      this.#samples.shift();
    const first = this.#samples[0] as { at: number; nodes: readonly NodeCounts[] };
    const seconds = Math.max(0.001, (now - first.at) / 1000);
    const wall = this.#options.clock?.now() ?? Date.now();
    this.#options.onProgress?.({
      unfoldedBytes: this.#host.unfoldedBytes,
      nodes: nodes.map((node, i) => {
        const before = first.nodes[i] ?? node;
        const watermark = this.#host.watermarkOf(i);
        return {
          node: node.node,
          name: node.name,
          kind: this.#options.version.plan.nodes[i]?.kind ?? 'computation',
          in: node.in,
          out: node.out,
          late: node.late,
          deadLettered: node.deadLettered,
          droppedLate: node.droppedLate,
          inRate: (node.in - before.in) / seconds,
          outRate: (node.out - before.out) / seconds,
          watermark,
          backlog: this.#host.backlogOf(i) + node.waiting,
          ...(watermark.kind === 'at' ? { lagMs: wall - watermark.time } : {}),
          ...this.#workLag(i, node, wall),
        };
      }),
    });
  }
}

/**
 * The keys with the most input, as workers tell of them. They may lie about it: it is shown, and nothing is decided by it.
 * A key belongs to one worker, so what several tell is put beside each other.
 */
import type { HotKeyReport } from '@millrace/protocol';

export interface BusyKey {
  /** Plan index. */
  readonly node: number;
  /** Its beginning, where it is long. */
  readonly key: string;
  /** Of the node's input, 0 to 1. */
  readonly share: number;
}

/** A worker that has said nothing for so long has had next to no input. */
const FRESH_MS = 10_000;
const MOST_A_NODE = 8;
const LEAST_SHARE = 0.01;

export class BusiestKeys {
  readonly #nodes: number;
  /** By slot and node. */
  readonly #told = new Map<string, { readonly at: number; readonly report: HotKeyReport }>();

  /** `nodes`: how many the plan has. */
  constructor(nodes: number) {
    this.#nodes = nodes;
  }

  take(slot: number, reports: readonly HotKeyReport[], now: number): void {
    for (const report of reports)
      if (report.node < this.#nodes) this.#told.set(`${slot}/${report.node}`, { at: now, report });
  }

  /** Of each node the busiest first. */
  now(now: number): readonly BusyKey[] {
    const sampled = new Map<number, number>();
    const fresh: HotKeyReport[] = [];
    for (const { at, report } of this.#told.values()) {
      if (Math.abs(now - at) > FRESH_MS) continue;
      fresh.push(report);
      sampled.set(report.node, (sampled.get(report.node) ?? 0) + report.sampled);
    }
    const keys = fresh.flatMap(({ node, keys: told }) =>
      told.map(({ key, count }) => ({ node, key, share: Math.min(1, count / (sampled.get(node) || 1)) })),
    );
    keys.sort((a, b) => a.node - b.node || b.share - a.share);
    const perNode = new Map<number, number>();
    return keys.filter(({ node, share }) => {
      const rank = perNode.get(node) ?? 0;
      perNode.set(node, rank + 1);
      return rank < MOST_A_NODE && share >= LEAST_SHARE;
    });
  }
}

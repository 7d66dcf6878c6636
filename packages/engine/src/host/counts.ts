/** The counters of P9 as the host last saw them committed, by worker and node. */
import type { RunPlan } from '@millrace/graph';
import { META_SPACE } from '@millrace/protocol';
import { type CounterName, decodeCounters, type NodeCounters } from '../worker/node-counters.ts';
import type { PagedStore } from './paged/paged-store.ts';
import type { NodeCounts, Summary } from './run-options.ts';

export class Counts {
  readonly #plan: RunPlan;
  readonly #nodeNumbers: readonly number[];
  /** By meta key `counters/slot/node`. */
  readonly #latest = new Map<string, Uint8Array>();
  readonly #rejected = new Map<number, number>();

  constructor(plan: RunPlan, nodeNumbers: readonly number[]) {
    this.#plan = plan;
    this.#nodeNumbers = nodeNumbers;
  }

  async load(paged: PagedStore): Promise<void> {
    const [found] = await paged.scan([
      { space: META_SPACE, prefix: Buffer.from('counters/'), limit: Number.MAX_SAFE_INTEGER },
    ]);
    for (const { key, value } of found?.entries ?? []) this.take(Buffer.from(key).toString('utf8'), value);
  }

  take(key: string, value: Uint8Array): void {
    this.#latest.set(key, value);
  }

  /** Rows the target of a sink has refused in all. */
  rejected(node: number, total: number): void {
    this.#rejected.set(node, total);
  }

  summary(): Summary {
    const sums = new Map<number, NodeCounters>();
    for (const [key, value] of this.#latest) {
      const number = Number(key.split('/')[2]);
      const counters = decodeCounters(value);
      const sum = sums.get(number);
      if (sum === undefined) sums.set(number, counters);
      else for (const name of Object.keys(sum) as CounterName[]) sum[name] += counters[name];
    }
    return {
      nodes: this.#plan.nodes.map((node) =>
        this.#of(node.index, sums.get(this.#nodeNumbers[node.index] as number)),
      ),
    };
  }

  /** Nodes whose equation does not hold (P9): a record disappeared, or was counted twice. */
  imbalances(): string[] {
    return this.summary()
      .nodes.filter(
        (n) =>
          n.in !==
          n.duplicates + n.deadLettered - n.timersDeadLettered + n.setAside + n.waiting + n.processed,
      )
      .map(
        (n) =>
          `node "${n.name}" does not balance: ${n.in} in, but ${n.duplicates} duplicate, ${n.deadLettered - n.timersDeadLettered} dead-lettered, ${n.setAside} set aside, ${n.waiting} waiting and ${n.processed} processed`,
      );
  }

  #of(index: number, c: NodeCounters | undefined): NodeCounts {
    const { id, name, kind } = this.#plan.nodes[index] as RunPlan['nodes'][number];
    const rejected = this.#rejected.get(index) ?? 0;
    return {
      node: id,
      name,
      in: c?.delivered ?? 0,
      out:
        kind === 'sink'
          ? (c?.withOutput ?? 0) - rejected
          : (c?.producedByRecords ?? 0) + (c?.producedByTimers ?? 0),
      late: c?.late ?? 0,
      deadLettered: (c?.deadLettered ?? 0) + rejected,
      timersDeadLettered: c?.timersDeadLettered ?? 0,
      processed: (c?.withOutput ?? 0) + (c?.withoutOutput ?? 0) + (c?.droppedLate ?? 0) - rejected,
      droppedLate: c?.droppedLate ?? 0,
      duplicates: c?.duplicates ?? 0,
      setAside: c?.setAside ?? 0,
      waiting: c?.waiting ?? 0,
    };
  }
}

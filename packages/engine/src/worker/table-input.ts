/**
 * What one input of a computation knows of the table behind it (`ctx.table`).
 *
 * A whole reading is told by two ways: how long it stands by its reader's mark, that all of its rows are here by the
 * watermark of whoever sends them. Both must have come.
 *
 * Invariant TR3: what is known of a time is known for good: `until` only rises, and whatever is told behind it begins there.
 */
import type { RunPlan } from '@millrace/graph';
import type { TableStanding } from '@millrace/protocol';
import type { TableKnowledge } from '@millrace/sdk';

export interface TableInputOptions {
  readonly plan: RunPlan;
  /** Plan indices of the nodes that send to the input. */
  readonly senders: readonly number[];
  /** Of an injector, by plan index: its number in the store, and what is committed of its table. */
  readonly numberOf: (node: number) => number;
  readonly standingOf: (node: number) => TableStanding | undefined;
  /** The computation's input watermark. */
  readonly watermark: () => number | undefined;
  /** Whoever asks has heard no watermarks: what is committed counts. */
  readonly isSpare: boolean;
}

/** Of the pane of a row: which reading from scratch has found it, and of which table. */
export function indexOfReading(count: number, nodeNumber: number): number {
  return count * TABLES + (nodeNumber % TABLES);
}

const TABLES = 65_536;

export class TableInput implements TableKnowledge {
  readonly #options: TableInputOptions;
  readonly #injectors: readonly number[];
  readonly #known = new Map<number, TableStanding>();
  #until = Number.NEGATIVE_INFINITY;

  constructor(options: TableInputOptions) {
    this.#options = options;
    this.#injectors = injectorsBehind(options.plan, options.senders);
    if (options.isSpare) this.settle(undefined);
  }

  get senders(): readonly number[] {
    return this.#options.senders;
  }

  /** `heard`: the least that the senders have promised; undefined: one of them nothing. */
  settle(heard: number | undefined): void {
    let until = Number.POSITIVE_INFINITY;
    for (const node of this.#injectors) {
      const standing = this.#options.standingOf(node);
      const isHere =
        this.#options.isSpare || (heard !== undefined && standing !== undefined && heard >= standing.from);
      if (standing !== undefined && isHere) this.#known.set(node, standing);
      until = Math.min(until, this.#known.get(node)?.until ?? Number.NEGATIVE_INFINITY);
    }
    if (until > this.#until) this.#until = until;
  }

  /** Undefined: nothing is, or the input is no table. */
  get knowledge(): TableKnowledge | undefined {
    const isTable =
      this.#injectors.length > 0 &&
      this.#injectors.every((node) => this.#options.standingOf(node) !== undefined);
    return isTable && this.until !== Number.NEGATIVE_INFINITY ? this : undefined;
  }

  /** What the watermark has passed is known in any case: it follows whole readings (TR1). */
  get until(): number {
    const watermark = this.#options.watermark();
    return watermark === undefined ? this.#until : Math.max(this.#until, watermark);
  }

  goneFrom(index: number): number {
    for (const node of this.#injectors) {
      if (this.#options.numberOf(node) % TABLES !== index % TABLES) continue;
      const later = this.#options.standingOf(node)?.fresh.find((reading) => reading.index > index);
      return later?.start ?? Number.POSITIVE_INFINITY;
    }
    return Number.POSITIVE_INFINITY;
  }
}

function injectorsBehind(plan: RunPlan, senders: readonly number[]): number[] {
  const seen = new Set<number>();
  const open = [...senders];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (seen.has(node)) continue;
    seen.add(node);
    for (const stream of plan.nodes[node]?.inputs ?? []) {
      const from = plan.streams[stream]?.from;
      if (from !== undefined) open.push(from);
    }
  }
  return [...seen].filter((node) => plan.nodes[node]?.kind === 'injector');
}

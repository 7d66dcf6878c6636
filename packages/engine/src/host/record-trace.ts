/**
 * A record's way over the hops that samples know. Ids are derived (P4), so what came of a record at a node is found by
 * making the ids its first productions would have; where it came from, by making those of every record that may be its
 * parent. What was not sampled, or came of a timer, is not found.
 */
import type { PlanStream, RunPlan } from '@millrace/graph';
import { createHasher, type Hasher } from '../worker/key-hash.ts';
import type { KeptRecord } from './recent-records.ts';

export interface TracedRecord extends KeptRecord {
  /** Id of the stream it was seen on. */
  readonly stream: string;
  /** Ids of the records it was made of or that were made of it; how many hops away from the one asked for. */
  readonly from: string;
  readonly hops: number;
}

export interface RecordTrace {
  /** Undefined: it is no longer kept, or was never sampled. */
  readonly record: (KeptRecord & { readonly stream: string }) | undefined;
  /** Nearest first; `from` is the id it led to. */
  readonly parents: readonly TracedRecord[];
  /** Nearest first; `from` is the id it was made of. */
  readonly children: readonly TracedRecord[];
  /** More may have come of it than is looked for. */
  readonly cut: boolean;
}

/** Of one record at one node. */
const MOST_PRODUCTIONS = 32;
const MOST_HOPS = 20;
const MOST_FOUND = 200;
/** Ids made for one question: about a tenth of a second. */
const MOST_IDS = 100_000;

type Kept = (stream: number) => readonly KeptRecord[];

export async function traceOf(id: string, plan: RunPlan, kept: Kept): Promise<RecordTrace> {
  const search = new Search(plan, kept, await createHasher());
  const seen = search.find(id);
  const children = search.children(
    id,
    seen.map(({ stream }) => stream),
  );
  const parents = search.parents(
    id,
    seen.map(({ stream }) => stream),
  );
  const [first] = seen;
  return {
    record: first && { ...first.record, stream: first.stream.id },
    parents,
    children,
    cut: search.cut,
  };
}

interface Seen {
  readonly stream: PlanStream;
  readonly record: KeptRecord;
}

class Search {
  cut = false;
  readonly #plan: RunPlan;
  readonly #hasher: Hasher;
  readonly #byStream: readonly ReadonlyMap<string, KeptRecord>[];
  #ids = 0;

  constructor(plan: RunPlan, kept: Kept, hasher: Hasher) {
    this.#plan = plan;
    this.#hasher = hasher;
    this.#byStream = plan.streams.map(
      ({ index }) => new Map(kept(index).map((record) => [record.id, record])),
    );
  }

  find(id: string): Seen[] {
    return this.#plan.streams.flatMap((stream) => {
      const record = this.#byStream[stream.index]?.get(id);
      return record === undefined ? [] : [{ stream, record }];
    });
  }

  children(id: string, on: readonly PlanStream[], hops = 1): TracedRecord[] {
    // Of one that was not sampled it is not known where it went.
    const nodes = on.length > 0 ? on.map(({ to }) => to) : this.#plan.nodes.map(({ index }) => index);
    const found = [...new Set(nodes)].flatMap((node) =>
      this.#productions(id, node).map((seen) => ({ seen, from: id })),
    );
    return this.#walk(found, hops, (seen, next) => this.children(seen.record.id, [seen.stream], next));
  }

  parents(id: string, on: readonly PlanStream[], hops = 1): TracedRecord[] {
    const senders = new Set(on.map(({ from }) => from));
    const inputs = this.#plan.streams.filter(({ to }) => senders.has(to));
    const found: { seen: Seen; from: string }[] = [];
    for (const stream of inputs)
      for (const record of this.#byStream[stream.index]?.values() ?? [])
        if (this.#madeOf(record.id, stream.to).includes(id))
          found.push({ seen: { stream, record }, from: id });
    return this.#walk(found, hops, (seen, next) => this.parents(seen.record.id, [seen.stream], next));
  }

  #walk(
    found: readonly { seen: Seen; from: string }[],
    hops: number,
    further: (seen: Seen, hops: number) => TracedRecord[],
  ): TracedRecord[] {
    if (hops > MOST_HOPS || found.length > MOST_FOUND) this.cut = true;
    const near = found
      .slice(0, MOST_FOUND)
      .map(
        ({ seen: { stream, record }, from }): TracedRecord => ({ ...record, stream: stream.id, from, hops }),
      );
    if (hops >= MOST_HOPS) return near;
    const far = found.slice(0, MOST_FOUND).flatMap(({ seen }) => further(seen, hops + 1));
    return [...near, ...far].slice(0, MOST_FOUND);
  }

  #productions(id: string, node: number): Seen[] {
    const outputs = this.#plan.streams.filter(({ from }) => from === node);
    if (outputs.length === 0) return [];
    return this.#madeOf(id, node).flatMap((child) =>
      outputs.flatMap((stream) => {
        const record = this.#byStream[stream.index]?.get(child);
        return record === undefined ? [] : [{ stream, record }];
      }),
    );
  }

  #madeOf(id: string, node: number): string[] {
    const computation = this.#plan.nodes[node];
    if (computation?.kind !== 'computation') return [];
    if (this.#ids > MOST_IDS) {
      this.cut = true;
      return [];
    }
    this.#ids += MOST_PRODUCTIONS;
    return Array.from({ length: MOST_PRODUCTIONS }, (_, ordinal) =>
      this.#hasher.deriveId(id, computation.id, ordinal),
    );
  }
}

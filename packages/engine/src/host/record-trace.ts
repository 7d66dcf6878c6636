/**
 * A record's way over the hops that samples know. A sample brings what it was made of along, as far as its worker had
 * it at hand. Beyond that ids tell, since they are derived (P4): what came of a record at a node is found by making
 * the ids its first productions would have; where it came from, by making those of every record that may be its
 * parent. Where a timer made a record, that is told, and the record that armed it is what comes before. What was not
 * sampled is not found.
 */
import type { PlanStream, RunPlan } from '@millrace/graph';
import type { TapAncestor } from '@millrace/protocol';
import { createHasher, type Hasher } from '../worker/key-hash.ts';
import type { KeptRecord } from './recent-records.ts';

export interface TracedRecord extends Omit<KeptRecord, 'way'> {
  /** Id of the stream it was seen on. */
  readonly stream: string;
  /** Ids of the records it was made of or that were made of it; how many hops away from the one asked for. */
  readonly from: string;
  readonly hops: number;
}

export interface RecordTrace {
  /** Undefined: it is no longer kept, or was never sampled. */
  readonly record: (Omit<KeptRecord, 'way'> & { readonly stream: string }) | undefined;
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
  const parents = search.parents(id, seen);
  const [first] = seen;
  return { record: first && traced(first), parents, children, cut: search.cut };
}

interface Seen {
  readonly stream: PlanStream;
  readonly record: KeptRecord;
}

const traced = ({ stream, record: { way: _, ...record } }: Seen) => ({ ...record, stream: stream.id });

class Search {
  cut = false;
  readonly #plan: RunPlan;
  readonly #hasher: Hasher;
  readonly #byStream: readonly ReadonlyMap<string, KeptRecord>[];
  /** Ancestors that came with samples, and by their ids what was made of them, by stream and id. */
  readonly #ancestors = new Map<string, Seen>();
  readonly #made = new Map<string, Map<string, Seen>>();
  #ids = 0;

  constructor(plan: RunPlan, kept: Kept, hasher: Hasher) {
    this.#plan = plan;
    this.#hasher = hasher;
    this.#byStream = plan.streams.map(
      ({ index }) => new Map(kept(index).map((record) => [record.id, record])),
    );
    for (const stream of plan.streams)
      for (const record of this.#byStream[stream.index]?.values() ?? []) this.#learn({ stream, record });
  }

  find(id: string): Seen[] {
    const sampled = this.#plan.streams.flatMap((stream) => {
      const record = this.#byStream[stream.index]?.get(id);
      return record === undefined ? [] : [{ stream, record }];
    });
    const ancestor = this.#ancestors.get(id);
    return sampled.length > 0 || ancestor === undefined ? sampled : [ancestor];
  }

  children(id: string, on: readonly PlanStream[], hops = 1): TracedRecord[] {
    // Of one that was not sampled it is not known where it went.
    const nodes = on.length > 0 ? on.map(({ to }) => to) : this.#plan.nodes.map(({ index }) => index);
    const found = new Map(this.#made.get(id));
    for (const seen of [...new Set(nodes)].flatMap((node) => this.#productions(id, node)))
      found.set(`${seen.stream.id} ${seen.record.id}`, seen);
    return this.#walk(
      [...found.values()].map((seen) => ({ seen, from: id })),
      hops,
      (seen, next) => this.children(seen.record.id, [seen.stream], next),
    );
  }

  parents(id: string, seen: readonly Seen[], hops = 1): TracedRecord[] {
    const [nearest] = seen.flatMap((each) => this.#before(each)).slice(0, 1);
    const timer = seen.find(({ record }) => record.timer !== undefined)?.record.timer;
    const found =
      nearest !== undefined
        ? [{ seen: nearest, from: id }]
        : timer !== undefined
          ? this.find(timer.armedBy).map((armed) => ({ seen: armed, from: id }))
          : this.#derivedParents(
              id,
              seen.map(({ stream }) => stream),
            );
    return this.#walk(found, hops, (parent, next) => this.parents(parent.record.id, [parent], next));
  }

  #learn(sampled: Seen): void {
    let child = sampled;
    for (let [parent] = this.#before(child); parent !== undefined; [parent] = this.#before(child)) {
      const { id } = parent.record;
      if (!this.#ancestors.has(id)) this.#ancestors.set(id, parent);
      const made = this.#made.get(id) ?? new Map<string, Seen>();
      this.#made.set(id, made.set(`${child.stream.id} ${child.record.id}`, child));
      child = parent;
    }
  }

  /** What a record was made of, where its sample says so. A worker may name streams that are none. */
  #before({ record: { way, at } }: Seen): Seen[] {
    const [nearest, ...further] = way;
    const stream = nearest && this.#plan.streams[nearest.stream];
    if (stream === undefined) return [];
    const { stream: _, ...record } = nearest as TapAncestor;
    return [{ stream, record: { ...record, at, way: further } }];
  }

  #derivedParents(id: string, on: readonly PlanStream[]): { seen: Seen; from: string }[] {
    const senders = new Set(on.map(({ from }) => from));
    const inputs = this.#plan.streams.filter(({ to }) => senders.has(to));
    return inputs.flatMap((stream) =>
      [...(this.#byStream[stream.index]?.values() ?? [])]
        .filter((record) => this.#madeOf(record.id, stream.to).includes(id))
        .map((record) => ({ seen: { stream, record }, from: id })),
    );
  }

  #walk(
    found: readonly { seen: Seen; from: string }[],
    hops: number,
    further: (seen: Seen, hops: number) => TracedRecord[],
  ): TracedRecord[] {
    if (hops > MOST_HOPS || found.length > MOST_FOUND) this.cut = true;
    const near = found
      .slice(0, MOST_FOUND)
      .map(({ seen, from }): TracedRecord => ({ ...traced(seen), from, hops }));
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

/** The counters of P9 as the host last saw them committed, by worker and node or stream. */
import type { RunPlan } from '@millrace/graph';
import { ByteReader, META_SPACE } from '@millrace/protocol';
import { decodeNamedSums, MOST_NAMES, type NamedSums, NOTHING_NAMED } from '../worker/named-counts.ts';
import { type CounterName, decodeCounters, type NodeCounters } from '../worker/node-counters.ts';
import { decodeStreamCount, type StreamCount } from '../worker/stream-counts.ts';
import type { PagedStore } from './paged/paged-store.ts';
import type { NodeCounts, Summary } from './run-options.ts';

/** What the meta entries of counts begin with; a worker's slot or `host`, and a node's number or a stream's id follow. */
const KINDS = ['counters', 'named', 'stream', 'redriven', 'redriven-rows', 'redriven-on'] as const;

/** An equation of P9 that does not hold. */
export interface Imbalance {
  /** Id of the node or stream. */
  readonly of: string;
  readonly text: string;
}

interface Cell {
  value: Uint8Array;
}

const NO_BYTES = new Uint8Array(0);

export class Counts {
  readonly #plan: RunPlan;
  readonly #nodeNumbers: readonly number[];
  /** By meta key; undefined for entries that are no counts. Every bundle comes by here. */
  readonly #cells = new Map<string, Cell | undefined>();
  /** By kind and what is counted: a cell for each worker. */
  readonly #counted = new Map<string, Cell[]>();
  readonly #rejected = new Map<number, number>();

  constructor(plan: RunPlan, nodeNumbers: readonly number[]) {
    this.#plan = plan;
    this.#nodeNumbers = nodeNumbers;
  }

  async load(paged: PagedStore): Promise<void> {
    const scans = KINDS.map((kind) => ({
      space: META_SPACE,
      prefix: Buffer.from(`${kind}/`),
      limit: Number.MAX_SAFE_INTEGER,
    }));
    for (const { entries } of await paged.scan(scans))
      for (const { key, value } of entries) this.take(Buffer.from(key).toString('utf8'), value);
  }

  /** Takes the value of a meta entry; others than those of counts are left alone. */
  take(key: string, value: Uint8Array): void {
    if (!this.#cells.has(key)) this.#cells.set(key, this.#newCell(key));
    const cell = this.#cells.get(key);
    if (cell !== undefined) cell.value = value;
  }

  #newCell(key: string): Cell | undefined {
    const [kind, slot, ...rest] = key.split('/');
    if (slot === undefined || !KINDS.includes(kind as (typeof KINDS)[number])) return undefined;
    const counted = `${kind}/${rest.join('/')}`;
    const cell: Cell = { value: NO_BYTES };
    this.#counted.set(counted, [...(this.#counted.get(counted) ?? []), cell]);
    return cell;
  }

  /** Rows the target of a sink has refused in all. */
  rejected(node: number, total: number): void {
    this.#rejected.set(node, total);
  }

  /** Dead letters that were given to a node again. */
  redriven(node: number): number {
    return this.#own(`redriven/${this.#nodeNumbers[node]}`);
  }

  /** Of these, rows of a sink: no worker counts them anew. */
  redrivenRows(node: number): number {
    return this.#own(`redriven-rows/${this.#nodeNumbers[node]}`);
  }

  /** Records that were put on a stream again without being produced again. */
  redrivenOn(stream: number): number {
    return this.#own(`redriven-on/${this.#plan.streams[stream]?.id}`);
  }

  #own(counted: string): number {
    const [bytes] = this.#bySlot(counted);
    return bytes === undefined ? 0 : new ByteReader(bytes).f64();
  }

  summary(): Summary {
    return { nodes: this.#plan.nodes.map(({ index }) => this.#of(index)) };
  }

  /** A stream's counts over all workers, by plan index; of one to a sink only what was produced is known here. */
  stream(index: number): StreamCount {
    let produced = 0;
    let delivered = 0;
    for (const bytes of this.#bySlot(`stream/${this.#plan.streams[index]?.id}`)) {
      const count = decodeStreamCount(bytes);
      produced += count.produced;
      delivered += count.delivered;
    }
    return { produced, delivered };
  }

  /** Nodes whose equation does not hold (P9): a record disappeared, or was counted twice. */
  imbalances(): Imbalance[] {
    return this.summary()
      .nodes.filter(
        (n) =>
          n.in !==
          n.duplicates + n.deadLettered - n.timersDeadLettered + n.setAside + n.waiting + n.processed,
      )
      .map((n) => ({
        of: n.node,
        text: `node "${n.name}" does not balance: ${n.in} in, but ${n.duplicates} duplicate, ${n.deadLettered - n.timersDeadLettered} dead-lettered, ${n.setAside} set aside, ${n.waiting} waiting and ${n.processed} processed`,
      }));
  }

  /** Streams whose equation does not hold, given what is in flight (P9). */
  streamImbalances(inFlightOf: (stream: number) => number): Imbalance[] {
    const { nodes, streams } = this.#plan;
    return streams
      .filter(({ to }) => nodes[to]?.kind !== 'sink')
      .map(({ id, index }) => ({
        id,
        ...this.stream(index),
        redriven: this.redrivenOn(index),
        inFlight: inFlightOf(index),
      }))
      .filter((s) => s.produced + s.redriven !== s.delivered + s.inFlight)
      .map((s) => ({
        of: s.id,
        text: `stream ${s.id} does not balance: ${s.produced} produced and ${s.redriven} redriven, but ${s.delivered} delivered and ${s.inFlight} in flight`,
      }));
  }

  #bySlot(counted: string): Uint8Array[] {
    return (this.#counted.get(counted) ?? []).map(({ value }) => value);
  }

  #countersOf(number: number): NodeCounters | undefined {
    let sum: NodeCounters | undefined;
    for (const bytes of this.#bySlot(`counters/${number}`)) {
      const counters = decodeCounters(bytes);
      if (sum === undefined) sum = counters;
      else for (const name of Object.keys(sum) as CounterName[]) sum[name] += counters[name];
    }
    return sum;
  }

  #namedOf(number: number): NamedSums {
    const all = this.#bySlot(`named/${number}`).map(decodeNamedSums);
    if (all.length === 0) return NOTHING_NAMED;
    const sums = new Map<string, number>();
    let cut = 0;
    for (const named of all) {
      cut += named.cut;
      // Workers may have given their room to different names.
      for (const [name, sum] of named.sums)
        if (sums.has(name) || sums.size < MOST_NAMES) sums.set(name, (sums.get(name) ?? 0) + sum);
    }
    return { sums, cut };
  }

  #of(index: number): NodeCounts {
    const { id, name, kind } = this.#plan.nodes[index] as RunPlan['nodes'][number];
    const number = this.#nodeNumbers[index] as number;
    const c = this.#countersOf(number);
    const named = this.#namedOf(number);
    const rejected = this.#rejected.get(index) ?? 0;
    const rows = this.redrivenRows(index);
    return {
      node: id,
      name,
      in: (c?.delivered ?? 0) + rows,
      redriven: this.redriven(index),
      out:
        kind === 'sink'
          ? (c?.withOutput ?? 0) + rows - rejected
          : (c?.producedByRecords ?? 0) + (c?.producedByTimers ?? 0),
      late: c?.late ?? 0,
      deadLettered: (c?.deadLettered ?? 0) + rejected,
      timersDeadLettered: c?.timersDeadLettered ?? 0,
      processed: (c?.withOutput ?? 0) + (c?.withoutOutput ?? 0) + (c?.droppedLate ?? 0) + rows - rejected,
      droppedLate: c?.droppedLate ?? 0,
      duplicates: c?.duplicates ?? 0,
      setAside: c?.setAside ?? 0,
      waiting: c?.waiting ?? 0,
      counts: Object.fromEntries(named.sums),
      countsCut: named.cut,
    };
  }
}

/** An injector's ingest on this worker: its partitions here, and their common low watermark. */
import type { PlanNode, PlanStream } from '@millrace/graph';
import type { Watermark } from '@millrace/protocol';
import { ENDED } from '@millrace/protocol';
import type { Cause } from '@millrace/sdk/runtime';
import type { DeadLetterRow } from '../ports.ts';
import { WatermarkCoalescer } from '../watermark/coalescer.ts';
import { errorText } from './dead-letter.ts';
import type { Ingested, PartitionIngest } from './ingest/partition-ingest.ts';
import { textOf } from './json-text.ts';
import { type NodeCounters, zeroCounters } from './node-counters.ts';
import { emptyOutgoing, type Outgoing, type Router } from './router.ts';

export interface AssignedPartition {
  /** Index among the injector's partitions. */
  readonly index: number;
  readonly ingest: PartitionIngest;
}

export interface InjectorStageOptions {
  readonly node: PlanNode;
  readonly partitions: readonly AssignedPartition[];
  readonly router: Router;
  readonly key: string;
  readonly version: number;
  readonly deadLetter: (letter: DeadLetterRow) => void;
}

export class InjectorStage {
  readonly node: PlanNode;
  readonly partitions: readonly AssignedPartition[];
  readonly counters: NodeCounters = zeroCounters();
  readonly #options: InjectorStageOptions;
  readonly #coalescer: WatermarkCoalescer;
  readonly #outgoing: Outgoing[];
  readonly #streams: readonly PlanStream[];

  constructor(options: InjectorStageOptions) {
    this.#options = options;
    this.node = options.node;
    this.partitions = options.partitions;
    this.#coalescer = new WatermarkCoalescer(options.partitions.length);
    // A source record's id is its place (P4): partition and offset, spelled only when somebody asks.
    this.#streams = options.router.streamsOf(options.node.index, 'out');
    this.#outgoing = options.partitions.map(({ ingest }) => ({
      ...emptyOutgoing({
        computation: `${options.node.id}/${ingest.name}`,
        deriveId: (_, place, offset) => `${place}@${offset}`,
      }),
      key: options.key,
      origin: SOURCE,
    }));
  }

  partition(index: number): PartitionIngest | undefined {
    return this.partitions.find((p) => p.index === index)?.ingest;
  }

  /** Starts no lower than before (W3). */
  restore(floor: number): void {
    this.#coalescer.restore(floor);
  }

  /** Emits up to `limit` records of each partition; returns whether any has more. */
  ingest(limit: number): boolean {
    let more = false;
    for (let p = 0; p < this.partitions.length; p++) {
      const ingest = (this.partitions[p] as AssignedPartition).ingest;
      let left = limit;
      ingest.beginReading();
      for (; left > 0; left--) {
        const before = this.time();
        const item = ingest.next();
        if (item === undefined) break;
        this.#emit(item, p, before);
        const time = ingest.time;
        if (time !== undefined) this.#coalescer.raiseTime(p, time);
      }
      if (left === 0) more = true;
      ingest.settle();
      this.#coalescer.set(p, ingest.watermark);
    }
    return more;
  }

  get watermark(): Watermark {
    return this.partitions.length === 0 ? ENDED : this.#coalescer.output;
  }

  /** What a successor must not start below (W3). */
  get floor(): number | undefined {
    return this.#coalescer.floor;
  }

  get idleAt(): number | undefined {
    let at: number | undefined;
    for (const { ingest } of this.partitions) {
      const idleAt = ingest.idleAt;
      if (idleAt !== undefined && (at === undefined || idleAt < at)) at = idleAt;
    }
    return at;
  }

  time(): number | undefined {
    return this.#coalescer.time;
  }

  #emit(item: Ingested, partition: number, watermarkBefore: number | undefined): void {
    const { router } = this.#options;
    this.counters.delivered++;
    if (item.kind === 'set-aside') {
      if (item.future) this.counters.setAside++;
      else this.counters.deadLettered++;
      this.#options.deadLetter(this.#letter(item, partition));
      return;
    }
    this.counters.withOutput++;
    this.counters.producedByRecords++;
    const { value, timestamp, position } = item;
    const out = this.#outgoing[partition] as Outgoing;
    out.value = value;
    out.timestamp = timestamp;
    out.ordinal = position;
    try {
      router.send(this.#streams, out, watermarkBefore);
    } catch (error) {
      // Only a sink right behind an injector can refuse here, for a value JSON cannot express.
      this.counters.withOutput--;
      this.counters.deadLettered++;
      this.#options.deadLetter(
        this.#letter({ kind: 'set-aside', input: textOf(value), position, error, future: false }, partition),
      );
    }
  }

  #letter(item: Extract<Ingested, { kind: 'set-aside' }>, partition: number): DeadLetterRow {
    const name = (this.partitions[partition] as AssignedPartition).ingest.name;
    const { node, version } = this.#options;
    return {
      id: `${node.id}/${name}@${item.position}`,
      node: node.id,
      input: item.input,
      ...errorText(item.error),
      key: undefined,
      timestamp: undefined,
      origin: `${name} at offset ${item.position}`,
      state: undefined,
      version,
      attempts: 1,
    };
  }
}

/** Source records have no cause before them. */
const SOURCE: Cause = { id: '' };

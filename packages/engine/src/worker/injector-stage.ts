/** An injector's ingest on this worker: its partitions here, and their common low watermark. */
import type { PlanNode, PlanStream } from '@millrace/graph';
import type { Watermark } from '@millrace/protocol';
import { ENDED } from '@millrace/protocol';
import type { Cause, Producer } from '@millrace/sdk/runtime';
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
  /** What the ids of each partition's records count in. */
  readonly #places: string[];
  readonly #streams: readonly PlanStream[];

  constructor(options: InjectorStageOptions) {
    this.#options = options;
    this.node = options.node;
    this.partitions = options.partitions;
    this.#coalescer = new WatermarkCoalescer(options.partitions.length);
    this.#places = options.partitions.map(({ ingest }) => ingest.name);
    this.#streams = options.router.streamsOf(options.node.index, 'out');
    this.#outgoing = options.partitions.map(({ ingest }) => ({
      ...emptyOutgoing(producerOf(options.node.id, ingest.name, '@')),
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
        if (item.kind === 'skipped') continue;
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

  #emit(
    item: Exclude<Ingested, { kind: 'skipped' }>,
    partition: number,
    watermarkBefore: number | undefined,
  ): void {
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
    const { ingest } = this.partitions[partition] as AssignedPartition;
    if (ingest.place !== this.#places[partition]) this.#enter(partition, ingest.place);
    out.value = value;
    out.timestamp = timestamp;
    out.ordinal = position;
    try {
      router.send(this.#streams, out, watermarkBefore);
    } catch (error) {
      // Only a sink right behind an injector can refuse here, for a value JSON cannot express.
      this.counters.withOutput--;
      this.counters.deadLettered++;
      ingest.reject(error);
      this.#options.deadLetter(
        this.#letter({ kind: 'set-aside', input: textOf(value), position, error, future: false }, partition),
      );
    }
  }

  /** The records that follow are of another request. */
  #enter(partition: number, place: string): void {
    this.#places[partition] = place;
    (this.#outgoing[partition] as Outgoing).producer = producerOf(this.node.id, place, '/');
  }

  #letter(item: Extract<Ingested, { kind: 'set-aside' }>, partition: number): DeadLetterRow {
    const { name, place } = (this.partitions[partition] as AssignedPartition).ingest;
    const { node, version } = this.#options;
    return {
      id: `${node.id}/${place}@${item.position}`,
      node: node.id,
      input: item.input,
      ...errorText(item.error),
      key: undefined,
      timestamp: undefined,
      origin:
        place === name
          ? `${name} at offset ${item.position}`
          : `record ${item.position} of the request ${JSON.stringify(place)}`,
      state: undefined,
      version,
      attempts: 1,
    };
  }
}

/** A source record's id is its place (P4), spelled only when somebody asks. */
function producerOf(node: string, place: string, mark: '@' | '/'): Producer {
  return {
    computation: `${node}/${place}`,
    deriveId: (_, within, position) => `${within}${mark}${position}`,
  };
}

/** Source records have no cause before them. */
const SOURCE: Cause = { id: '' };

/** An injector's ingest on this worker: its partitions here, and their common low watermark. */
import type { PlanNode, PlanStream } from '@millrace/graph';
import type { SourcePiece, Watermark } from '@millrace/protocol';
import { ENDED, LARGEST_REDRIVABLE } from '@millrace/protocol';
import type { Cause, Producer } from '@millrace/sdk/runtime';
import type { DeadLetterRow } from '../ports.ts';
import { WatermarkCoalescer } from '../watermark/coalescer.ts';
import { errorText } from './dead-letter.ts';
import type { Ingested } from './ingest/ingested.ts';
import type { PartitionIngest } from './ingest/partition-ingest.ts';
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
  /** Reads what was set aside of places that are not a partition here. */
  readonly anywhere: PartitionIngest;
  readonly router: Router;
  readonly key: string;
  readonly version: number;
  readonly deadLetter: (letter: DeadLetterRow) => void;
  readonly afterFailure: (error: unknown) => void;
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
    this.#streams = options.router.routeOf(options.node.index, 'out').streams;
    this.#outgoing = options.partitions.map(({ ingest }) => ({
      ...emptyOutgoing(producerOf(options.node.id, ingest.name, '@')),
      key: options.key,
      origin: SOURCE,
    }));
  }

  /** It reads nothing, and stands for partitions that are read elsewhere or later: what they promised is not its to say. */
  get isStandIn(): boolean {
    return this.partitions.some(({ ingest }) => ingest.name === '');
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

  /** Dead letters that are to be tried again: each is delivered once more, under the id its record always had. */
  again(pieces: readonly SourcePiece[]): void {
    for (const piece of pieces) {
      const { place, mark } = piece;
      const known = this.partitions.find(({ ingest }) => ingest.name === place)?.ingest;
      const ingest = known ?? this.#options.anywhere;
      ingest.beginReading();
      const item = ingest.again(piece);
      if (item.kind === 'skipped') continue;
      const out = {
        ...emptyOutgoing(producerOf(this.node.id, place, mark)),
        key: this.#options.key,
        origin: SOURCE,
      };
      const refused = item.kind === 'set-aside' ? this.#count(item) : this.#send(item, out, this.time());
      if (refused !== undefined) this.#letter(refused, place, mark);
    }
  }

  get watermark(): Watermark {
    return this.partitions.length === 0 ? ENDED : this.#coalescer.output;
  }

  /** What a successor must not start below (W3). */
  get floor(): number | undefined {
    return this.#coalescer.floor;
  }

  time(): number | undefined {
    return this.#coalescer.time;
  }

  #emit(
    item: Exclude<Ingested, { kind: 'skipped' }>,
    partition: number,
    watermarkBefore: number | undefined,
  ): void {
    const { ingest } = this.partitions[partition] as AssignedPartition;
    const { place } = ingest;
    if (item.kind === 'set-aside') return this.#letter(this.#count(item), place, markOf(ingest));
    if (place !== this.#places[partition]) this.#enter(partition, place);
    const refused = this.#send(item, this.#outgoing[partition] as Outgoing, watermarkBefore);
    if (refused === undefined) return;
    ingest.reject(refused.error);
    this.#letter(refused, place, markOf(ingest));
  }

  #count(item: SetAside): SetAside {
    this.counters.delivered++;
    if (item.future) this.counters.setAside++;
    else this.counters.deadLettered++;
    return item;
  }

  /** What it returns could not go on. */
  #send(
    { value, timestamp, position, pane }: Extract<Ingested, { kind: 'record' }>,
    out: Outgoing,
    watermarkBefore: number | undefined,
  ): SetAside | undefined {
    this.counters.delivered++;
    this.counters.withOutput++;
    this.counters.producedByRecords++;
    out.value = value;
    out.timestamp = timestamp;
    out.pane = pane;
    out.ordinal = position;
    try {
      this.#options.router.send(this.#streams, out, watermarkBefore);
      return undefined;
    } catch (error) {
      // Only a sink right behind an injector can refuse here, for a value JSON cannot express. Other streams may
      // have the record already, so it is not sent again.
      this.counters.withOutput--;
      this.counters.deadLettered++;
      return { kind: 'set-aside', input: textOf(value), position, error, future: false, again: undefined };
    }
  }

  /** The records that follow are of another request. */
  #enter(partition: number, place: string): void {
    this.#places[partition] = place;
    const { ingest } = this.partitions[partition] as AssignedPartition;
    (this.#outgoing[partition] as Outgoing).producer = producerOf(this.node.id, place, markOf(ingest));
  }

  #letter({ input, position, error, again }: SetAside, place: string, mark: '@' | '/'): void {
    const { node, version } = this.#options;
    this.#options.deadLetter({
      id: `${node.id}/${place}@${position}`,
      node: node.id,
      input,
      ...errorText(error),
      key: undefined,
      timestamp: undefined,
      origin:
        mark === '@'
          ? `${place} at offset ${position}`
          : `record ${position} of the request ${JSON.stringify(place)}`,
      state: undefined,
      version,
      attempts: 1,
      redrive:
        again === undefined || again.text.length > LARGEST_REDRIVABLE
          ? undefined
          : { kind: 'source', place, mark, position, ...again },
    });
    this.#options.afterFailure(error);
  }
}

type SetAside = Extract<Ingested, { kind: 'set-aside' }>;

/** What stands in front of a position in a record's id: of a partition, or of a request. */
function markOf({ name, place }: PartitionIngest): '@' | '/' {
  return place === name ? '@' : '/';
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

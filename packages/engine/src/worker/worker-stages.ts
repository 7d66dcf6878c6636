/**
 * The stages of one worker, made of its configuration and the pipeline's code, and filled with what an earlier
 * worker of the slot left.
 *
 * Owns: stages, their seals, the router between them, the counts of sinks.
 * Does not own: when they run.
 */
import type { PlanNode, PlanStream, RunPlan } from '@millrace/graph';
import {
  ByteReader,
  decodeSourceMark,
  decodeValue,
  META_SPACE,
  metaKeys,
  type StoreEntry,
  spaceOf,
  type Watermark,
  type WorkerConfiguration,
} from '@millrace/protocol';
import {
  type AsyncTurns,
  type DeliveredRecord,
  type LogLevel,
  type RuntimePorts,
  seededRandom,
} from '@millrace/sdk/runtime';
import type { DeadLetterRow } from '../ports.ts';
import { CommittedTables } from './committed-tables.ts';
import { ComputationStage } from './computation-stage.ts';
import { errorText, recordToRedrive } from './dead-letter.ts';
import { PartitionIngest } from './ingest/partition-ingest.ts';
import { InjectorStage } from './injector-stage.ts';
import { textOf } from './json-text.ts';
import type { Hasher } from './key-hash.ts';
import { decodeNamedSums } from './named-counts.ts';
import { decodeCounters, type NodeCounters, zeroCounters } from './node-counters.ts';
import type { StoredWatermarks } from './number-seal.ts';
import { Router } from './router.ts';
import { sampleWays } from './sample-ways.ts';
import { StageSeal } from './sealer.ts';
import { decodeStreamCount, StreamCounts } from './stream-counts.ts';
import { indexOfReading, TableInput } from './table-input.ts';
import { Taps } from './taps.ts';
import type { UserCode } from './user-code.ts';

export type Stage = InjectorStage | ComputationStage;

/** What the stages ask of whoever runs them. */
export interface StageHooks {
  now(): number;
  deadLetter(letter: DeadLetterRow): void;
  log(node: string, level: LogLevel, key: string, parts: readonly unknown[]): void;
  wake(): void;
  beforeCall(node: PlanNode, input: Parameters<RuntimePorts['beforeCall']>[0]): Error | undefined;
  readonly asyncTurns?: AsyncTurns | undefined;
  /** Behind whatever of the user's threw, once nothing of it is in use any more. */
  afterFailure(error: unknown): void;
  /** In front of every expression on a source record. */
  beforeRecord(node: string, place: string, position: number): Error | undefined;
}

export class WorkerStages {
  readonly plan: RunPlan;
  readonly configuration: WorkerConfiguration;
  readonly router: Router;
  /** By plan index; undefined for sinks. */
  readonly all: (Stage | undefined)[];
  readonly sinkCounts: NodeCounters[];
  readonly streamCounts: StreamCounts;
  readonly taps: Taps;
  readonly tables: CommittedTables;
  readonly #seals = new Map<number, StageSeal>();
  readonly #code: UserCode;
  readonly #hasher: Hasher;
  readonly #hooks: StageHooks;

  constructor(configuration: WorkerConfiguration, code: UserCode, hasher: Hasher, hooks: StageHooks) {
    const plan = configuration.plan as RunPlan;
    const isSpare = configuration.isSpare === true;
    this.plan = plan;
    this.configuration = configuration;
    this.#code = code;
    this.#hasher = hasher;
    this.#hooks = hooks;
    this.sinkCounts = plan.nodes.map(zeroCounters);
    this.tables = new CommittedTables();
    this.streamCounts = new StreamCounts(plan.streams.length);
    this.taps = new Taps(this.streamCounts.produced, sampleWays(plan));
    this.router = new Router({
      plan,
      code,
      hasher,
      slot: configuration.slot,
      slots: configuration.slots,
      egress: configuration.egress,
      // What a trial makes for others is tried with them.
      enqueue: (stream, record) => {
        if (!isSpare) (this.all[stream.to] as ComputationStage).enqueue(stream, record);
      },
      keyFailed: (stream, record, error) => this.#keyFailed(stream, record, error),
      countSink: (node) => {
        (this.sinkCounts[node] as NodeCounters).delivered++;
        (this.sinkCounts[node] as NodeCounters).withOutput++;
      },
      counts: this.streamCounts,
      taps: this.taps,
    });
    this.all = plan.nodes.map((node) =>
      node.kind === 'computation' ? this.#computationStage(node) : undefined,
    );
  }

  get computations(): ComputationStage[] {
    return this.all.filter((stage) => stage instanceof ComputationStage);
  }

  get injectors(): InjectorStage[] {
    return this.all.filter((stage) => stage instanceof InjectorStage);
  }

  /** Partitions with something unread; 1, if there is none. */
  get readingPartitions(): number {
    let reading = 0;
    for (const { partitions } of this.injectors)
      for (const { ingest } of partitions) if (ingest.unreadBytes > 0) reading++;
    return Math.max(1, reading);
  }

  sealOf(stage: ComputationStage): StageSeal {
    return this.#seals.get(stage.node.index) as StageSeal;
  }

  injector(node: number): InjectorStage | undefined {
    const stage = this.all[node];
    return stage instanceof InjectorStage ? stage : undefined;
  }

  /** A node's number in the store. */
  numberOf(node: number): number {
    return this.configuration.nodeNumbers[node] as number;
  }

  /** What a node has promised so far on this worker. */
  outputOf(node: number): Watermark {
    const stage = this.all[node];
    if (stage instanceof InjectorStage) return stage.watermark;
    return stage === undefined ? { kind: 'not-yet' } : stage.output;
  }

  /** Everything an earlier incarnation left for this worker, before any input. */
  restore(entries: readonly StoreEntry[]): void {
    const { configuration } = this;
    const meta = new Map<string, Uint8Array>();
    const bySpace = new Map<number, StoreEntry[]>();
    for (const entry of entries) {
      if (entry.space === META_SPACE) meta.set(utf8.decode(entry.key), entry.value);
      else {
        const list = bySpace.get(entry.space);
        if (list === undefined) bySpace.set(entry.space, [entry]);
        else list.push(entry);
      }
    }
    this.#restoreStreamCounts(meta);
    for (const node of this.plan.nodes) {
      const number = this.numberOf(node.index);
      if (node.kind === 'injector') this.all[node.index] = this.#injectorStage(node, number, meta);
      const counters = meta.get(utf8.decode(metaKeys.counters(configuration.slot, number)));
      const watermarks = meta.get(utf8.decode(metaKeys.watermarks(configuration.slot, number)));
      const stage = this.all[node.index];
      if (stage === undefined) {
        if (counters !== undefined)
          Object.assign(this.sinkCounts[node.index] as NodeCounters, decodeCounters(counters));
        continue;
      }
      if (counters !== undefined)
        Object.assign(
          stage instanceof ComputationStage ? stage.base : stage.counters,
          decodeCounters(counters),
        );
      const stored =
        watermarks === undefined
          ? undefined
          : (decodeValue(new ByteReader(watermarks)) as Partial<StoredWatermarks>);
      if (stage instanceof InjectorStage) {
        if (stored?.out !== undefined) stage.restore(stored.out);
        continue;
      }
      const named = meta.get(utf8.decode(metaKeys.named(configuration.slot, number)));
      if (named !== undefined) stage.named.restore(decodeNamedSums(named));
      this.restoreKeys(stage, bySpace);
      const inputEnded = stored?.inputEnded === true && stored.version === configuration.version;
      stage.restore({ out: stored?.out, in: stored?.in, inputEnded });
    }
  }

  /** Near timers, parked inputs and holds of keys, by space. */
  restoreKeys(stage: ComputationStage, bySpace: ReadonlyMap<number, readonly StoreEntry[]>): void {
    const seal = this.sealOf(stage);
    const number = this.numberOf(stage.node.index);
    for (const { key, value } of bySpace.get(spaceOf(number, 'holds')) ?? []) seal.restoreHold(key, value);
    for (const { key, value } of bySpace.get(spaceOf(number, 'timers')) ?? [])
      seal.timers.restoreNear(key, value);
    for (const { key, value } of bySpace.get(spaceOf(number, 'parked')) ?? []) seal.restoreParked(key, value);
  }

  #restoreStreamCounts(meta: ReadonlyMap<string, Uint8Array>): void {
    for (const { index, id } of this.plan.streams) {
      const stored = meta.get(utf8.decode(metaKeys.stream(this.configuration.slot, id)));
      if (stored !== undefined) this.streamCounts.restore(index, decodeStreamCount(stored));
    }
  }

  #injectorStage(node: PlanNode, number: number, meta: ReadonlyMap<string, Uint8Array>): InjectorStage {
    const { configuration } = this;
    const settings = configuration.ingest[node.index];
    if (settings === undefined || settings === null)
      throw new Error(`no ingest settings for injector ${node.name}`);
    const makeValue = this.#code.value(node.id);
    const open = (name: string, mark: Uint8Array | undefined) => {
      const seed = `${node.id}/${name}`;
      return new PartitionIngest(
        name,
        {
          format: settings.format,
          columns: settings.columns,
          delimiter: settings.delimiter,
          timestampRule: { unit: settings.unit, zone: settings.zone },
          slackMs: settings.slackMs,
          exact: settings.exact,
          futureBoundMs: settings.futureBoundMs ?? undefined,
          timestamp: this.#code.timestamp(node.id),
          value: makeValue && ((n, time) => makeValue(n, time, seededRandom(`${seed}@${n}`))),
          now: this.#hooks.now,
          tableIndex: (count) => indexOfReading(count, number),
          beforeRecord: (position, place) => this.#hooks.beforeRecord(node.id, place, position),
          doubted: (message) => this.#hooks.log(node.name, 'warn', '', [message]),
        },
        mark === undefined ? undefined : decodeSourceMark(mark),
      );
    };
    const partitions = configuration.partitions
      .filter((p) => p.node === node.index)
      .map(({ partition, name }) => ({
        index: partition,
        ingest: open(name, meta.get(utf8.decode(metaKeys.source(number, name)))),
      }));
    this.tables.restore(node.index, number, meta);
    return new InjectorStage({
      node,
      partitions,
      anywhere: open('', undefined),
      router: this.router,
      key: settings.key,
      version: configuration.version,
      deadLetter: (letter) => this.#hooks.deadLetter(letter),
      afterFailure: (error) => this.#hooks.afterFailure(error),
    });
  }

  #computationStage(node: PlanNode): ComputationStage {
    const { configuration } = this;
    const inputs = node.inputs
      .map((index) => this.plan.streams[index])
      .filter((stream) => stream !== undefined);
    const stage = new ComputationStage({
      node,
      inputs,
      senders: [...new Set(inputs.map((stream) => stream.from))],
      slot: configuration.slot,
      slots: configuration.slots,
      computation: this.#code.computation(node.id),
      params: this.plan.params,
      unheldParked: configuration.faults?.unheldParked === true,
      ignoredHorizon: configuration.faults?.ignoredHorizon === true,
      timersInMemory: configuration.timersInMemory,
      // A call that throws ends nobody.
      maxTries: configuration.isSpare === true ? 1 : undefined,
      hasFarTimers: configuration.farNodes.includes(node.index),
      storeIsEmpty: configuration.emptyNodes.includes(node.index),
      version: configuration.version,
      hasher: this.#hasher,
      router: this.router,
      now: this.#hooks.now,
      deadLetter: (letter) => this.#hooks.deadLetter(letter),
      log: (level, parts, key) => this.#hooks.log(node.name, level, key, parts),
      wake: () => this.#hooks.wake(),
      tableInput: (senders, watermark) =>
        new TableInput({
          plan: this.plan,
          senders,
          numberOf: (injector) => this.numberOf(injector),
          standingOf: (injector) => this.tables.of(injector),
          watermark,
          isSpare: configuration.isSpare === true,
        }),
      beforeCall: (input) => this.#hooks.beforeCall(node, input),
      asyncTurns: this.#hooks.asyncTurns,
      afterFailure: (error) => this.#hooks.afterFailure(error),
    });
    stage.runtime.isSuspicious = configuration.isSuspicious === true;
    this.#seals.set(node.index, new StageSeal(stage, this.numberOf(node.index), this.#hasher));
    return stage;
  }

  #keyFailed({ id, to: index }: PlanStream, record: DeliveredRecord, error: unknown): void {
    const node = this.plan.nodes[index] as PlanNode;
    const stage = this.all[index];
    const counters =
      stage instanceof ComputationStage ? stage.base : (this.sinkCounts[index] as NodeCounters);
    counters.delivered++;
    counters.deadLettered++;
    this.#hooks.deadLetter({
      id: `${node.id}/key/${record.id}`,
      node: node.id,
      input: textOf(record.value),
      ...errorText(error),
      key: undefined,
      timestamp: record.timestamp,
      origin: `record ${record.id} on "${record.stream}", whose key could not be made`,
      state: undefined,
      version: this.configuration.version,
      attempts: 1,
      redrive: recordToRedrive(record, (bytes) => ({ kind: 'unkeyed', stream: id, bytes })),
    });
    this.#hooks.afterFailure(error);
  }
}

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

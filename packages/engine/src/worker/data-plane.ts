/**
 * The data plane of one worker: all stages of its key intervals, run bundle by bundle (architecture.md).
 *
 * Owns: the stages, the queue of input frames, the bundle being made.
 * Does not own: the pipe, the clock, the store. Everything comes and goes as frames, so that the same code
 * runs in a sandbox, in a test, or under another host.
 *
 * A bundle runs stage by stage in topological order. Nothing of it leaves before the host has committed it; a
 * refused bundle ends the worker, so memory never has to go back.
 *
 * Invariants
 *   DP1 (P3)  a bundle holds whole input frames, or of a source chunk whole records; its marks say exactly
 *             which; all of its effects are in its body.
 *   DP2       frames are taken in the order in which they came; watermarks apply behind the records that came
 *             before or with them.
 *   DP3       at most `MAX_UNCOMMITTED` bundles are on their way.
 *   DP4       every path that waits says so with a `status` frame: a silent worker is a worker that runs.
 */
import type { PlanNode, RunPlan } from '@millrace/graph';
import {
  BundleBodyWriter,
  ByteReader,
  ByteWriter,
  decodeHostFrame,
  decodeRecord,
  decodeValue,
  encodeValue,
  encodeWorkerFrame,
  type FetchResult,
  type HostFrame,
  META_SPACE,
  mapEntryKey,
  mapPrefix,
  metaKeys,
  type PrefixScan,
  type StoreEntry,
  spaceOf,
  type Watermark,
  type WorkerConfiguration,
  type WorkerFrame,
} from '@millrace/protocol';
import { DeliveredRecord, freezeData, type MissingContent, seededRandom } from '@millrace/sdk/runtime';
import { ComputationStage, inputIdentity } from './computation-stage.ts';
import { type DeadLetterText, errorText } from './dead-letter.ts';
import { FrameIntake } from './frame-intake.ts';
import { PartitionIngest, type PartitionMark } from './ingest/partition-ingest.ts';
import { InjectorStage } from './injector-stage.ts';
import { textOf } from './json-text.ts';
import { createHasher, type Hasher } from './key-hash.ts';
import { LogBuffer } from './log-buffer.ts';
import { MAX_UNCOMMITTED } from './max-uncommitted.ts';
import { decodeCounters, encodeCounters, type NodeCounters, zeroCounters } from './node-counters.ts';
import { Router } from './router.ts';
import { StageSeal } from './sealer.ts';
import { readUserCode, type UserCode, UserCodeError } from './user-code.ts';

export interface WorkerPorts {
  post(frame: Uint8Array): void;
  now(): number;
  loadModule(code: string): Promise<unknown>;
}

type DeliverFrame = Extract<HostFrame, { kind: 'deliver' }>;

const MAX_FIRINGS = 10_000;
const PROGRESS_MS = 250;
/** A bundle that took longer than this makes the next one smaller, a quicker one larger. */
const BUNDLE_MS = { long: 40, short: 10 } as const;
const RECORDS = { least: 64, most: 16_384, first: 2_048 } as const;
/** Entries fetched with a key; beyond it maps are fetched when they are read. */
const KEY_FETCH_LIMIT = 256;

export function createWorker(ports: WorkerPorts): { receive(frame: Uint8Array): void } {
  return new DataPlane(ports);
}

class DataPlane {
  readonly #ports: WorkerPorts;
  readonly #logs: LogBuffer;
  readonly #body = new BundleBodyWriter();
  readonly #intake: FrameIntake;
  readonly #fetches = new Map<number, (results: readonly FetchResult[]) => void>();
  #configuration: WorkerConfiguration | undefined;
  #plan!: RunPlan;
  #hasher!: Hasher;
  #router!: Router;
  /** By plan index; undefined for sinks. */
  #stages: (InjectorStage | ComputationStage | undefined)[] = [];
  #seals = new Map<number, StageSeal>();
  #sinkCounts: NodeCounters[] = [];
  #written: { counters: string; watermark: string }[] = [];
  #setup: Promise<void> = Promise.resolve();
  #ready = false;
  #running = false;
  #broken = false;
  #bundlesSent = 0;
  #uncommitted = 0;
  #bundleLimit: number = RECORDS.first;
  #bundleMost: number = RECORDS.most;
  #deliveredPosition: number | undefined;
  #finalWall: number | undefined;
  #fetchCount = 0;
  #lastProgress = 0;
  #restored: StoreEntry[] = [];
  #heard: { slot: number; table: readonly Watermark[] }[] = [];
  #wakeRequested = false;

  constructor(ports: WorkerPorts) {
    this.#ports = ports;
    this.#logs = new LogBuffer(ports.now);
    this.#intake = new FrameIntake({
      partition: (node, partition) => this.#injector(node)?.partition(partition),
      deliver: (frame) => this.#takeDelivery(frame),
      watermarks: (slot, table) => this.#heard.push({ slot, table }),
      finalWall: (limit) => {
        this.#finalWall = limit;
      },
    });
  }

  receive(bytes: Uint8Array): void {
    const frame = decodeHostFrame(bytes);
    switch (frame.kind) {
      case 'configure':
        this.#setup = this.#guard(() => this.#configure(frame.configuration, frame.code));
        return;
      case 'restore':
        for (const entry of frame.entries) this.#restored.push(entry);
        if (frame.last) this.#setup = this.#setup.then(() => this.#guard(async () => this.#restore()));
        return;
      case 'committed':
        this.#uncommitted--;
        this.#kick();
        return;
      case 'fetched':
        this.#fetches.get(frame.request)?.(frame.results);
        this.#fetches.delete(frame.request);
        return;
      default:
        this.#intake.push(frame);
        this.#kick();
    }
  }

  // ---- setting up ------------------------------------------------------------------------------------

  async #configure(configuration: WorkerConfiguration, source: string): Promise<void> {
    this.#configuration = configuration;
    this.#bundleMost = configuration.faults?.bundleRecords ?? RECORDS.most;
    this.#bundleLimit = Math.min(RECORDS.first, this.#bundleMost);
    const plan = configuration.plan as RunPlan;
    this.#plan = plan;
    this.#hasher = await createHasher();
    let module: unknown;
    try {
      module = await this.#ports.loadModule(source);
    } catch (error) {
      throw new UserCodeError(
        '',
        `the pipeline's code failed while loading: ${errorText(error).error}`,
        error,
      );
    }
    const code = readUserCode(module, plan);
    this.#router = new Router({
      plan,
      code,
      hasher: this.#hasher,
      slot: configuration.slot,
      slots: configuration.slots,
      egress: configuration.egress,
      enqueue: (stream, record) => (this.#stages[stream.to] as ComputationStage).enqueue(stream, record),
      keyFailed: (stream, record, error) => this.#keyFailed(stream.to, record, error),
      countSink: (node) => {
        (this.#sinkCounts[node] as NodeCounters).delivered++;
        (this.#sinkCounts[node] as NodeCounters).withOutput++;
      },
    });
    this.#sinkCounts = plan.nodes.map(zeroCounters);
    this.#written = plan.nodes.map(() => ({ counters: '', watermark: '' }));
    this.#stages = plan.nodes.map((node) =>
      node.kind === 'computation' ? this.#computationStage(node, code, configuration) : undefined,
    );
    this.#code = code;
  }

  #code!: UserCode;

  #computationStage(node: PlanNode, code: UserCode, configuration: WorkerConfiguration): ComputationStage {
    const inputs = node.inputs
      .map((index) => this.#plan.streams[index])
      .filter((stream) => stream !== undefined);
    const stage = new ComputationStage({
      node,
      inputs,
      senders: [...new Set(inputs.map((stream) => stream.from))],
      slot: configuration.slot,
      slots: configuration.slots,
      computation: code.computation(node.id),
      params: this.#plan.params,
      unheldParked: configuration.faults?.unheldParked === true,
      storeIsEmpty: configuration.emptyNodes.includes(node.index),
      version: configuration.version,
      hasher: this.#hasher,
      router: this.#router,
      now: this.#ports.now,
      deadLetter: (letter) => this.#deadLetter(letter),
      log: (level, parts, key) => this.#logs.add(node.name, level, key, parts),
      wake: () => {
        this.#wakeRequested = true;
        this.#kick();
      },
      beforeCall: (input) => this.#beforeCall(node, input),
    });
    this.#seals.set(
      node.index,
      new StageSeal(stage, configuration.nodeNumbers[node.index] as number, this.#hasher),
    );
    return stage;
  }

  /** Everything an earlier incarnation left for this worker, before any input. */
  #restore(): void {
    const configuration = this.#configuration as WorkerConfiguration;
    const meta = new Map<string, Uint8Array>();
    const bySpace = new Map<number, StoreEntry[]>();
    for (const entry of this.#restored) {
      if (entry.space === META_SPACE) meta.set(utf8.decode(entry.key), entry.value);
      else {
        const list = bySpace.get(entry.space);
        if (list === undefined) bySpace.set(entry.space, [entry]);
        else list.push(entry);
      }
    }
    this.#restored = [];
    for (const node of this.#plan.nodes) {
      const number = configuration.nodeNumbers[node.index] as number;
      if (node.kind === 'injector') this.#stages[node.index] = this.#injectorStage(node, number, meta);
      const counters = meta.get(utf8.decode(metaKeys.counters(configuration.slot, number)));
      const watermarks = meta.get(utf8.decode(metaKeys.watermarks(configuration.slot, number)));
      const stage = this.#stages[node.index];
      if (stage === undefined) {
        if (counters !== undefined)
          Object.assign(this.#sinkCounts[node.index] as NodeCounters, decodeCounters(counters));
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
          : (decodeValue(new ByteReader(watermarks)) as { out?: number; in?: number });
      if (stage instanceof InjectorStage) {
        if (stored?.out !== undefined) stage.restore(stored.out);
        continue;
      }
      const seal = this.#seals.get(node.index) as StageSeal;
      for (const { key, value } of bySpace.get(spaceOf(number, 'holds')) ?? []) seal.restoreHold(key, value);
      for (const { key, value } of bySpace.get(spaceOf(number, 'timers')) ?? [])
        seal.restoreTimer(key, value);
      for (const { key, value } of bySpace.get(spaceOf(number, 'parked')) ?? [])
        seal.restoreParked(key, value);
      stage.restore(watermarkAt(stored?.out), watermarkAt(stored?.in));
    }
    this.#ready = true;
    this.#post({ kind: 'ready' });
    this.#kick();
  }

  #injectorStage(node: PlanNode, number: number, meta: ReadonlyMap<string, Uint8Array>): InjectorStage {
    const configuration = this.#configuration as WorkerConfiguration;
    const settings = configuration.ingest[node.index];
    if (settings === undefined || settings === null)
      throw new Error(`no ingest settings for injector ${node.name}`);
    const makeValue = this.#code.value(node.id);
    const partitions = configuration.partitions
      .filter((p) => p.node === node.index)
      .map(({ partition, name }) => {
        const mark = meta.get(utf8.decode(metaKeys.source(number, name)));
        const seed = `${node.id}/${name}`;
        const ingest = new PartitionIngest(
          name,
          {
            format: settings.format,
            columns: settings.columns,
            delimiter: settings.delimiter,
            timestampRule: { unit: settings.unit, zone: settings.zone },
            slackMs: settings.slackMs,
            exact: settings.exact,
            idleTimeoutMs: settings.idleTimeoutMs ?? undefined,
            futureBoundMs: settings.futureBoundMs ?? undefined,
            timestamp: this.#code.timestamp(node.id),
            value: makeValue && ((n, time) => makeValue(n, time, seededRandom(`${seed}@${n}`))),
            now: this.#ports.now,
            beforeRecord: (position) => this.#beforeRecord(`${node.id}|${name}`, position),
          },
          mark === undefined ? undefined : (decodeValue(new ByteReader(mark)) as PartitionMark),
        );
        return { index: partition, ingest };
      });
    return new InjectorStage({
      node,
      partitions,
      router: this.#router,
      key: settings.key,
      version: configuration.version,
      deadLetter: (letter) => this.#deadLetter(letter),
    });
  }

  // ---- the loop --------------------------------------------------------------------------------------

  #kick(): void {
    if (this.#running || !this.#ready || this.#broken) return;
    this.#running = true;
    void this.#guard(() => this.#loop());
  }

  async #loop(): Promise<void> {
    while (this.#uncommitted < MAX_UNCOMMITTED && this.#hasWork()) {
      const made = this.#runBundle();
      if (made !== undefined) await made;
    }
    this.#postLogs();
    this.#postStatus();
    // In one step with the last look at the inbox: a frame that came in between would wake nobody.
    this.#running = false;
  }

  #hasWork(): boolean {
    if (!this.#intake.empty || this.#sourceBacklog || this.#wakeRequested || this.#owesFirings) return true;
    const now = this.#ports.now();
    for (const stage of this.#stages) {
      if (!(stage instanceof ComputationStage)) continue;
      if (stage.runtime.hasReady) return true;
      const due = earliest(
        stage.runtime.nextRetry,
        stage.runtime.wallTimersRun ? stage.runtime.nextWallTimer : undefined,
      );
      if (due !== undefined && due <= now) return true;
    }
    return false;
  }

  /** The last chunk taken still has records to give. */
  #sourceBacklog = false;
  #owesFirings = false;

  /** One bundle. Gives a promise only when the store had to be asked. */
  async #runBundle(): Promise<void> {
    const started = this.#ports.now();
    this.#wakeRequested = false;
    this.#lastProgress = started;
    const limit = this.#bundleLimit;
    this.#intake.take(limit);
    const owed = this.#owesFirings;
    this.#owesFirings = false;
    this.#sourceBacklog = false;
    const share = owed ? 0 : Math.ceil(limit / this.#readingPartitions());
    for (const stage of this.#stages) {
      if (stage instanceof InjectorStage) {
        if (stage.ingest(share)) this.#sourceBacklog = true;
      } else if (stage !== undefined) {
        const waited = this.#runStage(stage);
        if (waited !== undefined) await waited;
      }
    }
    this.#heard = [];
    this.#finalWall = undefined;
    this.#seal();
    const took = this.#ports.now() - started;
    if (took > BUNDLE_MS.long)
      this.#bundleLimit = Math.min(this.#bundleMost, Math.max(RECORDS.least, this.#bundleLimit >> 1));
    else if (took < BUNDLE_MS.short && this.#sourceBacklog && !owed)
      this.#bundleLimit = Math.min(this.#bundleMost, this.#bundleLimit << 1);
  }

  #readingPartitions(): number {
    let reading = 0;
    for (const stage of this.#stages) {
      if (stage instanceof InjectorStage)
        for (const { ingest } of stage.partitions) if (ingest.unreadBytes > 0) reading++;
    }
    return Math.max(1, reading);
  }

  #injector(node: number): InjectorStage | undefined {
    const stage = this.#stages[node];
    return stage instanceof InjectorStage ? stage : undefined;
  }

  #takeDelivery(frame: DeliverFrame): number {
    let records = 0;
    for (const batch of frame.batches) {
      const stage = this.#stages[batch.node] as ComputationStage;
      const stream = this.#plan.streams[batch.stream];
      if (stream === undefined) continue;
      const r = new ByteReader(batch.bytes);
      for (let i = 0; i < batch.count; i++) {
        const { key, value, timestamp, id, pane } = decodeRecord(r);
        stage.enqueue(
          stream,
          new DeliveredRecord(
            key,
            freezeData(value),
            timestamp,
            stream.toPort,
            pane,
            undefined,
            id,
            undefined,
            0,
          ),
        );
        records++;
      }
    }
    this.#deliveredPosition = frame.position;
    return records;
  }

  #runStage(stage: ComputationStage): Promise<void> | undefined {
    const runtime = stage.runtime;
    runtime.allowFirings(MAX_FIRINGS);
    if (!runtime.knowsAllKeys)
      for (const queue of stage.queues) for (const record of queue) runtime.prefetch(record.key);
    const missing = runtime.takeMissing();
    if (missing.length > 0) return this.#runStageAfter(stage, missing);
    this.#runKeys(stage);
    const more = runtime.takeMissing();
    return more.length > 0 ? this.#runStageAfter(stage, more) : this.#endStage(stage);
  }

  async #runStageAfter(stage: ComputationStage, first: readonly MissingContent[]): Promise<void> {
    let missing = first;
    while (missing.length > 0) {
      await this.#fetch(stage, missing);
      this.#runKeys(stage);
      missing = stage.runtime.takeMissing();
    }
    this.#endStage(stage);
  }

  #runKeys(stage: ComputationStage): void {
    stage.runtime.fireDue();
    stage.runQueued();
    for (const sender of stage.senders) {
      const watermark =
        this.#stages[sender] instanceof InjectorStage
          ? (this.#stages[sender] as InjectorStage).watermark
          : (this.#stages[sender] as ComputationStage).output;
      stage.hear(sender, (this.#configuration as WorkerConfiguration).slot, watermark);
      for (const { slot, table } of this.#heard)
        if (table[sender] !== undefined) stage.hear(sender, slot, table[sender]);
    }
    stage.runtime.runWaiting();
    stage.advance();
    stage.runtime.runWaiting();
    if (this.#finalWall !== undefined) this.#fireFinal(stage, this.#finalWall);
  }

  /** The input has ended everywhere: wall timers fire in order, with `ctx.now` at their time (W6). */
  #fireFinal(stage: ComputationStage, limit: number): void {
    for (let left = MAX_FIRINGS; left > 0; left--) {
      const next = stage.runtime.nextWallTimer;
      if (next === undefined || next > limit || !stage.runtime.fireNextWallTimer()) return;
    }
  }

  #endStage(stage: ComputationStage): undefined {
    stage.settle();
    if (stage.runtime.owesFirings) this.#owesFirings = true;
    return undefined;
  }

  // ---- the store -------------------------------------------------------------------------------------

  async #fetch(stage: ComputationStage, missing: readonly MissingContent[]): Promise<void> {
    const seal = this.#seals.get(stage.node.index) as StageSeal;
    const space = spaceOf(
      (this.#configuration as WorkerConfiguration).nodeNumbers[stage.node.index] as number,
      'state',
    );
    const scans = missing.map(({ entry, map, mapKey }): PrefixScan => {
      const prefix = seal.prefixOf(entry);
      if (map === undefined) return { space, prefix, limit: KEY_FETCH_LIMIT };
      return mapKey === undefined
        ? { space, prefix: mapPrefix(prefix, map), limit: Number.MAX_SAFE_INTEGER }
        : { space, prefix: mapEntryKey(prefix, map, mapKey), limit: 1 };
    });
    const request = ++this.#fetchCount;
    const results = await new Promise<readonly FetchResult[]>((resolve) => {
      this.#fetches.set(request, resolve);
      this.#post({ kind: 'fetch', request, scans });
    });
    this.#lastProgress = this.#ports.now();
    missing.forEach(({ entry, map, mapKey }, i) => {
      const { entries, complete } = results[i] as FetchResult;
      if (map === undefined) this.#cached += seal.load(entry, entries, complete);
      else {
        this.#cached += seal.loadMap(entry, map, entries, mapKey);
        stage.runtime.mapLoaded(entry);
      }
    });
  }

  /** Estimated bytes of all key content in memory. */
  #cached = 0;

  /**
   * Drops keys when memory is full, the longest-known first. Only what is committed can be read back, so a key
   * sealed in a bundle that is still on its way stays.
   */
  #evict(): void {
    const limit = (this.#configuration as WorkerConfiguration).cacheBytes;
    if (this.#cached <= limit) return;
    const committed = this.#bundlesSent - this.#uncommitted;
    for (const stage of this.#stages) {
      if (!(stage instanceof ComputationStage)) continue;
      const { runtime } = stage;
      let surplus = Math.ceil(runtime.size / 4);
      for (const entry of runtime.entries()) {
        if (surplus-- <= 0) break;
        const { weight } = entry;
        if (entry.sealedIn <= committed && runtime.evict(entry)) this.#cached -= weight;
      }
    }
  }

  // ---- sealing ---------------------------------------------------------------------------------------

  #seal(): void {
    const configuration = this.#configuration as WorkerConfiguration;
    const body = this.#body;
    this.#router.seal(body);
    const watermarks: Watermark[] = [];
    for (const node of this.#plan.nodes) {
      const number = configuration.nodeNumbers[node.index] as number;
      const stage = this.#stages[node.index];
      if (stage instanceof ComputationStage) {
        this.#cached += (this.#seals.get(node.index) as StageSeal).seal(body, this.#bundlesSent + 1);
        watermarks.push(stage.output);
      } else if (stage instanceof InjectorStage) {
        this.#sealMarks(stage, number);
        watermarks.push(stage.watermark);
      } else watermarks.push({ kind: 'not-yet' });
      this.#sealNumbers(node, number, watermarks[node.index] as Watermark);
    }
    if (this.#deliveredPosition !== undefined) {
      const w = new ByteWriter(8);
      w.f64(this.#deliveredPosition);
      body.put(META_SPACE, metaKeys.delivered(configuration.slot), w.take());
      this.#deliveredPosition = undefined;
    }
    if (body.empty) return;
    this.#bundlesSent++;
    this.#uncommitted++;
    this.#post({
      kind: 'bundle',
      bundleNumber: this.#bundlesSent,
      throughSequence: this.#intake.finished,
      watermarks,
      body: body.take(),
    });
    this.#evict();
  }

  #sealMarks(stage: InjectorStage, number: number): void {
    for (const { ingest } of stage.partitions) {
      const mark = ingest.takeMark();
      if (mark === undefined) continue;
      const w = new ByteWriter(64);
      encodeValue(w, mark);
      this.#body.put(META_SPACE, metaKeys.source(number, ingest.name), w.take());
    }
  }

  #sealNumbers(node: PlanNode, number: number, output: Watermark): void {
    const { slot } = this.#configuration as WorkerConfiguration;
    const written = this.#written[node.index] as { counters: string; watermark: string };
    const stage = this.#stages[node.index];
    const counters = encodeCounters(stage?.counters ?? (this.#sinkCounts[node.index] as NodeCounters));
    const text = counters.join();
    if (text !== written.counters) {
      written.counters = text;
      this.#body.put(META_SPACE, metaKeys.counters(slot, number), counters);
    }
    const input = stage instanceof ComputationStage ? stage.input : output;
    const stored = { out: timeOf(output), in: timeOf(input), outKind: output.kind, inKind: input.kind };
    const spelled = JSON.stringify(stored);
    if (spelled === written.watermark) return;
    written.watermark = spelled;
    const w = new ByteWriter(64);
    encodeValue(w, stored);
    this.#body.put(META_SPACE, metaKeys.watermarks(slot, number), w.take());
  }

  // ---- reports ---------------------------------------------------------------------------------------

  #postStatus(): void {
    let waiting = 0;
    let running = 0;
    let wakeAt: number | undefined;
    let nextWallTimer: number | undefined;
    for (const stage of this.#stages) {
      if (stage instanceof InjectorStage) wakeAt = earliest(wakeAt, stage.idleAt);
      if (!(stage instanceof ComputationStage)) continue;
      waiting += stage.runtime.waiting;
      running += stage.runtime.running;
      wakeAt = earliest(wakeAt, stage.runtime.nextRetry);
      nextWallTimer = earliest(nextWallTimer, stage.runtime.nextWallTimer);
    }
    wakeAt = earliest(wakeAt, nextWallTimer);
    this.#post({
      kind: 'status',
      throughSequence: this.#intake.finished,
      bundlesSent: this.#bundlesSent,
      pending: this.#hasWork(),
      waiting,
      running,
      wakeAt,
      nextWallTimer,
    });
  }

  #postLogs(): void {
    const logs = this.#logs.take();
    if (logs !== undefined) this.#post({ kind: 'logs', ...logs });
  }

  /** Says what is about to run, where a predecessor died of it; the error means that it must not run (P8). */
  #beforeCall(node: PlanNode, input: Parameters<typeof inputIdentity>[1]): Error | undefined {
    return this.#careful ? this.#announce(inputIdentity(node.id, input)) : this.#reportProgress();
  }

  /** The same for a record of a source, whose expressions are user code, too. */
  #beforeRecord(place: string, position: number): Error | undefined {
    if (this.#careful) return this.#announce(`${place}@${position}`);
    // Reading the clock costs as much as a short expression.
    this.#untilProgress = (this.#untilProgress + 1) & 63;
    return this.#untilProgress === 0 ? this.#reportProgress() : undefined;
  }

  #untilProgress = 0;

  get #careful(): boolean {
    return (this.#configuration as WorkerConfiguration).careful && this.#bundlesSent < CAREFUL_BUNDLES;
  }

  #announce(identity: string): Error | undefined {
    const { poison } = this.#configuration as WorkerConfiguration;
    const reason = Object.hasOwn(poison, identity) ? poison[identity] : undefined;
    if (reason !== undefined) return new Error(reason);
    this.#post({ kind: 'progress', input: identity });
    return undefined;
  }

  #reportProgress(): undefined {
    const now = this.#ports.now();
    if (now - this.#lastProgress < PROGRESS_MS) return;
    this.#lastProgress = now;
    this.#post({ kind: 'progress', input: '' });
  }

  #keyFailed(index: number, record: DeliveredRecord, error: unknown): void {
    const node = this.#plan.nodes[index] as PlanNode;
    const stage = this.#stages[index];
    const counters =
      stage instanceof ComputationStage ? stage.base : (this.#sinkCounts[index] as NodeCounters);
    counters.delivered++;
    counters.deadLettered++;
    this.#deadLetter({
      id: `${node.id}/key/${record.id}`,
      node: node.id,
      input: textOf(record.value),
      ...errorText(error),
      key: undefined,
      timestamp: record.timestamp,
      origin: `record ${record.id} on "${record.stream}", whose key could not be made`,
      state: undefined,
      version: (this.#configuration as WorkerConfiguration).version,
      attempts: 1,
    });
  }

  #deadLetter(letter: DeadLetterText): void {
    this.#body.deadLetter(JSON.stringify(letter));
  }

  #post(frame: WorkerFrame): void {
    this.#ports.post(encodeWorkerFrame(frame));
  }

  /** A fault of the data plane or of the code's loading ends this worker, with a message that names the node. */
  async #guard(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (this.#broken) return;
      this.#broken = true;
      const { error: message, stack } = errorText(error);
      this.#post({
        kind: 'failed',
        node: error instanceof UserCodeError ? error.node : '',
        message: error instanceof UserCodeError ? error.message : message,
        stack,
      });
    }
  }
}

/** Behind so many bundles lies whatever ended the worker before; the host counts the same. */
const CAREFUL_BUNDLES = 64;
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

function watermarkAt(time: number | undefined): Watermark {
  return time === undefined ? { kind: 'not-yet' } : { kind: 'at', time };
}

function timeOf(watermark: Watermark): number | undefined {
  return 'time' in watermark ? watermark.time : undefined;
}

function earliest(a: number | undefined, b: number | undefined): number | undefined {
  if (a === undefined) return b;
  return b !== undefined && b < a ? b : a;
}

/**
 * The data plane of one worker: all stages of its key intervals, run bundle by bundle (architecture.md).
 *
 * Owns: the stages, the queue of input frames, the bundle being made.
 * Does not own: the pipe, the clock, the store. Everything comes and goes as frames, so that the same code
 * runs in a sandbox, in a test, or under another host.
 *
 * A bundle is a few passes over all stages in topological order, sealed together. Nothing of it leaves before the host
 * has committed it; a refused bundle ends the worker, so memory never has to go back.
 *
 * Invariants
 *   DP1 (P3)  a bundle holds whole input frames, or of a source chunk whole records; its marks say exactly
 *             which; all of its effects are in its body.
 *   DP2       frames are taken in the order in which they came; watermarks apply behind the records that came
 *             before or with them.
 *   DP3       at most `MAX_UNCOMMITTED` bundles are on their way; one more takes in what comes meanwhile, until it
 *             is full, and is sealed when one of those is committed.
 *   DP4       every path that waits says so with a `status` frame: a silent worker is a worker that runs.
 *   DP5       frames that were read together are taken together: one bundle and one report, not one for each.
 */
import type { RunPlan } from '@millrace/graph';
import {
  AWAY_SLOT,
  BundleBodyWriter,
  decodeHostFrame,
  encodeWorkerFrame,
  type StoreEntry,
  type Watermark,
  type WorkerConfiguration,
  type WorkerFrame,
} from '@millrace/protocol';
import type { MissingContent } from '@millrace/sdk/runtime';
import { Breath } from './breath.ts';
import { BundleSize } from './bundle-size.ts';
import { Care } from './care.ts';
import { ComputationStage } from './computation-stage.ts';
import { Effort } from './effort.ts';
import { FrameIntake } from './frame-intake.ts';
import { InjectorStage } from './injector-stage.ts';
import { IntervalDuty } from './interval-duty.ts';
import { KeyCache } from './key-cache.ts';
import { createHasher } from './key-hash.ts';
import { LogBuffer } from './log-buffer.ts';
import { MAX_UNCOMMITTED } from './max-uncommitted.ts';
import { wantedTooMuch } from './memory-relief.ts';
import { NumberSeal } from './number-seal.ts';
import { queueDelivery } from './received-batches.ts';
import { type Advice, Suspicion } from './suspicion.ts';
import { failureOf, loadUserCode } from './user-code-loading.ts';
import { canGoOn, type FinalWall, finalWallOf, waitingWork } from './waiting-work.ts';
import type { Worker, WorkerPorts } from './worker-ports.ts';
import { WorkerStages } from './worker-stages.ts';

const MAX_FIRINGS = 10_000;
const HOT_KEYS_EVERY_MS = 1_000;

export function createDataPlane(ports: WorkerPorts): Worker {
  return new DataPlane(ports);
}

class DataPlane implements Worker {
  readonly #ports: WorkerPorts;
  readonly #logs: LogBuffer;
  readonly #body = new BundleBodyWriter();
  readonly #intake: FrameIntake;
  readonly #breath: Breath;
  #stages!: WorkerStages;
  #numbers!: NumberSeal;
  #cache!: KeyCache;
  #care!: Care;
  #effort!: Effort;
  #suspicion!: Suspicion;
  #setup: Promise<void> = Promise.resolve();
  #restored: StoreEntry[] = [];
  #ready = false;
  #running = false;
  #broken = false;
  #bundlesSent = 0;
  #uncommitted = 0;
  #size = new BundleSize();
  /** True while a bundle is begun and not sealed. */
  #isOpen = false;
  /** By channel, log position of the last delivery in the bundle being made. */
  readonly #deliveredPositions = new Map<number, number>();
  #intervals!: IntervalDuty;
  /** Watermarks of other workers that came with the bundle being made. */
  #heard: { slot: number; table: readonly Watermark[]; lowered: boolean }[] = [];
  #finalWall: FinalWall | undefined;
  #wakeRequested = false;
  /** Some partition has more records at hand than the last bundle took. */
  #sourceBacklog = false;
  /** Timers are due that the last bundle did not fire (T5). */
  #owesFirings = false;
  #hotKeysAt = 0;

  readonly print: Worker['print'] = (level, parts) => this.#logs.print(level, parts);

  constructor(ports: WorkerPorts) {
    this.#ports = ports;
    this.#breath = new Breath(ports.now, ports.breathe);
    this.#logs = new LogBuffer(ports.now, (frame) => this.#post(frame));
    this.#intake = new FrameIntake({
      partition: (node, partition) => this.#stages.injector(node)?.partition(partition),
      deliver: (frame) => {
        this.#deliveredPositions.set(frame.channel, frame.position);
        return queueDelivery(this.#stages, frame);
      },
      watermarks: (slot, table, lowered) => this.#heard.push({ slot, table, lowered }),
      intervals: (change) => this.#intervals.take(change),
      inherit: (frame) => this.#intervals.inherit(frame),
      table: (node, standing) => this.#stages.tables.take(node, standing),
      finalWall: (limit) => {
        this.#finalWall = finalWallOf(this.#stages, limit);
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
      case 'tap':
        if (this.#ready) this.#stages.taps.set(frame.stream, frame);
        return;
      case 'fetched':
        this.#cache.fetched(frame.request, frame.results);
        return;
      case 'cleared':
      case 'condemned':
      case 'trusted':
        void this.#setup.then(() => this.#advised(frame));
        return;
      default:
        if (frame.kind !== 'trial') this.#intake.push(frame);
        this.#kick();
    }
  }

  #askForHeld(): void {
    this.#suspicion.ask(this.#bundlesSent + Number(this.#isOpen), this.#bundlesSent - this.#uncommitted);
  }

  #advised(frame: Advice): void {
    if (this.#broken) return;
    this.#suspicion.receive(frame, this.#bundlesSent);
    // What may run now has perhaps to be fetched first, which only a bundle does.
    this.#wakeRequested = true;
    this.#kick();
  }

  // ---- setting up ------------------------------------------------------------------------------------

  async #configure(configuration: WorkerConfiguration, source: string): Promise<void> {
    this.#size = new BundleSize(configuration.faults?.bundleRecords);
    const hasher = await createHasher();
    const code = await loadUserCode(this.#ports, source, configuration.plan as RunPlan);
    this.#care = new Care(configuration, (input) => this.#post({ kind: 'progress', input }), this.#ports.now);
    this.#stages = new WorkerStages(configuration, code, hasher, {
      now: this.#ports.now,
      deadLetter: (letter) => this.#body.deadLetter(JSON.stringify(letter)),
      log: (node, level, key, parts) => this.#logs.add(node, level, key, parts),
      wake: () => {
        this.#wakeRequested = true;
        this.#kick();
      },
      beforeCall: (node, input) => {
        this.#logs.called(node, input);
        return this.#care.beforeCall(node, input, this.#bundlesSent);
      },
      asyncTurns: this.#care,
      afterFailure: (error) => void (wantedTooMuch(error) && this.#ports.collectGarbage?.()),
      beforeRecord: (node, place, position) =>
        this.#care.beforeRecord(node, place, position, this.#bundlesSent),
    });
    this.#effort = new Effort(this.#ports.now, this.#stages.plan.nodes.length);
    this.#numbers = new NumberSeal(this.#stages);
    this.#suspicion = new Suspicion(this.#stages, this.#care, (frame) => this.#post(frame));
    this.#cache = new KeyCache(this.#stages, (frame) => this.#post(frame));
    this.#intervals = new IntervalDuty(this.#stages);
  }

  #restore(): void {
    this.#stages.restore(this.#restored);
    this.#restored = [];
    this.#ready = true;
    this.#post({ kind: 'ready' });
    this.#kick();
  }

  // ---- the loop --------------------------------------------------------------------------------------

  #kick(): void {
    if (this.#running || !this.#ready || this.#broken) return;
    this.#running = true;
    void this.#guard(() => this.#loop());
  }

  async #loop(): Promise<void> {
    // DP5: whoever reads them hands over all that are there before anything else runs.
    await undefined;
    while (this.#hasWork()) {
      await this.#runBundle();
    }
    this.#report();
    // In one step with the last look at the inbox: a frame that came in between would wake nobody.
    this.#running = false;
  }

  #hasWork(): boolean {
    if (this.#isOpen) {
      if (this.#uncommitted < MAX_UNCOMMITTED) return true;
      if (!this.#mayGrow) return false;
    }
    if (!this.#intake.empty || this.#sourceBacklog || this.#wakeRequested || this.#owesFirings) return true;
    return canGoOn(this.#stages, this.#ports.now());
  }

  /** Goes on with the bundle as long as there is work for it, and seals it if one more may be on its way. */
  async #runBundle(): Promise<void> {
    if (!this.#isOpen) this.#begin();
    this.#wakeRequested = false;
    this.#care.heard();
    for (
      let more = this.#mayGrow;
      more;
      more = (this.#sourceBacklog || !this.#intake.empty) && this.#mayGrow
    ) {
      const pass = this.#runPass();
      if (pass !== undefined) await pass;
      this.#care.between();
      this.#size.passed(pass !== undefined);
      await this.#takeBreath();
    }
    if (this.#uncommitted >= MAX_UNCOMMITTED) return;
    this.#isOpen = false;
    this.#size.sealed(this.#seal());
    this.#logs.tell();
    this.#askForHeld();
  }

  async #takeBreath(): Promise<void> {
    const breath = this.#breath.take(this.#intake.unreadBytes);
    if (breath === undefined) return;
    await breath;
    this.#care.heard();
  }

  #begin(): void {
    const now = this.#ports.now();
    this.#isOpen = true;
    this.#size.begin(now);
    this.#stages.taps.begin(now);
    for (const { runtime } of this.#stages.computations) {
      runtime.adapt();
      runtime.allowFirings(MAX_FIRINGS);
    }
  }

  /** Where no timer may fire any more (T5), further records would be parked. */
  get #mayGrow(): boolean {
    return (
      !this.#size.isFull(this.#ports.now()) &&
      this.#stages.computations.every(({ runtime }) => !runtime.firingsSpent)
    );
  }

  /** All stages once. Gives a promise only when the store had to be asked. */
  #runPass(): Promise<void> | undefined {
    const limit = this.#size.passRecords;
    this.#size.take(this.#intake.take(limit));
    const share = this.#owesFirings ? 0 : Math.ceil(limit / this.#stages.readingPartitions);
    this.#owesFirings = false;
    this.#sourceBacklog = false;
    return this.#runStages(0, share);
  }

  #runStages(from: number, share: number): Promise<void> | undefined {
    const { all } = this.#stages;
    for (let i = from; i < all.length; i++) {
      const stage = all[i];
      if (stage instanceof InjectorStage) {
        const before = stage.counters.delivered;
        if (this.#effort.of(stage.node.index, () => stage.ingest(share))) this.#sourceBacklog = true;
        this.#stages.tables.takeFrom(stage);
        this.#size.take(stage.counters.delivered - before);
      } else if (stage !== undefined) {
        const waited = this.#runStage(stage);
        if (waited !== undefined) return waited.then(() => this.#runStages(i + 1, share));
      }
    }
    this.#heard = [];
    this.#finalWall = undefined;
    return undefined;
  }

  #runStage(stage: ComputationStage): Promise<void> | undefined {
    const { runtime } = stage;
    if (!runtime.keys.knowsAll)
      for (const queue of stage.queues)
        for (const record of queue) runtime.keys.need(runtime.keys.at(record.key));
    const missing = runtime.keys.takeMissing();
    if (missing.length > 0 || stage.clockToRead !== undefined) return this.#runStageAfter(stage, missing);
    this.#effort.of(stage.node.index, () => this.#runKeys(stage));
    const more = runtime.keys.takeMissing();
    return more.length > 0 || stage.clockToRead !== undefined
      ? this.#runStageAfter(stage, more)
      : this.#endStage(stage);
  }

  async #runStageAfter(stage: ComputationStage, first: readonly MissingContent[]): Promise<void> {
    let missing = first;
    // Keys first: timers that wait for them fire before more of them are read.
    for (
      let clock = stage.clockToRead;
      missing.length > 0 || clock !== undefined;
      clock = stage.clockToRead
    ) {
      this.#care.between();
      if (missing.length > 0) await this.#cache.fetch(stage, missing);
      else if (clock !== undefined) await this.#cache.fetchDue(stage, clock);
      this.#care.heard();
      this.#effort.of(stage.node.index, () => this.#runKeys(stage));
      missing = stage.runtime.keys.takeMissing();
    }
    this.#endStage(stage);
  }

  #runKeys(stage: ComputationStage): void {
    stage.runtime.fireDue();
    if (stage.clockToRead === 'watermark' || !stage.runQueued()) return;
    for (const sender of stage.senders) {
      stage.hear(sender, this.#stages.configuration.slot, this.#stages.outputOf(sender));
      for (const { slot, table, lowered } of this.#heard) {
        const watermark = table[sender];
        if (watermark === undefined) continue;
        if (lowered) stage.hearLowered(sender, slot, watermark);
        else stage.hear(sender, slot, watermark);
      }
    }
    stage.settleTables();
    stage.runtime.runWaiting();
    stage.advance();
    stage.runtime.runWaiting();
    if (this.#finalWall?.stage === stage) stage.fireFinal(this.#finalWall.limit, MAX_FIRINGS);
  }

  #endStage(stage: ComputationStage): undefined {
    stage.settle();
    if (stage.runtime.owesFirings) this.#owesFirings = true;
    return undefined;
  }

  // ---- sealing ---------------------------------------------------------------------------------------

  /** Returns the bytes of the bundle's body. */
  #seal(): number {
    const body = this.#body;
    const { router } = this.#stages;
    if (router.sendsAway) this.#intervals.sentAway(this.#bundlesSent + 1);
    router.seal(body);
    const watermarks: Watermark[] = [];
    for (const node of this.#stages.plan.nodes) {
      const stage = this.#stages.all[node.index];
      if (stage instanceof ComputationStage)
        this.#cache.grew(this.#stages.sealOf(stage).seal(body, this.#bundlesSent + 1));
      else if (stage !== undefined) this.#numbers.sealMarks(body, stage);
      watermarks.push(this.#stages.outputOf(node.index));
    }
    this.#cache.grew(-this.#intervals.giveUp());
    for (const node of this.#stages.plan.nodes)
      this.#numbers.sealNode(body, node, watermarks[node.index] as Watermark);
    this.#numbers.sealStreams(body);
    if (this.#stages.configuration.faults?.unmarkedMoves === true) this.#deliveredPositions.delete(AWAY_SLOT);
    if (this.#deliveredPositions.size > 0) this.#numbers.sealDelivered(body, this.#deliveredPositions);
    const step = this.#intervals.takeStep();
    if (step !== undefined) this.#numbers.sealStep(body, step);
    if (body.empty) return 0;
    const bytes = body.take();
    this.#bundlesSent++;
    this.#uncommitted++;
    this.#post({
      kind: 'bundle',
      bundleNumber: this.#bundlesSent,
      throughSequence: this.#intake.finished,
      watermarks,
      body: bytes,
    });
    const samples = this.#stages.taps.active ? this.#stages.taps.take() : [];
    if (samples.length > 0) this.#post({ kind: 'taps', bundleNumber: this.#bundlesSent, samples });
    this.#cache.evict(this.#bundlesSent - this.#uncommitted);
    return bytes.length;
  }

  /** DP4: nothing is left to do, and the host hears of it. */
  #report(): void {
    this.#askForHeld();
    this.#logs.tell();
    const spentMs = this.#effort.take();
    if (spentMs !== undefined) this.#post({ kind: 'effort', spentMs });
    this.#tellHotKeys();
    this.#post({
      kind: 'status',
      throughSequence: this.#intake.finished,
      bundlesSent: this.#bundlesSent,
      pending: this.#isOpen || this.#hasWork(),
      ...waitingWork(this.#stages),
    });
  }

  #tellHotKeys(): void {
    const now = this.#ports.now();
    if (Math.abs(now - this.#hotKeysAt) < HOT_KEYS_EVERY_MS) return;
    const reports = this.#stages.computations.flatMap((stage) => stage.hotKeys.take(stage.node.index) ?? []);
    if (reports.length === 0) return;
    this.#hotKeysAt = now;
    this.#post({ kind: 'hot-keys', reports });
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
      this.#post(failureOf(error));
    }
  }
}

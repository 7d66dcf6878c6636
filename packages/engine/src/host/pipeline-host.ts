/**
 * Runs one pipeline with a fixed number of workers until its input ends, it is drained, or it fails.
 *
 * Owns: the workers' life (claim, start, restart), what flows between them, when to fold, when it is over.
 * Does not own: the commit log's decisions (`committer`), rows (`paged`), marks of sinks (`sink-runner`).
 *
 * Invariants
 *   PH1 (P6)  a slot is claimed before anything of it is read; the bundles of its old worker are settled first.
 *   PH2 (W2)  a worker hears a watermark only behind every batch committed before it.
 *   PH3       input is read only while unfolded and undelivered bytes are below their bounds, and nobody holds it.
 *   PH4       "over" is decided from committed facts only: nothing sent, waiting, running, undelivered.
 *   PH5       a worker whose bundles outrun the folder or the sinks is not told of its commits until they catch
 *             up, so that it stops; whatever it sends, an error of its frames is its pipeline's end, not the host's.
 */
import type { PlanNode, RunPlan } from '@millrace/graph';
import {
  ByteReader,
  decodeSourceMark,
  META_SPACE,
  metaKeys,
  type SourceAssignment,
  type TapSample,
  type Watermark,
} from '@millrace/protocol';
import type { OpenInjector } from '../ports.ts';
import { WatermarkAuthority } from '../watermark/authority.ts';
import { WatermarkCoalescer } from '../watermark/coalescer.ts';
import { BusyMeter } from './busy-meter.ts';
import { CommitMeter } from './commit-meter.ts';
import { Committer, type Submission } from './committer.ts';
import type { Counts } from './counts.ts';
import { ownBytes, slotTarget } from './deliveries.ts';
import { answerFetch, fetchRules } from './fetch-rules.ts';
import { FoldLoop, UNFOLDED_BOUND } from './fold-loop.ts';
import { type FrameRules, frameRules } from './frame-rules.ts';
import { LogGate } from './log-gate.ts';
import { PushedSources } from './pushed-sources.ts';
import type { Recovered } from './recovery.ts';
import { countRejectedRows } from './rejected-rows.ts';
import { restoreFrames } from './restore-frames.ts';
import type { FailureCause, RunOptions } from './run-options.ts';
import { SinkRunner } from './sink-runner.ts';
import { SourceRunner } from './source-runner.ts';
import { type PipelineState, stateOf } from './state-browser.ts';
import { TapHub } from './tap-hub.ts';
import { describeDeath, WorkerHealth } from './worker-health.ts';
import { type BundleFrame, type WorkerDeath, WorkerLink } from './worker-link.ts';
import { inheritanceOf, workerConfiguration } from './worker-priming.ts';

export interface PipelineHostOptions {
  readonly run: RunOptions;
  readonly recovered: Recovered;
  readonly counts: Counts;
  readonly slots: number;
  /** Read nothing; end when all that is in flight is finished. */
  readonly draining: boolean;
  /** Read nothing until `hold(false)`. */
  readonly held: boolean;
}

export type Ending =
  | { readonly kind: 'done' }
  | { readonly kind: 'drained' }
  | { readonly kind: 'failed'; readonly error: string; readonly cause: FailureCause };

const SILENCE_MS = 5_000;
const START_MS = 30_000;
const NEVER_LOADED = `its code did not load within ${START_MS / 1000} s`;
const CHECK_MS = 100;
/** How often a worker with `async` calls is asked for a sign of life; it says nothing by itself while they last. */
const ASK_MS = 1_000;
const UNDELIVERED_BOUND = 64 * 1024 * 1024;
const WORKER_BACKLOG_BYTES = 4 * 1024 * 1024;
const WORKER_BACKLOG_ITEMS = 64;
/** Beyond these a worker waits for its commits (PH5); a pipeline that is only fast has its injectors paused first. */
const HARD_UNFOLDED = 2 * UNFOLDED_BOUND;
const HARD_SINKS = 4 * UNDELIVERED_BOUND;
/** Waiting would help nobody here: workers take from each other only while they commit. */
const HARD_EXCHANGED = 1024 * 1024 * 1024;
const DEAF_MS = 30_000;
const LONGEST_MESSAGE = 64 * 1024;
/** Bundles after which a worker is past what killed its predecessor; the worker itself counts the same. */
const RECOVERED_AFTER = 64;

interface Slot {
  readonly index: number;
  readonly health: WorkerHealth;
  link: WorkerLink | undefined;
  sources: SourceRunner[];
  bundles: number;
  rules: { readonly bundle: FrameRules; readonly fetch: ReturnType<typeof fetchRules> } | undefined;
  /** Bundles of `link` that are committed and not said to be (PH5). */
  owed: number[];
  askedAt: number;
  /** Other workers whose watermarks it has not heard. */
  unheard: Set<number>;
  /** Samples of bundles of `link` that are not committed. */
  samples: { readonly bundle: number; readonly taken: readonly TapSample[] }[];
  /** The last bundle of `link` that is. */
  committed: number;
}

export class PipelineHost {
  readonly authority: WatermarkAuthority;
  readonly taps: TapHub;
  readonly commitMeter = new CommitMeter();
  readonly #options: PipelineHostOptions;
  readonly #plan: RunPlan;
  readonly #now: () => number;
  readonly #slots: Slot[];
  readonly #committer: Committer;
  readonly #folds: FoldLoop;
  readonly #busy: BusyMeter;
  readonly #injectors = new Map<number, OpenInjector>();
  readonly #pushed: PushedSources;
  readonly #sinks: SinkRunner[] = [];
  readonly #logs: LogGate | undefined;
  #assignments: SourceAssignment[][] = [];
  #draining: boolean;
  #isRunning = false;
  #paused = false;
  /** By a person; `#paused` is by pressure. */
  #held: boolean;
  #ending: Ending | undefined;
  #finish!: (ending: Ending) => void;
  readonly #finished: Promise<Ending>;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: PipelineHostOptions) {
    const { run, recovered, slots } = options;
    this.#options = options;
    this.#plan = run.version.plan;
    this.#now = run.clock?.now ?? Date.now;
    this.#draining = options.draining;
    this.#held = options.held;
    this.authority = new WatermarkAuthority(slots, this.#plan.nodes.length);
    this.#slots = Array.from({ length: slots }, (_, index) => ({
      index,
      health: new WorkerHealth(),
      link: undefined,
      sources: [],
      bundles: 0,
      rules: undefined,
      owed: [] as number[],
      askedAt: 0,
      unheard: new Set<number>(),
      samples: [],
      committed: 0,
    }));
    this.#busy = new BusyMeter(this.#plan.nodes.length);
    this.taps = new TapHub({
      streams: this.#plan.streams.map(({ id }) => id),
      set: (stream, limits) => {
        for (const { link } of this.#slots) link?.tap(stream, limits);
      },
      now: this.#now,
      always: run.samples,
    });
    this.#logs = run.onLogs === undefined ? undefined : new LogGate(run.onLogs, this.#now);
    this.#committer = new Committer(run.store, recovered.lastPosition, {
      committed: (submission, position) => this.#committed(submission, position),
      fenced: ({ link }) => this.#fenced(link),
      took: (ms, bundles) => this.commitMeter.took(ms, bundles),
      failed: (error) => this.#fail(`the commit log cannot be written: ${error.message}`),
    });
    this.#folds = new FoldLoop({
      store: run.store,
      paged: recovered.paged,
      deliveries: recovered.deliveries,
      hostSequencer: recovered.hostSequencer,
      everyMs: run.faults?.plan.foldEveryMs,
      failed: (error) => this.#fail(error),
      folded: () => this.#guard(() => this.#checkPressure()),
    });
    this.#pushed = new PushedSources({
      paged: recovered.paged,
      nodeNumbers: recovered.nodeNumbers,
      now: this.#now,
      failed: (error) => this.#fail(error),
    });
    this.#finished = new Promise((resolve) => {
      this.#finish = resolve;
    });
  }

  /** Resolves when everything is stopped and put away. */
  async run(): Promise<Ending> {
    try {
      await this.#open();
      await Promise.all(this.#slots.map((slot) => this.#startWorker(slot)));
      this.#timer = setInterval(() => this.#guard(() => this.#tick()), CHECK_MS);
    } catch (error) {
      this.#fail(messageOf(error));
    }
    const ending = await this.#finished;
    return this.#close(ending);
  }

  drain(): void {
    this.#draining = true;
    for (const slot of this.#slots) this.#stopSources(slot);
    this.#checkOver();
  }

  /** While held nothing is read; what is in flight is finished, timers fire. */
  hold(held: boolean): void {
    this.#held = held;
    this.#pushed.hold(held);
    this.#pace();
  }

  abort(): void {
    this.#end({ kind: 'drained' });
  }

  /** A node's watermark over all workers; a sink has what its senders have promised it. */
  watermarkOf(index: number): Watermark {
    const node = this.#plan.nodes[index];
    if (node?.kind !== 'sink') return this.authority.overall(index);
    const least = new WatermarkCoalescer(node.inputs.length);
    node.inputs.forEach((stream, input) => {
      const sender = this.#plan.streams[stream]?.from;
      if (sender !== undefined) least.set(input, this.authority.overall(sender));
    });
    return least.output;
  }

  backlogOf(node: number): number {
    return this.#options.recovered.deliveries.pendingOf(node);
  }

  /** Records of a stream that are committed and not taken by their consumer. */
  inFlightOf(stream: number): number {
    return this.#options.recovered.deliveries.inFlightOf(stream);
  }

  /** W11: wall time since which a node has had committed work it has not taken. */
  workSince(node: number): number | undefined {
    return this.#options.recovered.deliveries.oldestOf(node);
  }

  get state(): PipelineState {
    return stateOf(this.#options.recovered.paged);
  }

  /** Log position of the last commit. */
  get position(): number {
    return this.#options.recovered.paged.through;
  }

  get workers(): number {
    return this.#slots.length;
  }

  /** Time a node took so far, over all workers. */
  busyMsOf(node: number): number {
    return this.#busy.msOf(node);
  }

  get unfoldedBytes(): number {
    return this.#options.recovered.paged.unfoldedBytes;
  }

  // ---- opening and closing ---------------------------------------------------------------------------

  async #open(): Promise<void> {
    const { run, slots } = this.#options;
    this.#assignments = this.#slots.map(() => []);
    for (const node of this.#plan.nodes) {
      if (node.kind === 'sink') await this.#openSink(node);
      if (node.kind !== 'injector') continue;
      if (this.#options.draining) {
        this.#assignNothing(node);
        continue;
      }
      const connector = run.connectors.injector(node.type);
      if (connector === undefined)
        throw new Error(`node "${node.name}": there is no injector of type ${node.type} in this version`);
      const context = this.#pushed.contextOf(node, run.connectorContext(node));
      const injector = await connector.open(node.config, context);
      this.#injectors.set(node.index, injector);
      this.#pushed.watch(node, injector, this.#held);
      injector.partitions.forEach((partition, index) => {
        this.#assignments[index % slots]?.push({ node: node.index, partition: index, name: partition.name });
      });
    }
    this.#makeRules();
  }

  #makeRules(): void {
    const { run, recovered, slots } = this.#options;
    const silentSinks = new Set(
      this.#plan.nodes
        .filter((node) => node.kind === 'sink' && run.connectors.sink(node.type)?.egress === 'none')
        .map((node) => node.index),
    );
    for (const slot of this.#slots) {
      const partitions = this.#assignments[slot.index] ?? [];
      const common = { plan: this.#plan, slot: slot.index, slots, nodeNumbers: recovered.nodeNumbers };
      slot.rules = {
        bundle: frameRules({ ...common, partitions, silentSinks }),
        fetch: fetchRules(common),
      };
    }
  }

  /**
   * A drain reads nothing, so it must not depend on what could be read. A partition that gives nothing stands for
   * all of an injector's: it holds the watermark where it is, so that no window fires because of a deploy.
   */
  #assignNothing(node: PlanNode): void {
    for (const [slot, assigned] of this.#assignments.entries())
      assigned.push({ node: node.index, partition: slot, name: '' });
  }

  async #openSink(node: PlanNode): Promise<void> {
    const { run, recovered, counts } = this.#options;
    const connector = run.connectors.sink(node.type);
    if (connector === undefined)
      throw new Error(`node "${node.name}": there is no sink of type ${node.type} in this version`);
    if (connector.egress === 'none') return;
    const context = await countRejectedRows(run.sinkContext(node, recovered.hostSequencer), (total) =>
      counts.rejected(node.index, total),
    );
    const runner = new SinkRunner({
      node: node.index,
      open: () => connector.open(node.config, context),
      deliveries: recovered.deliveries,
      delivered: () => {
        this.#checkPressure();
        this.#checkOver();
      },
      failed: (error) => this.#fail(error.message),
    });
    this.#sinks.push(runner);
    if (!this.#options.draining) await runner.begin();
  }

  async #close(ending: Ending): Promise<Ending> {
    clearInterval(this.#timer);
    this.#pushed.close();
    for (const slot of this.#slots) {
      this.#stopSources(slot);
      slot.link?.kill('the run has ended');
    }
    let result = ending;
    for (const slot of this.#slots) if (slot.link !== undefined) await this.#committer.settle(slot.link);
    for (const part of [...this.#sinks, ...this.#injectors.values()]) {
      try {
        await part.close();
      } catch (error) {
        if (result.kind !== 'failed') result = failure(messageOf(error));
      }
    }
    try {
      await this.#folds.close(ending.kind !== 'failed');
    } catch (error) {
      if (result.kind !== 'failed') result = failure(messageOf(error));
    }
    return result;
  }

  #end(ending: Ending): void {
    if (this.#ending !== undefined) return;
    this.#ending = ending;
    this.#finish(ending);
  }

  #fail(error: string, cause: FailureCause = 'outside'): void {
    this.#end(failure(error, cause));
  }

  /** Nothing of one pipeline may reach the process that runs others, too. */
  #guard(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#fail(messageOf(error));
    }
  }

  // ---- workers ---------------------------------------------------------------------------------------

  async #startWorker(slot: Slot): Promise<void> {
    const { run } = this.#options;
    const sequencer = await run.store.claimWorker(slot.index);
    const process = await run.launcher.launch({
      name: `${this.#plan.name} worker ${slot.index}`,
      memoryMb: run.memoryMb,
    });
    if (this.#ending !== undefined) return process.kill('the run has ended');
    slot.bundles = 0;
    slot.owed = [];
    slot.samples = [];
    slot.committed = 0;
    const link: WorkerLink = new WorkerLink(
      slot.index,
      sequencer,
      process,
      {
        ready: () => {
          this.#workerReady(slot, link).catch((error: unknown) => this.#fail(messageOf(error)));
        },
        bundle: (frame) => this.#takeBundle(slot, link, frame),
        status: () => this.#workerHeard(slot),
        fetch: (request, scans) => {
          slot.rules?.fetch(scans);
          void this.#fetch(link, request, scans);
        },
        logs: (lines, cut) => this.#logs?.take(lines, cut),
        effort: (spentMs) => this.#busy.take(spentMs),
        taps: (bundle, taken) => {
          slot.samples.push({ bundle, taken });
          this.#releaseSamples(slot);
        },
        failed: ({ node, message }) =>
          this.#fail(
            (node === '' ? `worker ${slot.index}: ${message}` : `node "${node}": ${message}`).slice(
              0,
              LONGEST_MESSAGE,
            ),
            'code',
          ),
        exit: (death) => {
          this.#workerDied(slot, link, death).catch((error: unknown) => this.#fail(messageOf(error)));
        },
      },
      this.#now,
    );
    slot.link = link;
    await this.#prime(slot, link);
  }

  #takeBundle(slot: Slot, link: WorkerLink, frame: BundleFrame): void {
    // A small body would keep the whole chunk of the pipe it came in.
    const bytes = ownBytes(frame.body);
    const body = (slot.rules as NonNullable<Slot['rules']>).bundle.check(bytes, link);
    this.#committer.submit({ link, frame: { ...frame, body: bytes }, body });
  }

  /** Configuration, then everything an earlier worker of this slot left. */
  async #prime(slot: Slot, link: WorkerLink): Promise<void> {
    const { run, recovered, slots } = this.#options;
    const partitions = this.#assignments[slot.index] ?? [];
    const { startMode } = slot.health;
    link.configure(
      workerConfiguration({ run, recovered, slot: slot.index, slots, partitions, startMode }),
      run.version.bundle,
    );
    const entries = await inheritanceOf(recovered, this.#plan, slot.index, slots);
    for (const frame of restoreFrames(entries)) link.restore(frame.entries, frame.last);
  }

  async #workerReady(slot: Slot, link: WorkerLink): Promise<void> {
    const { recovered } = this.#options;
    recovered.deliveries.untake(slotTarget(slot.index));
    this.taps.prime((stream, limits) => link.tap(stream, limits));
    for (const other of this.#slots) if (other !== slot) slot.unheard.add(other.index);
    this.#pump(slot);
    // The first bundle reports where this worker stands.
    link.tick();
    if (!this.#draining) await this.#startSources(slot, link);
    this.#tellRunning();
  }

  /** Once: every worker has loaded its code and taken over what was stored. */
  #tellRunning(): void {
    if (this.#isRunning || !this.#slots.every(({ link }) => link?.state === 'running')) return;
    this.#isRunning = true;
    this.#options.run.onRunning?.();
  }

  async #startSources(slot: Slot, link: WorkerLink): Promise<void> {
    const { paged, nodeNumbers } = this.#options.recovered;
    for (const { node, partition, name } of this.#assignments[slot.index] ?? []) {
      const stored = await paged.get(META_SPACE, metaKeys.source(nodeNumbers[node] as number, name));
      if (link.state !== 'running' || slot.link !== link || this.#draining || this.#ending !== undefined)
        return;
      const mark = stored === undefined ? undefined : decodeSourceMark(stored);
      if (mark?.ended === true) {
        link.chunk(node, partition, { kind: 'ended' });
        continue;
      }
      const source = this.#injectors.get(node)?.partitions[partition];
      if (source === undefined) continue;
      const runner = new SourceRunner({
        node,
        partition,
        source,
        link,
        offset: mark?.offset ?? 0,
        failed: (error) => this.#fail(error.message),
      });
      runner.paused = this.#paused || this.#held;
      slot.sources.push(runner);
      runner.start();
    }
  }

  #stopSources(slot: Slot): void {
    for (const source of slot.sources) source.stop();
    slot.sources = [];
  }

  async #workerDied(slot: Slot, link: WorkerLink, death: WorkerDeath): Promise<void> {
    if (slot.link !== link) return;
    this.#stopSources(slot);
    await this.#committer.settle(link);
    if (this.#ending !== undefined) return;
    if (death.killedFor?.startsWith('sent a frame')) {
      this.#fail(
        `worker ${slot.index} ${death.killedFor}. Code of the pipeline that changes built-in objects can do that: take it out. What was committed is kept`,
        'code',
      );
      return;
    }
    if (death.killedFor === NEVER_LOADED) {
      this.#fail(
        `worker ${slot.index} was ended: ${NEVER_LOADED}. A node or a file in lib/ runs for ever while it is loaded: move that code into a handler`,
        'code',
      );
      return;
    }
    const verdict = slot.health.died(death);
    if (verdict.kind === 'give-up') {
      this.#fail(`worker ${slot.index} was given up: ${verdict.reason}`);
      return;
    }
    this.#options.run.log(
      `worker ${slot.index} ended (${describeDeath(death)}); it is started again and goes on where it was`,
    );
    if (verdict.delayMs > 0) await new Promise((resolve) => setTimeout(resolve, verdict.delayMs));
    if (this.#ending !== undefined) return;
    try {
      await this.#startWorker(slot);
    } catch (error) {
      this.#fail(messageOf(error));
    }
  }

  #fenced(link: WorkerLink): void {
    link.kill('its lease is held by another host');
    this.#fail('another host has taken over this pipeline; this one has stopped', 'fenced');
  }

  async #fetch(
    link: WorkerLink,
    request: number,
    scans: readonly { space: number; prefix: Uint8Array; limit: number }[],
  ): Promise<void> {
    try {
      const results = await answerFetch(this.#options.recovered.paged, scans);
      // An honest worker has read the last answer before it asks again.
      for (
        let waited = 0;
        link.state === 'running' && link.queuedBytes > 2 * WORKER_BACKLOG_BYTES;
        waited++
      ) {
        if (waited * CHECK_MS > DEAF_MS) return link.kill('it does not read what it is sent');
        await new Promise((resolve) => setTimeout(resolve, CHECK_MS));
      }
      link.fetched(request, results);
    } catch (error) {
      this.#fail(`state cannot be read: ${messageOf(error)}`);
    }
  }

  // ---- what flows ------------------------------------------------------------------------------------

  #committed({ link, frame, body }: Submission, position: number): void {
    const { run, recovered, counts } = this.#options;
    const { paged, deliveries } = recovered;
    const slot = this.#slots[link.slot] as Slot;
    paged.apply(position, body, (key, value) => {
      const text = Buffer.from(key).toString('utf8');
      if (value === undefined) return;
      if (text.startsWith('source/')) this.#pushed.committed(text, value);
      else if (text.startsWith('delivered/'))
        deliveries.acknowledge(slotTarget(link.slot), new ByteReader(value).f64());
      else counts.take(text, value);
    });
    const targets = deliveries.add(position, body.batches, this.#now());
    if (this.authority.report(link.slot, frame.watermarks))
      for (const other of this.#slots) if (other !== slot) other.unheard.add(link.slot);
    if (slot.link === link) {
      slot.owed.push(frame.bundleNumber);
      slot.committed = frame.bundleNumber;
      this.#releaseSamples(slot);
    }
    if (deliveries.bytes - deliveries.sinkBytes > HARD_EXCHANGED)
      this.#fail(
        `worker ${slot.index} was ended: it and the others have sent each other ${HARD_EXCHANGED} bytes that nobody has taken. A node produces far more than it is given: let it produce less at a time`,
      );
    this.#payOwed();
    if (++slot.bundles === RECOVERED_AFTER) slot.health.recovered();
    for (const other of this.#slots)
      if (targets.has(slotTarget(other.index)) || other.unheard.size > 0 || other === slot) this.#pump(other);
    for (const sink of this.#sinks) sink.kick();
    for (const source of slot.sources) source.check();
    run.faults?.committed(position, link.slot, this.#slots.length, frame.watermarks);
    this.#folds.consider();
    this.#checkPressure();
    this.#checkOver();
  }

  /** What people are shown is committed: a bundle that was lost is made again. */
  #releaseSamples(slot: Slot): void {
    while (slot.samples[0] !== undefined && slot.samples[0].bundle <= slot.committed)
      this.taps.take(slot.samples.shift()?.taken ?? []);
  }

  /** PH5: tells workers of their commits, unless what they have committed outruns folder or sinks. */
  #payOwed(): void {
    const { deliveries, paged } = this.#options.recovered;
    if (paged.unfoldedBytes > HARD_UNFOLDED || deliveries.sinkBytes > HARD_SINKS) return;
    for (const slot of this.#slots) {
      for (const bundle of slot.owed) slot.link?.committed(bundle);
      slot.owed = [];
    }
  }

  /** Gives a worker what is committed for it, then what the others have promised (PH2). */
  #pump(slot: Slot): void {
    const { link } = slot;
    if (link === undefined || link.state !== 'running') return;
    const { deliveries } = this.#options.recovered;
    const target = slotTarget(slot.index);
    while (deliveries.isWaiting(target)) {
      if (link.queuedBytes > WORKER_BACKLOG_BYTES || deliveries.takenBy(target) >= WORKER_BACKLOG_ITEMS)
        return;
      const delivery = deliveries.take(target);
      if (delivery === undefined) return;
      link.deliver(delivery.position, delivery.batches);
    }
    if (link.queuedBytes > WORKER_BACKLOG_BYTES) return;
    for (const other of slot.unheard) link.watermarks(other, this.authority.table(other));
    slot.unheard.clear();
  }

  #workerHeard(slot: Slot): void {
    this.#pump(slot);
    for (const source of slot.sources) source.check();
    this.#checkOver();
  }

  // ---- pace and end ----------------------------------------------------------------------------------

  #checkPressure(): void {
    this.#payOwed();
    const { deliveries } = this.#options.recovered;
    const paused = this.#folds.full || deliveries.bytes > UNDELIVERED_BOUND;
    if (paused === this.#paused) return;
    this.#paused = paused;
    this.#pace();
  }

  #pace(): void {
    const paused = this.#paused || this.#held;
    for (const slot of this.#slots) for (const source of slot.sources) source.paused = paused;
  }

  #tick(): void {
    const now = this.#now();
    for (const slot of this.#slots) {
      const { link } = slot;
      if (link === undefined || link.state === 'dead') continue;
      const limit = link.state === 'starting' ? START_MS : SILENCE_MS;
      if (link.silentMs > limit)
        link.kill(link.state === 'starting' ? NEVER_LOADED : `no progress for ${SILENCE_MS / 1000} s`);
      const wakeAt = link.status?.wakeAt;
      const due = wakeAt !== undefined && wakeAt <= now;
      const ask = (link.status?.running ?? 0) > 0 && now - slot.askedAt >= ASK_MS;
      if (link.state === 'running' && (due || ask) && link.silentMs === 0) {
        slot.askedAt = now;
        link.tick();
      }
      this.#pump(slot);
    }
    this.#pushed.tick(now);
    this.#folds.consider();
    this.#checkOver();
  }

  #checkOver(): void {
    if (this.#ending !== undefined) return;
    const { deliveries } = this.#options.recovered;
    if (
      !this.#committer.idle ||
      !this.#slots.every(
        ({ link, index, unheard }) =>
          link?.quiescent && deliveries.isEmpty(slotTarget(index)) && unheard.size === 0,
      )
    )
      return;
    if (this.#draining) {
      if (this.#sinks.every((sink) => sink.idle)) this.#end({ kind: 'drained' });
      return;
    }
    if (
      !this.#plan.nodes.every(
        (node) => node.kind !== 'injector' || this.authority.endedEverywhere(node.index),
      )
    )
      return;
    if (this.#fireFinalWallTimers()) return;
    if (this.#sinks.every((sink) => sink.idle)) this.#end({ kind: 'done' });
  }

  /** W6: at the end of all input, wall timers fire in order, the earliest worker first. */
  #fireFinalWallTimers(): boolean {
    const next = this.#slots.map(({ link }) => link?.status?.nextWallTimer);
    const earliest = Math.min(...next.map((time) => time ?? Number.POSITIVE_INFINITY));
    if (earliest === Number.POSITIVE_INFINITY) return false;
    const first = next.indexOf(earliest);
    const limit = Math.min(
      ...next.map((time, slot) => (slot === first || time === undefined ? Number.POSITIVE_INFINITY : time)),
    );
    this.#slots[first]?.link?.finalWall(limit);
    return true;
  }
}

function failure(error: string, cause: FailureCause = 'outside'): Ending {
  return { kind: 'failed', error, cause };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

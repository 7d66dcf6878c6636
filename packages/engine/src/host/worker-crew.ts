/**
 * The life of a pipeline's workers: claimed, started, primed, fed, lost, started again.
 *
 * Owns: when a worker of a slot starts and with what; what its frames are checked by; what its death means.
 * Does not own: what is on its way to a worker (`worker-slot`), its process (`worker-link`), when a run is over.
 *
 * Invariant
 *   PH1 (P6)  a slot is claimed before anything of it is read; the bundles of its old worker are settled first.
 */
import type { PlanNode } from '@millrace/graph';
import {
  decodeSourceMark,
  dueSpaceOf,
  type FetchResult,
  type IntervalState,
  META_SPACE,
  metaKeys,
} from '@millrace/protocol';
import { WORKER_BACKLOG_BYTES } from './bounds.ts';
import type { BusiestKeys } from './busiest-keys.ts';
import type { BusyMeter } from './busy-meter.ts';
import type { Committer } from './committer.ts';
import { ownBytes, slotTarget } from './deliveries.ts';
import { causeOf, messageOf } from './ending.ts';
import { answerDue, answerFetch, type FetchRules, fetchRules } from './fetch-rules.ts';
import { type FrameRules, frameRules } from './frame-rules.ts';
import { idleTimeoutOf } from './ingest-settings.ts';
import type { Intervals } from './intervals.ts';
import type { LogGate } from './log-gate.ts';
import type { OpenConnectors } from './open-connectors.ts';
import type { Recovered } from './recovery.ts';
import { restoreFrames } from './restore-frames.ts';
import type { FailureCause, RunOptions } from './run-options.ts';
import { Looks } from './silence.ts';
import { SourceRunner } from './source-runner.ts';
import { SourceWindow } from './source-window.ts';
import { SpareCrew } from './spare-crew.ts';
import type { TableStandings } from './table-standings.ts';
import type { TapHub } from './tap-hub.ts';
import { UNSTORED } from './weak-productions.ts';
import { describeDeath, ownDoing, type Verdict } from './worker-health.ts';
import {
  type BundleFrame,
  DEAF,
  type WorkerDeath,
  WorkerLink,
  type WorkerLinkEvents,
} from './worker-link.ts';
import {
  inheritanceOf,
  spareConfiguration,
  type WorkerPlace,
  workerConfiguration,
} from './worker-priming.ts';
import { NEVER_LOADED, NEVER_STARTED, type WorkerSlot } from './worker-slot.ts';

export interface WorkerCrewOptions {
  readonly run: RunOptions;
  readonly recovered: Recovered;
  readonly slots: readonly WorkerSlot[];
  readonly connectors: OpenConnectors;
  readonly committer: Committer;
  readonly intervals: Intervals;
  readonly tables: TableStandings;
  /** A worker begins: what it is told of intervals. */
  readonly begins: (slot: WorkerSlot, link: WorkerLink) => IntervalState | undefined;
  readonly taps: TapHub;
  readonly busy: BusyMeter;
  readonly keys: BusiestKeys;
  readonly logs: LogGate | undefined;
  readonly now: () => number;
  /** The run has ended: nothing starts any more. */
  readonly hasEnded: () => boolean;
  readonly isDraining: () => boolean;
  /** Sources are open, or will be. */
  readonly reads: () => boolean;
  /** By plan index of an injector. */
  readonly isPaused: (node: number) => boolean;
  /** A worker said how far it is. */
  readonly heard: (slot: WorkerSlot) => void;
  readonly failed: (error: string, cause?: FailureCause) => void;
}

interface SlotRules {
  readonly bundle: FrameRules;
  readonly fetch: FetchRules;
}

const DEAF_MS = 30_000;
/** A look is due ten times a second: after a longer pause it is the host that did not run. */
const LONGEST_LOOK_MS = 1_000;
const ROOM_CHECK_MS = 100;
const LONGEST_MESSAGE = 64 * 1024;
const LONGEST_REASON = 500;
const AT_ONCE: Verdict = { kind: 'restart', delayMs: 0 };
const TAKES_OVER = 'it is started again to read what another has read';
const LEAVES = 'there are fewer workers';

export class WorkerCrew {
  readonly #options: WorkerCrewOptions;
  /** By slot: processes that try what its worker holds. */
  readonly #spares: SpareCrew[];
  #rules: readonly SlotRules[] = [];
  #isRunning = false;
  /** By slot: whoever waits for its worker to be gone, which is not started again until `release`. */
  readonly #held = new Map<number, () => void>();
  /** Those that leave. */
  readonly #ended = new WeakSet<WorkerSlot>();
  /** What workers said meanwhile may still stand in their pipes. */
  readonly #looks: Looks;

  constructor(options: WorkerCrewOptions) {
    this.#options = options;
    this.#looks = new Looks(options.now(), LONGEST_LOOK_MS);
    this.#spares = options.slots.map((slot) => this.#sparesOf(slot));
  }

  #sparesOf(slot: WorkerSlot): SpareCrew {
    const { run, recovered, intervals, tables, now, failed } = this.#options;
    const spares = new SpareCrew({
      run,
      recovered,
      slot: slot.index,
      owners: intervals,
      tables,
      now,
      configuration: () => spareConfiguration(this.#placeOf(slot, undefined)),
      health: slot.health,
      gaveUp: () => slot.gaveUp(),
      failed: (error) => failed(error),
    });
    slot.onTrial = () => spares.isBusy;
    return spares;
  }

  /** Ten times a second. */
  watch(now: number): void {
    const pauseMs = this.#looks.pauseBefore(now);
    for (const slot of this.#options.slots) {
      slot.watch(now, pauseMs);
      slot.checkTrust(now, this.#options.reads());
      this.#spares[slot.index]?.watch(pauseMs);
    }
  }

  /** The run has ended. */
  close(): void {
    for (const spares of this.#spares) spares.end();
  }

  /** Connectors are open. */
  async start(): Promise<void> {
    const { slots } = this.#options;
    this.#rules = this.#makeRules();
    await Promise.all(slots.map((slot) => this.#startWorker(slot)));
  }

  // ---- coming and going ------------------------------------------------------------------------------

  /** There are more workers, or fewer, and others read what they read. */
  resize(): void {
    const { slots } = this.#options;
    for (const gone of this.#spares.splice(slots.length)) gone.end();
    for (const slot of slots.slice(this.#spares.length)) this.#spares.push(this.#sparesOf(slot));
    this.#rules = this.#makeRules();
  }

  join(slot: WorkerSlot): void {
    this.#watched(this.#startWorker(slot));
  }

  /** Ends the worker of a slot, which is running; resolves when nothing of it is on its way. */
  hold(slot: WorkerSlot): Promise<void> {
    return new Promise((gone) => {
      this.#held.set(slot.index, gone);
      slot.link?.kill(TAKES_OVER);
    });
  }

  release(slot: WorkerSlot): void {
    if (!this.#options.hasEnded()) this.join(slot);
  }

  /** Nothing of its worker is taken any more. */
  ends(slot: WorkerSlot): void {
    this.#ended.add(slot);
    slot.link?.kill(LEAVES);
  }

  /** It was to go, and is to stay after all. */
  async stays(slot: WorkerSlot): Promise<void> {
    const { link } = slot;
    slot.stays();
    slot.pump();
    if (link?.state === 'running' && !this.#options.isDraining()) await this.#startSources(slot, link);
  }

  #makeRules(): SlotRules[] {
    const { run, recovered, slots, connectors, intervals: owners } = this.#options;
    const { plan } = run.version;
    const silentSinks = new Set(
      plan.nodes
        .filter((node) => node.kind === 'sink' && run.connectors.sink(node.type)?.egress === 'none')
        .map((node) => node.index),
    );
    return slots.map(({ index }) => {
      const partitions = connectors.assignedTo(index);
      const { nodeNumbers } = recovered;
      const common = { plan, slot: index, slots: slots.length, owners, nodeNumbers };
      return { bundle: frameRules({ ...common, partitions, silentSinks }), fetch: fetchRules(common) };
    });
  }

  // ---- starting --------------------------------------------------------------------------------------

  async #startWorker(slot: WorkerSlot): Promise<void> {
    const { run, now } = this.#options;
    const sequencer = await run.store.claimWorker(slot.index);
    const process = await run.launcher.launch({
      name: `${run.version.plan.name} worker ${slot.index}`,
      memoryMb: run.memoryMb,
    });
    if (this.#options.hasEnded()) return process.kill('the run has ended');
    const link: WorkerLink = new WorkerLink(
      slot.index,
      sequencer,
      process,
      this.#eventsOf(slot, () => link),
      now,
    );
    slot.begin(link, now());
    if (slot.isMistrusted) this.#spares[slot.index]?.begin(link);
    await this.#prime(slot, link);
  }

  #eventsOf(slot: WorkerSlot, link: () => WorkerLink): WorkerLinkEvents {
    const { recovered, intervals, busy, keys, logs, heard, now } = this.#options;
    return {
      ready: () => this.#watched(this.#workerReady(slot, link())),
      bundle: (frame) => this.#takeBundle(link(), frame),
      status: () => heard(slot),
      drained: () => slot.checkSources(),
      fetch: (request, scans) => {
        this.#rulesOf(slot.index).fetch.checkScans(scans);
        void this.#answer(link(), request, answerFetch(recovered.paged, scans));
      },
      due: (request, scan) => {
        this.#rulesOf(slot.index).fetch.checkDue(scan);
        const node = recovered.nodeNumbers.findIndex((number) => dueSpaceOf(number) === scan.space);
        const found = answerDue(
          recovered.paged,
          scan,
          (high) => intervals.ownerOf(node, high) === slot.index,
        );
        void this.#answer(link(), request, found);
      },
      suspect: (question) => this.#spares[slot.index]?.ask(link(), question),
      logs: (lines, cut) => logs?.take(lines, cut),
      effort: (spentMs) => busy.take(spentMs),
      hotKeys: (reports) => keys.take(slot.index, reports, now()),
      taps: (bundle, taken) => slot.sampled(bundle, taken),
      failed: ({ node, message }) => this.#codeFailed(slot, node, message),
      exit: (death) => this.#watched(this.#workerDied(slot, link(), death)),
    };
  }

  /** Configuration, then everything an earlier worker of this slot left. */
  async #prime(slot: WorkerSlot, link: WorkerLink): Promise<void> {
    const { run, recovered, intervals, begins, tables } = this.#options;
    const told = begins(slot, link);
    link.configure(workerConfiguration(this.#placeOf(slot, told)), run.version.bundle);
    const entries = await inheritanceOf(recovered, run.version.plan, slot.index, intervals);
    for (const { space, key, value } of entries)
      if (space === META_SPACE) tables.committed(Buffer.from(key).toString('utf8'), value);
    for (const frame of restoreFrames(entries)) link.restore(frame.entries, frame.last);
  }

  #placeOf(slot: WorkerSlot, intervals: IntervalState | undefined): WorkerPlace {
    const { run, recovered, slots, connectors } = this.#options;
    return {
      run,
      recovered,
      slot: slot.index,
      slots: slots.length,
      partitions: connectors.assignedTo(slot.index),
      startMode: slot.health.startMode,
      intervals,
      isSuspicious: slot.isMistrusted,
    };
  }

  async #workerReady(slot: WorkerSlot, link: WorkerLink): Promise<void> {
    const { recovered, slots, taps } = this.#options;
    recovered.deliveries.untake(slotTarget(slot.index));
    taps.prime((stream, limits) => link.tap(stream, limits));
    for (const other of slots) slot.hears(other.index);
    slot.pump();
    // The first bundle reports where this worker stands.
    link.tick();
    if (!this.#options.isDraining()) await this.#startSources(slot, link);
    this.#tellRunning();
  }

  /** Once: every worker has loaded its code and taken over what was stored. */
  #tellRunning(): void {
    if (this.#isRunning || !this.#options.slots.every(({ link }) => link?.state === 'running')) return;
    this.#isRunning = true;
    this.#options.run.onRunning?.();
  }

  async #startSources(slot: WorkerSlot, link: WorkerLink): Promise<void> {
    const { run, recovered, connectors, isDraining, hasEnded, isPaused, failed, now } = this.#options;
    if (slot.isRetiring) return;
    const { paged, nodeNumbers } = recovered;
    const assigned = connectors.assignedTo(slot.index);
    for (const { node, partition, name } of assigned) {
      const stored = await paged.get(META_SPACE, metaKeys.source(nodeNumbers[node] as number, name));
      if (link.state !== 'running' || slot.link !== link || isDraining() || hasEnded() || slot.isRetiring)
        return;
      const mark = stored === undefined ? undefined : decodeSourceMark(stored);
      if (mark?.ended === true) {
        link.chunk(node, partition, { kind: 'ended' });
        continue;
      }
      const source = connectors.partition(node, partition);
      if (source === undefined) continue;
      const offset = mark?.offset ?? 0;
      link.reach.begins(node, partition, offset);
      const runner = new SourceRunner({
        node,
        partition,
        source,
        link,
        offset,
        window: new SourceWindow(assigned.length, this.#options.slots.length),
        idleTimeoutMs: idleTimeoutOf(run.version.plan.nodes[node] as PlanNode),
        now,
        failed: (error) => failed(error.message),
      });
      slot.addSource(runner, isPaused(node));
    }
  }

  // ---- frames ----------------------------------------------------------------------------------------

  #takeBundle(link: WorkerLink, frame: BundleFrame): void {
    // A small body would keep the whole chunk of the pipe it came in.
    const bytes = ownBytes(frame.body);
    const body = this.#rulesOf(link.slot).bundle.check(bytes, link);
    const origin = link.originOf(frame);
    this.#options.committer.submit({ link, frame: { ...frame, body: bytes }, body, origin });
  }

  async #answer(link: WorkerLink, request: number, found: Promise<readonly FetchResult[]>): Promise<void> {
    try {
      const results = await found;
      // An honest worker has read the last answer before it asks again.
      for (
        let waited = 0;
        link.state === 'running' && link.queuedBytes > 2 * WORKER_BACKLOG_BYTES;
        waited++
      ) {
        if (waited * ROOM_CHECK_MS > DEAF_MS) return link.kill(DEAF, true);
        await new Promise((resolve) => setTimeout(resolve, ROOM_CHECK_MS));
      }
      link.fetched(request, results);
    } catch (error) {
      this.#options.failed(`state cannot be read: ${messageOf(error)}`);
    }
  }

  #codeFailed(slot: WorkerSlot, node: string, message: string): void {
    const where = node === '' ? `worker ${slot.index}` : `node "${node}"`;
    this.#options.failed(`${where}: ${message}`.slice(0, LONGEST_MESSAGE), 'code');
  }

  #rulesOf(slot: number): SlotRules {
    return this.#rules[slot] as SlotRules;
  }

  // ---- dying -----------------------------------------------------------------------------------------

  async #workerDied(slot: WorkerSlot, link: WorkerLink, death: WorkerDeath): Promise<void> {
    const { run, committer, failed, hasEnded, now } = this.#options;
    if (slot.link !== link) return;
    slot.life.lastEnd = { at: now(), reason: describeDeath(death).slice(0, LONGEST_REASON) };
    slot.stopSources();
    const isInnocent = death.killedFor === UNSTORED;
    const leavesSuspects =
      (death.busy && !isInnocent && this.#isSuspect(death)) || this.#spares[slot.index]?.isBusy === true;
    this.#spares[slot.index]?.end();
    await committer.settle(link);
    if (hasEnded() || this.#ended.has(slot)) return;
    if (death.killedFor === TAKES_OVER) return this.#heldGone(slot);
    const fault = faultOfCode(slot.index, death);
    if (fault !== undefined) return failed(fault, 'code');
    if (death.killedFor === NEVER_STARTED) return failed(neverStarted(slot.index));
    if (leavesSuspects) slot.mistrust(link);
    if (this.#held.has(slot.index)) return this.#heldGone(slot);
    const verdict = isInnocent ? AT_ONCE : slot.health.died(death);
    if (verdict.kind === 'give-up') return failed(`worker ${slot.index} was given up: ${verdict.reason}`);
    run.log(
      `worker ${slot.index} ended (${describeDeath(death)}); it is started again and goes on where it was`,
    );
    if (verdict.delayMs > 0) await new Promise((resolve) => setTimeout(resolve, verdict.delayMs));
    if (!hasEnded()) await this.#startWorker(slot);
  }

  #heldGone({ index }: WorkerSlot): void {
    const gone = this.#held.get(index);
    this.#held.delete(index);
    gone?.();
  }

  /** A kill from outside proves nothing, and the next worker's first result may not wait for a trial (B6). */
  #isSuspect(death: WorkerDeath): boolean {
    return ownDoing(death) || this.#options.run.faults?.plan.suspectKilled === true;
  }

  #watched(work: Promise<void>): void {
    work.catch((error: unknown) => this.#options.failed(messageOf(error), causeOf(error)));
  }
}

function neverStarted(slot: number): string {
  return `worker ${slot} was ended: ${NEVER_STARTED}, and hardly ran in that time. The machine has too much to do`;
}

/** What no restart helps against: the pipeline's code has to change first. */
function faultOfCode(slot: number, { killedFor }: WorkerDeath): string | undefined {
  if (killedFor?.startsWith('sent a frame'))
    return `worker ${slot} ${killedFor}. Code of the pipeline that changes built-in objects can do that: take it out. What was committed is kept`;
  if (killedFor === NEVER_LOADED)
    return `worker ${slot} was ended: ${NEVER_LOADED}. A node or a file in lib/ runs for ever while it is loaded: move that code into a handler`;
  return undefined;
}

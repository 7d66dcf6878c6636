/**
 * Runs one pipeline with a fixed number of workers until its input ends, it is drained, or it fails.
 *
 * Owns: how the parts act on each other: what a commit sets going, when input is read, how a run ends.
 * Does not own: the workers' life (`worker-crew`), what is on its way to one (`worker-slot`), the commit log's
 * decisions (`committer`), rows (`paged`), connectors (`open-connectors`), when it is over (`end-of-run`).
 *
 * Invariants
 *   PH3       input is read only while unfolded and undelivered bytes are below their bounds, and nobody holds it.
 *   PH5       a worker whose bundles outrun the folder or the sinks is not told of its commits until they catch
 *             up, so that it stops; whatever it sends, an error of its frames is its pipeline's end, not the host's.
 */
import type { RunPlan } from '@millrace/graph';
import { type BundleBody, ByteReader } from '@millrace/protocol';
import { HOST_SLOT } from '../ports.ts';
import { WatermarkAuthority } from '../watermark/authority.ts';
import { exchangesTooMuch, MOST_EXCHANGED, outrunsHost, UNDELIVERED_BOUND } from './bounds.ts';
import { Committer, type CommitterEvents, type Submission } from './committer.ts';
import type { Counts } from './counts.ts';
import { CrewChange } from './crew-change.ts';
import { slotTarget } from './deliveries.ts';
import { endStep } from './end-of-run.ts';
import { causeOf, type Ending, failure, messageOf } from './ending.ts';
import { FoldLoop } from './fold-loop.ts';
import { IntervalMover, type StoredStep } from './interval-mover.ts';
import { Intervals } from './intervals.ts';
import { LogGate } from './log-gate.ts';
import { OpenConnectors } from './open-connectors.ts';
import { PushedSources } from './pushed-sources.ts';
import { ReadingPace } from './reading-pace.ts';
import type { Recovered } from './recovery.ts';
import { Redriver } from './redriver.ts';
import { RunFigures } from './run-figures.ts';
import type { FailureCause, LettersOnly, RunOptions } from './run-options.ts';
import { type RuntimeView, runtimeView } from './runtime-view.ts';
import { SkewGate } from './skew-gate.ts';
import { type PipelineState, stateOf } from './state-browser.ts';
import { stepBody } from './step-body.ts';
import { TableStandings } from './table-standings.ts';
import { TapHub } from './tap-hub.ts';
import type { CauseParts } from './watermark-cause.ts';
import { hasWeakProductions, WeakProductions } from './weak-productions.ts';
import { WorkerCrew } from './worker-crew.ts';
import type { WorkerLink } from './worker-link.ts';
import { WorkerSlot } from './worker-slot.ts';

export interface PipelineHostOptions {
  readonly run: RunOptions;
  readonly recovered: Recovered;
  readonly counts: Counts;
  readonly slots: number;
  /** Read nothing; end when all that is in flight is finished. */
  readonly draining: boolean;
  /** Read nothing; end like a drain, once `drain()` says that no more dead letters come (RV7). */
  readonly lettersOnly: LettersOnly | undefined;
  /** Read nothing until `hold(false)`. */
  readonly held: boolean;
}

const CHECK_MS = 100;
const FENCED = 'another host has taken over this pipeline; this one has stopped';

export class PipelineHost {
  readonly authority: WatermarkAuthority;
  readonly taps: TapHub;
  readonly figures: RunFigures;
  /** Of dead letters that people have mended the cause of. */
  readonly redriver: Redriver;
  readonly mover: IntervalMover;
  readonly intervals: Intervals;
  readonly crewChange: CrewChange;
  readonly #options: PipelineHostOptions;
  readonly #plan: RunPlan;
  readonly #now: () => number;
  readonly #slots: WorkerSlot[];
  readonly #tables: TableStandings;
  readonly #crew: WorkerCrew;
  /** Undefined: every production is strong. */
  readonly #weak: WeakProductions | undefined;
  readonly #committer: Committer;
  readonly #folds: FoldLoop;
  readonly #pushed: PushedSources;
  readonly #connectors: OpenConnectors;
  #draining: boolean;
  readonly #pace: ReadingPace;
  #ending: Ending | undefined;
  #finish!: (ending: Ending) => void;
  readonly #finished: Promise<Ending>;
  #timer: NodeJS.Timeout | undefined;
  /** Of the host's own. */
  #bundles = 0;

  constructor(options: PipelineHostOptions) {
    const { run, slots } = options;
    this.#options = options;
    this.#plan = run.version.plan;
    this.#now = run.clock?.now ?? Date.now;
    this.#draining = options.draining;
    this.authority = new WatermarkAuthority(slots, this.#plan.nodes.length);
    const { nodeNumbers, intervals, movePhase } = options.recovered;
    this.intervals = new Intervals(slots, nodeNumbers, intervals, movePhase);
    this.#pace = new ReadingPace(options.held, new SkewGate(this.#plan, this.authority));
    this.figures = new RunFigures(this.#plan, options.recovered, this.authority, slots, this.#pace.skew);
    this.taps = this.#makeTaps();
    this.#tables = new TableStandings(nodeNumbers);
    this.#slots = this.#makeSlots();
    this.#weak = hasWeakProductions(this.#plan) ? this.#makeWeak() : undefined;
    this.#committer = this.#makeCommitter();
    this.#folds = this.#makeFolds();
    this.#pushed = this.#makePushed();
    this.#connectors = this.#makeConnectors();
    this.mover = this.#makeMover();
    this.#crew = this.#makeCrew();
    this.crewChange = this.#makeCrewChange();
    this.redriver = this.#makeRedriver();
    this.#finished = new Promise((resolve) => {
      this.#finish = resolve;
    });
  }

  /** Resolves when everything is stopped and put away. */
  async run(): Promise<Ending> {
    try {
      await this.#connectors.open();
      await this.#crew.start();
      this.#timer = setInterval(() => this.#guard(() => this.#tick()), CHECK_MS);
      this.#beginChange();
    } catch (error) {
      this.#fail(messageOf(error));
    }
    const ending = await this.#finished;
    return this.#close(ending);
  }

  drain(): void {
    this.#draining = true;
    for (const slot of this.#slots) slot.stopSources();
    this.#checkOver();
  }

  /** While held nothing is read; what is in flight is finished, timers fire. */
  hold(held: boolean): void {
    this.#pace.held = held;
    this.#pushed.hold(held);
    this.#paceSources();
  }

  abort(): void {
    this.#end({ kind: 'drained' });
  }

  /** Nothing new is begun. */
  get isOver(): boolean {
    return this.#draining || this.#ending !== undefined;
  }

  get runtime(): RuntimeView {
    const { recovered } = this.#options;
    const { authority } = this;
    const busiestKeys = this.figures.keys.now(this.#now());
    return runtimeView({
      plan: this.#plan,
      intervals: this.intervals,
      recovered,
      authority,
      slots: this.#slots,
      folds: { ...this.#folds.progress },
      busiestKeys,
      remembered: this.#pushed.counts(),
      weak: this.#weak?.counts,
    });
  }

  /** Why a node's watermark stands where it does. */
  get causes(): CauseParts {
    const { recovered } = this.#options;
    const { authority: reports, intervals } = this;
    return {
      plan: this.#plan,
      recovered,
      reports,
      intervals,
      connectors: this.#connectors,
      pace: this.#pace,
    };
  }

  get state(): PipelineState {
    return stateOf(this.#options.recovered.paged);
  }

  // ---- its parts -------------------------------------------------------------------------------------

  #makeTaps(): TapHub {
    return new TapHub({
      streams: this.#plan.streams.map(({ id }) => id),
      set: (stream, limits) => {
        for (const { link } of this.#slots) link?.tap(stream, limits);
      },
      now: this.#now,
      always: this.#options.run.samples,
    });
  }

  #makeSlots(): WorkerSlot[] {
    return Array.from({ length: this.#options.slots }, (_, index) => this.#newSlot(index));
  }

  #newSlot(index: number): WorkerSlot {
    return new WorkerSlot({
      index,
      deliveries: this.#options.recovered.deliveries,
      authority: this.authority,
      tables: this.#tables,
      samples: (taken) => this.taps.take(taken),
    });
  }

  #makeWeak(): WeakProductions {
    const { run, recovered } = this.#options;
    return new WeakProductions({
      plan: this.#plan,
      deliveries: recovered.deliveries,
      workers: this.#slots,
      isMoving: () => this.mover.isBusy,
      now: this.#now,
      keepsReceivers: run.faults?.without('kept-receivers') === true,
    });
  }

  #makeCommitter(): Committer {
    const { run, recovered } = this.#options;
    const events: CommitterEvents = {
      committed: (submission, position) => this.#committed(submission, position),
      fenced: ({ link }) => this.#fenced(link),
      took: (ms, bundles) => this.figures.commits.took(ms, bundles),
      failed: (error) => this.#fail(`the commit log cannot be written: ${error.message}`),
    };
    return new Committer(run.store, recovered.lastPosition, events, this.#weak);
  }

  #makeFolds(): FoldLoop {
    const { run, recovered } = this.#options;
    return new FoldLoop({
      store: run.store,
      paged: recovered.paged,
      deliveries: recovered.deliveries,
      hostSequencer: recovered.hostSequencer,
      everyMs: run.faults?.plan.foldEveryMs,
      failed: (error, cause) => this.#fail(error, cause),
      folded: () => this.#guard(() => this.#checkPressure()),
    });
  }

  #makePushed(): PushedSources {
    const { paged, nodeNumbers } = this.#options.recovered;
    return new PushedSources({ paged, nodeNumbers, now: this.#now, failed: (error) => this.#fail(error) });
  }

  #makeConnectors(): OpenConnectors {
    const { run, recovered, counts, slots, draining, lettersOnly } = this.#options;
    return new OpenConnectors({
      run,
      recovered,
      counts,
      slots,
      readerOf: (partition) => this.intervals.readerOf(partition),
      draining,
      lettersOnly,
      pushed: this.#pushed,
      isHeld: () => this.#pace.held,
      delivered: (node, origins) => {
        this.figures.wrote(node, origins, this.#now());
        this.#checkPressure();
        this.#checkOver();
      },
      failed: (error) => this.#fail(messageOf(error), causeOf(error)),
    });
  }

  #makeCrew(): WorkerCrew {
    const { run, recovered } = this.#options;
    return new WorkerCrew({
      run,
      recovered,
      slots: this.#slots,
      connectors: this.#connectors,
      committer: this.#committer,
      intervals: this.intervals,
      begins: (slot, link) => this.mover.begins(slot, link),
      taps: this.taps,
      tables: this.#tables,
      busy: this.figures.busy,
      keys: this.figures.keys,
      logs: run.onLogs === undefined ? undefined : new LogGate(run.onLogs, this.#now),
      now: this.#now,
      hasEnded: () => this.#ending !== undefined,
      isDraining: () => this.#draining,
      reads: () => !this.#draining && this.#options.lettersOnly === undefined,
      isPaused: (node) => this.#pace.why(node) !== undefined,
      heard: (slot) => this.#workerHeard(slot),
      failed: (error, cause) => this.#fail(error, cause),
    });
  }

  #makeCrewChange(): CrewChange {
    const { run, recovered } = this.#options;
    return new CrewChange({
      run,
      recovered,
      intervals: this.intervals,
      mover: this.mover,
      authority: this.authority,
      connectors: this.#connectors,
      crew: this.#crew,
      slots: this.#slots,
      newSlot: (index) => this.#newSlot(index),
      isOver: () => this.isOver,
      failed: (error) => {
        if (this.#ending === undefined) this.#fail(messageOf(error), causeOf(error));
      },
    });
  }

  /** One that an earlier host has begun goes on. */
  #beginChange(): void {
    if (this.#draining || this.#options.lettersOnly !== undefined) return;
    void this.crewChange.want(this.#options.run.workers);
  }

  #makeMover(): IntervalMover {
    return new IntervalMover({
      recovered: this.#options.recovered,
      intervals: this.intervals,
      slots: this.#slots,
      authority: this.authority,
      store: (step) => this.#storeIntervals(step),
      isOver: () => this.isOver,
      hasEnded: () => this.#ending !== undefined,
      now: this.#now,
      failed: (error) => {
        if (this.#ending === undefined) this.#fail(messageOf(error), causeOf(error));
      },
    });
  }

  async #storeIntervals({ intervals, also = [], still, committed }: StoredStep): Promise<void> {
    const { run, recovered } = this.#options;
    const body = stepBody({ intervals, also });
    const outcome = await this.#committer.submitOwn({
      append: async (position) => {
        if (!still() || this.#ending !== undefined) return 'stale';
        const bundle = {
          position,
          slot: HOST_SLOT,
          sequencer: recovered.hostSequencer,
          bundleNumber: ++this.#bundles,
          body: body.bytes,
        };
        return run.store.redrive({ bundle, numbers: [] });
      },
      committed: (position) => {
        committed();
        this.figures.workers = this.#slots.length;
        this.#appended(position, body, HOST_SLOT);
      },
    });
    if (outcome === 'fenced') this.#fail(FENCED, 'fenced');
  }

  #makeRedriver(): Redriver {
    const { run, recovered, counts } = this.#options;
    return new Redriver({
      store: run.store,
      plan: this.#plan,
      recovered,
      counts,
      intervals: this.intervals,
      nextBundle: () => ++this.#bundles,
      committer: this.#committer,
      readerOf: (node, place) => this.#connectors.readerOf(node, place),
      folded: () => this.#folds.settled(),
      committed: (position, body) => this.#appended(position, body, HOST_SLOT),
      isOver: () => this.isOver,
      fenced: () => this.#fail(FENCED, 'fenced'),
    });
  }

  // ---- ending ----------------------------------------------------------------------------------------

  async #close(ending: Ending): Promise<Ending> {
    clearInterval(this.#timer);
    this.#pushed.close();
    this.#crew.close();
    for (const slot of this.#slots) {
      slot.stopSources();
      slot.link?.kill('the run has ended');
    }
    for (const { link } of this.#slots) if (link !== undefined) await this.#committer.settle(link);
    const notClosed = await this.#connectors.close();
    const result =
      notClosed === undefined || ending.kind === 'failed' ? ending : failure(messageOf(notClosed));
    try {
      await this.#folds.close(ending.kind !== 'failed');
    } catch (error) {
      if (result.kind !== 'failed') return failure(messageOf(error), causeOf(error));
    }
    return result;
  }

  #end(ending: Ending): void {
    if (this.#ending !== undefined) return;
    this.#ending = ending;
    this.#finish(ending);
  }

  #fail(error: string, cause?: FailureCause): void {
    this.#end(failure(error, cause));
  }

  #fenced(link: WorkerLink): void {
    link.kill('its lease is held by another host');
    this.#fail(FENCED, 'fenced');
  }

  /** Nothing of one pipeline may reach the process that runs others, too. */
  #guard(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#fail(messageOf(error));
    }
  }

  // ---- what flows ------------------------------------------------------------------------------------

  #committed({ link, frame, body, origin }: Submission, position: number): void {
    const { faults } = this.#options.run;
    const slot = this.#slots[link.slot] as WorkerSlot;
    if (this.authority.report(link.slot, frame.watermarks)) {
      for (const other of this.#slots) other.hears(link.slot);
      if (this.#pace.skew.look()) this.#paceSources();
    }
    slot.committed(frame.bundleNumber, link);
    const wasMoving = this.intervals.phase;
    this.#appended(position, body, link.slot, origin);
    // What it says of keys it has taken over counts from this bundle on (WA3).
    if (wasMoving !== this.intervals.phase && this.authority.report(link.slot, frame.watermarks))
      for (const other of this.#slots) {
        other.hears(link.slot);
        other.pump();
      }
    this.mover.look();
    this.crewChange.look();
    slot.checkSources();
    faults?.committed(position, link.slot, this.#slots.length, frame.watermarks);
    this.#checkOver();
  }

  /** A bundle is in the log: what it changed is seen, what it delivers goes out. */
  #appended(position: number, body: BundleBody, from: number, origin?: number): void {
    const { paged, deliveries } = this.#options.recovered;
    const at = { from, position, origin };
    paged.apply(position, body, (key, value) => this.#metaCommitted(at, key, value));
    const targets = deliveries.add(position, body.batches, this.#now(), { origin });
    if (exchangesTooMuch(deliveries))
      this.#fail(
        `worker ${from} was ended: it and the others have sent each other ${MOST_EXCHANGED} bytes that nobody has taken. A node produces far more than it is given: let it produce less at a time`,
      );
    this.#payOwed();
    for (const other of this.#slots)
      if (targets.has(slotTarget(other.index)) || other.takesAway || other.hasUnheard || other.index === from)
        other.pump();
    this.#connectors.kickSinks();
    this.#folds.consider();
    this.#checkPressure();
  }

  #metaCommitted(
    { from, position, origin }: { from: number; position: number; origin: number | undefined },
    key: Uint8Array,
    value: Uint8Array | undefined,
  ): void {
    if (value === undefined) return;
    const { recovered, counts } = this.#options;
    const text = Buffer.from(key).toString('utf8');
    if (text.startsWith('source/')) this.#sourceCommitted(text, value);
    else if (text.startsWith('delivered/'))
      recovered.deliveries.acknowledge(
        slotTarget(Number(text.slice('delivered/'.length))),
        new ByteReader(value).f64(),
      );
    else if (text.startsWith('interval-step/'))
      this.mover.stepped(from, new ByteReader(value).f64(), position);
    else {
      counts.take(text, value);
      if (origin !== undefined) this.figures.counted(text, origin, this.#now());
    }
  }

  #sourceCommitted(key: string, mark: Uint8Array): void {
    this.#pushed.committed(key, mark);
    const table = this.#tables.committed(key, mark);
    if (table !== undefined) for (const slot of this.#slots) slot.hearsTable(table);
  }

  #workerHeard(slot: WorkerSlot): void {
    slot.pump();
    slot.checkSources();
    this.mover.look();
    this.crewChange.look();
    this.#checkOver();
  }

  #tick(): void {
    const now = this.#now();
    this.#crew.watch(now);
    this.#pushed.tick(now);
    this.#folds.consider();
    this.#committer.look();
    this.mover.look();
    this.crewChange.look();
    this.#checkOver();
  }

  // ---- pace and end ----------------------------------------------------------------------------------

  /** PH5: tells workers of their commits, unless what they have committed outruns folder or sinks. */
  #payOwed(): void {
    const { deliveries, paged } = this.#options.recovered;
    if (outrunsHost(paged, deliveries)) return;
    for (const slot of this.#slots) slot.payOwed();
  }

  #checkPressure(): void {
    this.#payOwed();
    const { deliveries } = this.#options.recovered;
    const pressed = this.#folds.full || deliveries.bytes > UNDELIVERED_BOUND;
    if (pressed === this.#pace.pressed) return;
    this.#pace.pressed = pressed;
    this.#paceSources();
  }

  #paceSources(): void {
    for (const slot of this.#slots) slot.pauseSources((node) => this.#pace.why(node) !== undefined);
  }

  #checkOver(): void {
    if (this.#ending !== undefined) return;
    const { lettersOnly } = this.#options;
    const step = endStep({
      committerIsIdle: this.#committer.idle,
      workers: this.#slots,
      moving: this.mover.isBusy,
      draining: this.#draining && lettersOnly?.inputHasEnded !== true,
      awaitsLetters: lettersOnly !== undefined && !this.#draining,
      injectorsEnded: () =>
        this.#plan.nodes.every(
          ({ kind, index }) => kind !== 'injector' || this.authority.endedEverywhere(index),
        ),
      sinksAreIdle: () => this.#connectors.sinksAreIdle,
    });
    if (step.kind === 'not-yet') return;
    if (step.kind === 'fire-wall-timers') this.#slots[step.slot]?.link?.finalWall(step.limit);
    else this.#end(step);
  }
}

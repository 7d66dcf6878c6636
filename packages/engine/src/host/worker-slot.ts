/**
 * One slot of a pipeline as its host sees it: the worker that has it now, and what is on its way to that worker.
 *
 * Owns: what the worker has not been told yet (commits, deliveries, watermarks of others), samples of bundles that
 * are not committed, its sources, whether it gives signs of life.
 * Does not own: starting workers (`worker-crew`), what is delivered (`deliveries`), when to pay (`pipeline-host`).
 *
 * Invariants
 *   PH2 (W2)  a worker hears a watermark only behind every batch committed before it.
 *   WS1 (PH5) every commit is told exactly once, in order, to the worker whose bundle it was.
 *   WS2       a sample is passed on only once its bundle is committed: one that is lost is made again.
 */
import { AWAY_SLOT, type TapSample } from '@millrace/protocol';
import type { WatermarkAuthority } from '../watermark/authority.ts';
import { WORKER_BACKLOG_BYTES, WORKER_BACKLOG_ITEMS } from './bounds.ts';
import { type Deliveries, slotTarget } from './deliveries.ts';
import { InputReach } from './input-reach.ts';
import type { WorkerEnd } from './runtime-view.ts';
import { AT_START, AT_WORK, noProgress } from './silence.ts';
import type { SourceRunner } from './source-runner.ts';
import type { TableStandings } from './table-standings.ts';
import { WorkerHealth } from './worker-health.ts';
import type { WorkerLink } from './worker-link.ts';

/** How often a worker with `async` calls is asked for a sign of life; it says nothing by itself while they last. */
const ASK_MS = 1_000;
/** Bundles after which a worker is past what killed its predecessor; the worker itself counts the same. */
const RECOVERED_AFTER = 64;

/** Inputs that wait with a worker which holds some of them, beyond which it gets no more. */
const MOST_WAITING = 20_000;
/** Sources that cannot be read up to where they were read before do not make a worker hold its input for ever. */
const MISTRUST_MS = 30_000;

export const NEVER_LOADED = `its code did not load within ${AT_START.ownMs / 1000} s`;
/** Of which it hardly ran. */
export const NEVER_STARTED = `it did not start within ${AT_START.wallMs / 1000} s`;

export interface SlotOptions {
  readonly index: number;
  readonly deliveries: Deliveries;
  readonly authority: WatermarkAuthority;
  readonly tables: TableStandings;
  /** Samples of a committed bundle. */
  readonly samples: (taken: readonly TapSample[]) => void;
}

export class WorkerSlot {
  readonly index: number;
  readonly health = new WorkerHealth();
  /** For whoever looks at it. */
  readonly life: {
    starts: number;
    startedAt: number | undefined;
    lastEnd: WorkerEnd | undefined;
    bundles: number;
  } = { starts: 0, startedAt: undefined, lastEnd: undefined, bundles: 0 };
  readonly #options: SlotOptions;
  #link: WorkerLink | undefined;
  /** With whether somebody has paused them. */
  readonly #sources = new Map<SourceRunner, boolean>();
  #bundles = 0;
  #isRecovered = false;
  /** Bundles of the worker that are committed and not said to be. */
  #owed: number[] = [];
  #askedAt = 0;
  /** Up to here its input may be what ended the worker before it. */
  #suspects: InputReach | undefined;
  /** Behind this input nothing is suspect any more. */
  #trustFrom: number | undefined;
  /** Inputs are on trial: that it commits says nothing about them. */
  onTrial: () => boolean = () => false;
  /** Other workers whose watermarks it has not heard. */
  readonly #unheard = new Set<number>();
  /** The same, but of those that have taken keys over (WA3). */
  readonly #lowered = new Set<number>();
  /** Injectors of whose table it has not heard how far it is known. */
  readonly #unknownTables = new Set<number>();
  /** What waits for an interval that moves is for it. */
  takesAway = false;
  #isJoining = false;
  #isRetiring = false;
  /** Samples of its bundles that are not committed. */
  #samples: { readonly bundle: number; readonly taken: readonly TapSample[] }[] = [];
  /** The last of its bundles that is. */
  #committed = 0;

  constructor(options: SlotOptions) {
    this.index = options.index;
    this.#options = options;
  }

  get link(): WorkerLink | undefined {
    return this.#link;
  }

  /** Another worker has the slot from now on. */
  begin(link: WorkerLink, now: number): void {
    this.life.starts++;
    this.life.startedAt = now;
    this.#bundles = 0;
    this.#isRecovered = false;
    this.#owed = [];
    this.#samples = [];
    this.#committed = 0;
    this.#trustFrom = undefined;
    for (const node of this.#options.tables.all.keys()) this.#unknownTables.add(node);
    this.#link = link;
  }

  // ---- suspects --------------------------------------------------------------------------------------

  /** Its worker has ended over something it was sent. */
  mistrust({ reach }: WorkerLink): void {
    this.#suspects ??= new InputReach();
    this.#suspects.add(reach);
  }

  get isMistrusted(): boolean {
    return this.#suspects !== undefined;
  }

  /** Tells the worker when it has taken in all that may end it. `reads`: sources are. */
  checkTrust(now: number, reads: boolean): void {
    const link = this.#link;
    const suspects = this.#suspects;
    if (suspects === undefined || link?.state !== 'running') return;
    const isCovered =
      (link.reach.coversDeliveries(suspects) ||
        !this.#options.deliveries.isWaiting(slotTarget(this.index))) &&
      (!reads || link.reach.coversSources(suspects));
    if (isCovered || now - (this.life.startedAt ?? now) > MISTRUST_MS) this.#trustFrom ??= link.sent;
    if (this.#trustFrom === undefined || link.finished < this.#trustFrom) return;
    this.#suspects = undefined;
    link.trust(false);
  }

  /** What it held runs untried: whether it is past that is counted anew. */
  gaveUp(): void {
    this.#suspects = undefined;
    this.#bundles = 0;
    this.#isRecovered = false;
  }

  // ---- its commits -----------------------------------------------------------------------------------

  committed(bundle: number, link: WorkerLink): void {
    this.life.bundles++;
    if (this.#link === link) {
      this.#owed.push(bundle);
      this.#committed = bundle;
      this.#releaseSamples();
    }
    if (++this.#bundles < RECOVERED_AFTER || this.#isRecovered || this.onTrial()) return;
    this.#isRecovered = true;
    this.health.recovered();
  }

  /** Tells the worker of its commits. */
  payOwed(): void {
    for (const bundle of this.#owed) this.#link?.committed(bundle);
    this.#owed = [];
  }

  sampled(bundle: number, taken: readonly TapSample[]): void {
    this.#samples.push({ bundle, taken });
    this.#releaseSamples();
  }

  #releaseSamples(): void {
    while (this.#samples[0] !== undefined && this.#samples[0].bundle <= this.#committed)
      this.#options.samples(this.#samples.shift()?.taken ?? []);
  }

  // ---- what others made for it -----------------------------------------------------------------------

  /** The watermarks of another slot have moved. */
  hears(other: number): void {
    if (other !== this.index) this.#unheard.add(other);
  }

  /** Those of another slot are lower than they were: told in front of all others, so that nobody is ahead of it. */
  hearsLowered(other: number): void {
    if (other !== this.index) this.#lowered.add(other);
  }

  /** More is known of the table of an injector. */
  hearsTable(node: number): void {
    this.#unknownTables.add(node);
  }

  get hasUnheard(): boolean {
    return this.#unheard.size > 0 || this.#lowered.size > 0 || this.#unknownTables.size > 0;
  }

  /** It is given nothing but what waits for an interval that moves to it, so that it comes to the end of that. */
  get isJoining(): boolean {
    return this.#isJoining;
  }

  set isJoining(joining: boolean) {
    if (joining === this.#isJoining) return;
    this.#isJoining = joining;
    this.#paceSources();
  }

  /** Gives the worker what is committed for it, then what the others have promised (PH2). */
  pump(): void {
    const link = this.#link;
    if (link === undefined || link.state !== 'running') return;
    if (this.#isOverfull) return;
    const { deliveries, authority, tables } = this.#options;
    for (let channel = this.#next; channel !== undefined; channel = this.#next) {
      if (link.queuedBytes > WORKER_BACKLOG_BYTES || this.#taken >= WORKER_BACKLOG_ITEMS) return;
      const delivery = deliveries.take(slotTarget(channel));
      if (delivery === undefined) return;
      link.deliver(delivery.position, delivery.batches, delivery.origin, channel);
    }
    if (link.queuedBytes > WORKER_BACKLOG_BYTES || this.#isJoining || this.#isRetiring) return;
    // In front of watermarks: whoever hears one knows what was known by then.
    for (const node of this.#unknownTables) {
      const standing = tables.all.get(node);
      if (standing !== undefined) link.table(node, standing);
    }
    this.#unknownTables.clear();
    for (const other of this.#lowered) link.watermarks(other, authority.table(other), true);
    this.#lowered.clear();
    for (const other of this.#unheard) link.watermarks(other, authority.table(other));
    this.#unheard.clear();
  }

  /** Of the channels that are its to take from, the one with the oldest delivery (PH2). */
  get #next(): number | undefined {
    const { deliveries } = this.#options;
    const own = this.#isJoining ? undefined : deliveries.nextOf(slotTarget(this.index));
    if (!this.takesAway) return own === undefined ? undefined : this.index;
    const away = deliveries.nextOf(slotTarget(AWAY_SLOT));
    // Of one bundle, what went apart was made before its sender heard that it need not any more.
    if (away !== undefined && (own === undefined || away <= own)) return AWAY_SLOT;
    return own === undefined ? undefined : this.index;
  }

  get #taken(): number {
    const { deliveries } = this.#options;
    return (
      deliveries.takenBy(slotTarget(this.index)) +
      (this.takesAway ? deliveries.takenBy(slotTarget(AWAY_SLOT)) : 0)
    );
  }

  /** Everything is told, taken, committed and finished with. */
  get isQuiet(): boolean {
    return (
      this.#link?.quiescent === true &&
      this.#options.deliveries.isEmpty(slotTarget(this.index)) &&
      !this.hasUnheard
    );
  }

  /** Wall time in ms, as the worker last said. */
  get nextWallTimer(): number | undefined {
    return this.#link?.status?.nextWallTimer;
  }

  // ---- its end ---------------------------------------------------------------------------------------

  /** It has no keys any more: it reads nothing, and need not hear how far others are. */
  retire(): void {
    this.#isRetiring = true;
    this.stopSources();
  }

  stays(): void {
    this.#isRetiring = false;
  }

  get isRetiring(): boolean {
    return this.#isRetiring;
  }

  // ---- its sources -----------------------------------------------------------------------------------

  addSource(source: SourceRunner, paused: boolean): void {
    source.paused = paused || this.#isOverfull || this.#isJoining;
    this.#sources.set(source, paused);
    source.start();
  }

  /** `isPaused` is asked by plan index of the injector. */
  pauseSources(isPaused: (node: number) => boolean): void {
    for (const source of this.#sources.keys()) this.#sources.set(source, isPaused(source.node));
    this.#paceSources();
  }

  #paceSources(): void {
    const isOverfull = this.#isOverfull;
    for (const [source, paused] of this.#sources) source.paused = paused || isOverfull || this.#isJoining;
  }

  /** SU8: while inputs are on trial, whatever comes for their keys waits with the worker. */
  get #isOverfull(): boolean {
    return this.onTrial() && (this.#link?.status?.waiting ?? 0) > MOST_WAITING;
  }

  /** The worker may have room again. */
  checkSources(): void {
    for (const source of this.#sources.keys()) source.check();
  }

  stopSources(): void {
    for (const source of this.#sources.keys()) source.stop();
    this.#sources.clear();
  }

  // ---- signs of life ---------------------------------------------------------------------------------

  /** P8 */
  #judge(link: WorkerLink): void {
    const isStarting = link.state === 'starting';
    const verdict = link.judgeSilence(isStarting ? AT_START : AT_WORK);
    if (verdict === 'patience') return;
    const isDoubtful = verdict === 'doubtful';
    if (isStarting) link.kill(isDoubtful ? NEVER_STARTED : NEVER_LOADED, isDoubtful);
    else link.kill(noProgress(verdict), isDoubtful);
  }

  /** Ends a worker that is busy and silent (P8); wakes one that waits for the time, or is asked for a sign. `pauseMs`: the host did not run. */
  watch(now: number, pauseMs: number): void {
    const link = this.#link;
    if (link === undefined || link.state === 'dead') return;
    link.excuse(pauseMs);
    this.#judge(link);
    const wakeAt = link.status?.wakeAt;
    const due = wakeAt !== undefined && wakeAt <= now;
    const ask = (link.status?.running ?? 0) > 0 && now - this.#askedAt >= ASK_MS;
    if (link.state === 'running' && (due || ask) && link.silentMs === 0) {
      this.#askedAt = now;
      link.tick();
    }
    this.#paceSources();
    for (const source of this.#sources.keys()) source.watch(now, pauseMs);
    this.pump();
  }
}

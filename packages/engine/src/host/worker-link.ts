/**
 * One incarnation of one worker: its process, its frames, and what the host knows of how far it is.
 *
 * Owns: the process; sequence numbers of input; whether the worker is busy or waits for the host.
 * Does not own: leases, commits, what to do when it dies.
 *
 * The worker is not trusted. A frame that cannot be decoded, a bundle out of number or a body that touches
 * what is not this worker's ends it (`frame-rules.ts`). So does whatever would make the host keep more and more
 * for it: bundles without waiting, a second question before the first is answered, input it never reads.
 *
 * Invariants
 *   WL1  before `ready` there is only `ready` or `failed`, and `ready` comes once: nothing else keeps a worker
 *        alive while its code loads, and its sources start once.
 *   WL2 (DP3)  at most `MAX_UNCOMMITTED` of its bundles wait for a commit.
 *   WL3  at most one fetch waits for an answer.
 *   WL4  samples come once for a bundle, right behind it: their number is bounded by that of bundles (WL2).
 *
 *   starting ──ready──> running ──exit──> dead
 *      └──────────────exit────────────────┘
 */
import type {
  Chunk,
  DeliveredBatch,
  DueScan,
  FetchResult,
  HostFrame,
  HotKeyReport,
  IntervalChange,
  LogLine,
  StoreEntry,
  TableStanding,
  TapLimits,
  TapSample,
  Watermark,
  WorkerConfiguration,
  WorkerFrame,
  WorkerStatus,
} from '@millrace/protocol';
import { AWAY_SLOT, decodeWorkerFrame, encodeHostFrame } from '@millrace/protocol';
import type { WorkerExit, WorkerProcess } from '../ports.ts';
import { MAX_UNCOMMITTED } from '../worker/max-uncommitted.ts';
import { InputOrigins } from './input-origins.ts';
import { InputReach } from './input-reach.ts';
import { Silence, type SilenceLimits, type SilenceVerdict } from './silence.ts';

export type BundleFrame = Extract<WorkerFrame, { kind: 'bundle' }>;

export interface WorkerLinkEvents {
  ready(): void;
  bundle(frame: BundleFrame): void;
  status(status: WorkerStatus): void;
  /** The pipe has taken everything: `queuedBytes` is 0. */
  drained(): void;
  fetch(request: number, scans: Extract<WorkerFrame, { kind: 'fetch' }>['scans']): void;
  due(request: number, scan: DueScan): void;
  /** It holds input of a key until that was tried elsewhere. */
  suspect(question: Extract<WorkerFrame, { kind: 'suspect' }>): void;
  logs(lines: readonly LogLine[], cut: number): void;
  effort(spentMs: readonly number[]): void;
  hotKeys(reports: readonly HotKeyReport[]): void;
  /** Samples of the bundle that came last. */
  taps(bundleNumber: number, samples: readonly TapSample[]): void;
  /** The code could not be loaded, or the data plane broke. */
  failed(failure: { readonly node: string; readonly message: string; readonly stack: string }): void;
  exit(death: WorkerDeath): void;
}

export interface WorkerDeath {
  readonly exit: WorkerExit;
  /** Why the host ended it, if it did. */
  readonly killedFor: string | undefined;
  /** What it was killed for may be nobody's fault: a machine that gives it no time looks the same. */
  readonly isDoubtful: boolean;
  /** It was running user code, not waiting for the host. */
  readonly busy: boolean;
  /** The input named by the last careful report. */
  readonly lastInput: string | undefined;
}

/** A worker that is fed by hundreds of partitions has less than this in its pipe. */
const MOST_QUEUED = 512 * 1024 * 1024;
/** It hangs, or is given no time. */
export const DEAF = 'it does not read what it is sent';
/** A longer name of an input is not worth keeping through all that may follow. */
const LONGEST_INPUT = 1024 * 1024;

export class WorkerLink {
  readonly slot: number;
  readonly sequencer: number;
  readonly #process: WorkerProcess;
  readonly #events: WorkerLinkEvents;
  readonly #now: () => number;
  #state: 'starting' | 'running' | 'dead' = 'starting';
  #sequence = 0;
  #finished = 0;
  #bundles = 0;
  #committed = 0;
  readonly #origins = new InputOrigins();
  /** How far it was sent its input. */
  readonly reach = new InputReach();
  /** The last bundle whose samples came. */
  #sampled = 0;
  #status: WorkerStatus | undefined;
  /** True from any frame that gives the worker something to do until it says that it waits. */
  #busy = true;
  /** The fetch the host has not answered: until then the worker waits, whatever else is sent to it. */
  #asked: number | undefined;
  #deliveredThrough = 0;
  #awayThrough = 0;
  readonly #silence: Silence;
  #lastInput: string | undefined;
  #killedFor: string | undefined;
  #isDoubtful = false;

  constructor(
    slot: number,
    sequencer: number,
    process: WorkerProcess,
    events: WorkerLinkEvents,
    now: () => number,
  ) {
    this.slot = slot;
    this.sequencer = sequencer;
    this.#process = process;
    this.#events = events;
    this.#now = now;
    this.#silence = new Silence(now, () => process.processorMs?.());
    process.onDrain?.(() => events.drained());
    process.onFrame((frame) => this.#receive(frame));
    process.onExit((exit) => {
      this.#state = 'dead';
      events.exit({
        exit,
        killedFor: this.#killedFor ?? exit.reason,
        isDoubtful: this.#isDoubtful,
        busy: this.#busy,
        lastInput: this.#lastInput,
      });
    });
  }

  get state(): 'starting' | 'running' | 'dead' {
    return this.#state;
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  /** Everything sent is finished with, every bundle committed, nothing waits or runs. */
  get quiescent(): boolean {
    return this.isIdle && this.#status?.waiting === 0 && this.#status.running === 0;
  }

  /** Wall time at which the oldest input of a bundle came in, asked once a bundle, in order. */
  originOf({ throughSequence }: BundleFrame): number | undefined {
    return this.#origins.take(throughSequence);
  }

  get status(): WorkerStatus | undefined {
    return this.#status;
  }

  /** The last input sequence number the worker is done with. */
  get finished(): number {
    return this.#finished;
  }

  /** The last input sequence number it was sent. */
  get sent(): number {
    return this.#sequence;
  }

  /** The highest log position it was handed. */
  get deliveredThrough(): number {
    return this.#deliveredThrough;
  }

  /** The same of the channel of an interval that moves to it. */
  get awayThrough(): number {
    return this.#awayThrough;
  }

  /** Bundles that came from it. */
  get bundles(): number {
    return this.#bundles;
  }

  /** Like `quiescent`, but for inputs that wait and calls that run. */
  get isIdle(): boolean {
    const status = this.#status;
    return (
      this.#state === 'running' &&
      status !== undefined &&
      !status.pending &&
      status.throughSequence === this.#sequence &&
      status.bundlesSent === this.#committed
    );
  }

  /** It may send no bundle before it is told of a commit (WL2). */
  get isFull(): boolean {
    return this.#bundles - this.#committed >= MAX_UNCOMMITTED;
  }

  get queuedBytes(): number {
    return this.#process.queuedBytes;
  }

  /** Milliseconds since a busy worker last said anything; 0 while it waits for the host. */
  get silentMs(): number {
    return this.#owesASign ? this.#silence.wallMs : 0;
  }

  judgeSilence(limits: SilenceLimits): SilenceVerdict {
    return this.#owesASign ? this.#silence.judge(limits) : 'patience';
  }

  get #owesASign(): boolean {
    return this.#busy && this.#asked === undefined && this.#state !== 'dead';
  }

  /** For so many milliseconds the host could not have heard it. */
  excuse(ms: number): void {
    this.#silence.excuse(ms);
  }

  configure(configuration: WorkerConfiguration, code: string): void {
    this.#send({ kind: 'configure', configuration, code });
  }

  restore(entries: readonly StoreEntry[], last: boolean): void {
    this.#send({ kind: 'restore', entries, last });
  }

  /** Returns the chunk's sequence number. */
  chunk(node: number, partition: number, chunk: Chunk): number {
    this.reach.took(node, partition, chunk);
    const given = this.#input((sequence) => ({ kind: 'chunk', sequence, node, partition, chunk }));
    if (chunk.kind === 'bytes' || chunk.kind === 'ordinals' || chunk.kind === 'request')
      this.#origins.add(given, this.#now());
    return given;
  }

  /** `origin`: when the oldest of what made it came in. */
  deliver(
    position: number,
    batches: readonly DeliveredBatch[],
    origin: number,
    channel: number = this.slot,
  ): number {
    if (channel === AWAY_SLOT) this.#awayThrough = position;
    else this.#deliveredThrough = position;
    this.reach.delivered(position);
    const given = this.#input((sequence) => ({ kind: 'deliver', sequence, position, channel, batches }));
    this.#origins.add(given, origin);
    return given;
  }

  /** `lowered`: that worker has taken keys over, and said more before. */
  watermarks(slot: number, table: readonly Watermark[], lowered = false): void {
    this.#input((sequence) => ({ kind: 'watermarks', sequence, slot, lowered, table }));
  }

  table(node: number, standing: TableStanding): void {
    this.#input((sequence) => ({ kind: 'table', sequence, node, standing }));
  }

  intervals(change: IntervalChange): void {
    this.#input((sequence) => ({ kind: 'intervals', sequence, change }));
  }

  inherit(what: Pick<Extract<HostFrame, { kind: 'inherit' }>, 'watermarks' | 'farNodes' | 'entries'>): void {
    this.#input((sequence) => ({ kind: 'inherit', sequence, ...what }));
  }

  tick(): void {
    this.#input((sequence) => ({ kind: 'tick', sequence }));
  }

  finalWall(limit: number): void {
    this.#input((sequence) => ({ kind: 'final-wall', sequence, limit }));
  }

  committed(bundleNumber: number): void {
    this.#committed = bundleNumber;
    this.#send({ kind: 'committed', bundleNumber });
  }

  fetched(request: number, results: readonly FetchResult[]): void {
    this.#asked = undefined;
    this.#silence.heard();
    this.#send({ kind: 'fetched', request, results });
  }

  /** Up to the stored sequence `through` what is held of a key may run. */
  cleared(number: number, through: number): void {
    this.#send({ kind: 'cleared', number, through });
  }

  condemned(input: string, reason: string): void {
    this.#send({ kind: 'condemned', input, reason });
  }

  /** What it is sent from here on need not be held; `held`: nor what is. */
  trust(held: boolean): void {
    this.#send({ kind: 'trusted', held });
  }

  /** Not input: it is no sign that the worker has anything to do, and it is not answered. */
  tap(stream: number, limits: TapLimits): void {
    if (this.#state === 'running') this.#process.send(encodeHostFrame({ kind: 'tap', stream, ...limits }));
  }

  /** `isDoubtful`: nobody may be to blame for it. */
  kill(reason: string, isDoubtful = false): void {
    if (this.#killedFor === undefined) this.#isDoubtful = isDoubtful;
    this.#killedFor ??= reason;
    this.#process.kill(reason);
  }

  #input(make: (sequence: number) => HostFrame): number {
    const sequence = ++this.#sequence;
    this.#send(make(sequence));
    return sequence;
  }

  #send(frame: HostFrame): void {
    if (this.#state === 'dead') return;
    if (!this.#busy) this.#silence.heard();
    this.#busy = true;
    this.#process.send(encodeHostFrame(frame));
    if (this.#process.queuedBytes > MOST_QUEUED) this.kill(DEAF, true);
  }

  #receive(bytes: Uint8Array): void {
    if (this.#state === 'dead' || this.#killedFor !== undefined) return;
    this.#silence.heard();
    try {
      this.#handle(decodeWorkerFrame(bytes));
    } catch (error) {
      this.kill(`sent a frame that is not one: ${(error as Error).message}`);
    }
  }

  #handle(frame: WorkerFrame): void {
    if (this.#state === 'starting' && frame.kind !== 'ready' && frame.kind !== 'failed')
      throw new Error(`${frame.kind} before it is ready`);
    switch (frame.kind) {
      case 'ready':
        if (this.#state === 'running') throw new Error('ready twice');
        this.#state = 'running';
        this.#events.ready();
        return;
      case 'bundle':
        if (frame.bundleNumber !== this.#bundles + 1)
          throw new Error(`bundle ${frame.bundleNumber} after bundle ${this.#bundles}`);
        if (this.#bundles - this.#committed >= MAX_UNCOMMITTED)
          throw new Error(`bundle ${frame.bundleNumber} before bundle ${this.#committed + 1} is committed`);
        this.#bundles++;
        this.#advance(frame.throughSequence);
        this.#events.bundle(frame);
        return;
      case 'status':
        if (frame.bundlesSent !== this.#bundles)
          throw new Error(`${frame.bundlesSent} bundles are called sent, ${this.#bundles} came`);
        this.#status = frame;
        this.#advance(frame.throughSequence);
        this.#origins.take(frame.throughSequence);
        // It speaks of the time before what is still on its way to it.
        this.#busy =
          frame.throughSequence < this.#sequence && frame.bundlesSent - this.#committed < MAX_UNCOMMITTED;
        this.#events.status(frame);
        return;
      case 'fetch':
        this.#ask(frame.request);
        this.#events.fetch(frame.request, frame.scans);
        return;
      case 'due':
        this.#ask(frame.request);
        this.#events.due(frame.request, frame.scan);
        return;
      case 'progress':
        this.#lastInput = frame.input === '' || frame.input.length > LONGEST_INPUT ? undefined : frame.input;
        return;
      case 'suspect':
        this.#events.suspect(frame);
        return;
      case 'tried':
        throw new Error('it has nothing on trial');
      case 'logs':
        this.#events.logs(frame.lines, frame.cut);
        return;
      case 'effort':
        this.#events.effort(frame.spentMs);
        return;
      case 'hot-keys':
        this.#events.hotKeys(frame.reports);
        return;
      case 'taps':
        if (frame.bundleNumber !== this.#bundles || this.#sampled === this.#bundles)
          throw new Error(`samples of bundle ${frame.bundleNumber} behind bundle ${this.#bundles}`);
        this.#sampled = frame.bundleNumber;
        this.#events.taps(frame.bundleNumber, frame.samples);
        return;
      case 'failed':
        this.#busy = false;
        this.#events.failed(frame);
    }
  }

  #ask(request: number): void {
    if (this.#asked !== undefined)
      throw new Error(`fetch ${request} before fetch ${this.#asked} is answered`);
    this.#asked = request;
  }

  #advance(through: number): void {
    if (through > this.#sequence)
      throw new Error(`input ${through} is called finished, ${this.#sequence} was sent`);
    if (through > this.#finished) this.#finished = through;
  }
}

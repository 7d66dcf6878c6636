/** What a run needs, and what it tells. */
import type { NodeKind, PlanNode, RunPlan } from '@millrace/graph';
import type { LogLine, TapLimits, Watermark } from '@millrace/protocol';
import type { Faults } from '../faults.ts';
import type {
  ConnectorContext,
  Connectors,
  LetterChoice,
  PipelineStore,
  SinkContext,
  WorkerLauncher,
} from '../ports.ts';
import type { Quantiles } from './latency-meter.ts';
import type { MoveAnswer, MoveRequest } from './move-request.ts';
import type { RecordTrace } from './record-trace.ts';
import type { RedriveAnswer } from './redriver.ts';
import type { RuntimeView } from './runtime-view.ts';
import type { PipelineState } from './state-browser.ts';
import type { OpenTap, TapBatch } from './tap-hub.ts';
import type { WatermarkCause } from './watermark-cause.ts';

export interface RunOptions {
  readonly store: PipelineStore;
  readonly launcher: WorkerLauncher;
  readonly connectors: Connectors;
  /** `hostSequencer` is the lease the sink's transactions lock. */
  readonly sinkContext: (node: PlanNode, hostSequencer: number) => SinkContext;
  readonly connectorContext: (node: PlanNode) => ConnectorContext;
  readonly version: { readonly number: number; readonly plan: RunPlan; readonly bundle: string };
  readonly workers: number;
  readonly memoryMb: number;
  readonly clock?: { now(): number };
  /** Finish what is in flight, read nothing new. */
  readonly drainOnly?: boolean;
  /** Read nothing, take dead letters that are redriven until it is drained. */
  readonly lettersOnly?: LettersOnly | undefined;
  /** Nodes whose state goes at the end of a drain. */
  readonly dropState?: readonly string[];
  /** Begin paused. */
  readonly paused?: boolean;
  /** How often `onProgress` is called; 100 ms when not given. */
  readonly progressEveryMs?: number;
  /** The crash sweep's; never set otherwise. */
  readonly faults?: Faults;
  /** Every worker has loaded its code and taken over what was stored. */
  readonly onRunning?: () => void;
  readonly onProgress?: (progress: Progress) => void;
  /** Samples to take of every stream all the time, so that a tap shows what went by before it. */
  readonly samples?: TapLimits;
  readonly onLogs?: (lines: readonly LogLine[], cut: number) => void;
  readonly log: (message: string) => void;
}

export interface LettersOnly {
  /** Every input of the version has ended: so it is again at the end, and what W6 says of it holds. */
  readonly inputHasEnded: boolean;
}

export interface PipelineRun {
  readonly finished: Promise<RunResult>;
  /** Stops reading, finishes what is in flight and stops; timers and windows stay as state. */
  drain(): Promise<void>;
  /** Ends at once; nothing committed is lost. */
  abort(): void;
  /** Injectors read nothing more; what is in flight is finished, timers go on, workers stay. */
  pause(): void;
  resume(): void;
  /** Somebody looks closer, or nobody does any more. */
  progressEvery(ms: number): void;
  /** What the run looks like now; undefined before it has recovered. Rates are since about a second ago. */
  progress(): Progress | undefined;
  /** Its workers, and equations of P9 that do not hold, in words; undefined before it has recovered. */
  runtime(): (RuntimeView & { readonly imbalances: readonly string[] }) | undefined;
  /** Why a node's watermark stands where it does; undefined before it has recovered, or without such a node. */
  cause(node: string): Promise<WatermarkCause | undefined>;
  /** Where a record came from and what came of it, as far as samples tell. */
  trace(id: string): Promise<RecordTrace | undefined>;
  /** What is stored of it now; undefined before it has recovered. */
  state(): PipelineState | undefined;
  /** Gives keys to another worker while it runs; resolves when it has them. */
  moveKeys(request: MoveRequest): Promise<MoveAnswer>;
  /** So many workers share its keys from here on, without a stop; resolves when they do, or the run is over. */
  setWorkers(workers: number): Promise<void>;
  /** Delivers dead letters again, a bounded number of them, oldest first. */
  redrive(choice: LetterChoice): Promise<RedriveAnswer>;
  /** Watches streams by id; undefined before it has recovered, or when none of them is one of the plan's. */
  tap(streams: readonly string[], limits: TapLimits, pass: (batch: TapBatch) => void): OpenTap | undefined;
}

/**
 * Whether the same run can end otherwise next time. `code`: not before the pipeline is changed. `fenced`: somebody
 * else runs it. `outside`: what it read, wrote or kept its state in failed it.
 */
export type FailureCause = 'code' | 'fenced' | 'outside';

export interface RunResult {
  readonly kind: 'done' | 'drained' | 'failed';
  readonly error?: string;
  /** Of `failed`. */
  readonly cause?: FailureCause;
  readonly summary: Summary;
}

/** P9, summed over workers. */
export interface NodeCounts {
  readonly node: string;
  readonly name: string;
  readonly in: number;
  /** Of `in`: dead letters that were delivered again. */
  readonly redriven: number;
  readonly out: number;
  readonly late: number;
  /** Records and timers; `timersDeadLettered` of them are timers. */
  readonly deadLettered: number;
  readonly timersDeadLettered: number;
  /** With output, without output, or dropped late. */
  readonly processed: number;
  readonly droppedLate: number;
  readonly duplicates: number;
  readonly setAside: number;
  readonly waiting: number;
  /** Sums of `ctx.count` by name, 64 names at most; what found no room is in `countsCut`. */
  readonly counts: Readonly<Record<string, number>>;
  readonly countsCut: number;
}

export interface Summary {
  readonly nodes: readonly NodeCounts[];
}

export interface NodeProgress {
  readonly node: string;
  readonly name: string;
  readonly kind: NodeKind;
  readonly in: number;
  /** Of `in`: dead letters that were delivered again. */
  readonly redriven: number;
  readonly out: number;
  /** Records a second, over the last second or so. */
  readonly inRate: number;
  readonly outRate: number;
  readonly deadLettered: number;
  readonly late: number;
  readonly droppedLate: number;
  readonly setAside: number;
  /** Delivered and held back in the node: back-off, `async`, a key that waits. */
  readonly waiting: number;
  /** Share of its workers' time that the node took, 0 to 1; undefined for a sink. */
  readonly busy?: number;
  readonly counts: Readonly<Record<string, number>>;
  readonly countsCut: number;
  readonly watermark: Watermark;
  /** Records committed and not taken by this node yet, and records that wait in it. */
  readonly backlog: number;
  /** Event-time lag: how far the watermark is behind the wall clock. */
  readonly lagMs?: number;
  /** From arrival at an injector to committed here, over the last 10 s; undefined when nothing came. */
  readonly latency?: Quantiles;
  /** Processing-time lag: age of the oldest unfinished work (W11). */
  readonly workLagMs?: number;
  /** An injector that waits for slower ones (W10): how far it is ahead of the slowest. */
  readonly aheadMs?: number;
}

/** P9: produced + redriven = delivered + in flight. */
export interface StreamProgress {
  readonly stream: string;
  readonly produced: number;
  /** Put on it again, from dead letters. */
  readonly redriven: number;
  readonly delivered: number;
  readonly inFlight: number;
  /** Records produced a second, over the last second or so. */
  readonly rate: number;
}

export interface CommitProgress {
  /** Per second, over the last second or so. */
  readonly bundleRate: number;
  /** Of the latest transactions, from their start to their answer; undefined when there were none. */
  readonly p50Ms?: number;
  readonly p95Ms?: number;
  readonly p99Ms?: number;
}

/** Everything in it is of one epoch: between two commits. */
export interface Progress {
  /** Wall time in ms. */
  readonly at: number;
  /** Log position of the last commit in it. */
  readonly position: number;
  readonly nodes: readonly NodeProgress[];
  /** In the order of the plan. */
  readonly streams: readonly StreamProgress[];
  readonly commits: CommitProgress;
  readonly unfoldedBytes: number;
}

/** What a run needs, and what it tells. */
import type { NodeKind, PlanNode, RunPlan } from '@millrace/graph';
import type { LogLine, Watermark } from '@millrace/protocol';
import type { Faults } from '../faults.ts';
import type { ConnectorContext, Connectors, PipelineStore, SinkContext, WorkerLauncher } from '../ports.ts';

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
  /** Nodes whose state goes at the end of a drain. */
  readonly dropState?: readonly string[];
  /** Begin paused. */
  readonly paused?: boolean;
  /** How often `onProgress` is called; 100 ms when not given. */
  readonly progressEveryMs?: number;
  /** The crash sweep's; never set otherwise. */
  readonly faults?: Faults;
  readonly onProgress?: (progress: Progress) => void;
  readonly onLogs?: (lines: readonly LogLine[], cut: number) => void;
  readonly log: (message: string) => void;
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
}

export interface Summary {
  readonly nodes: readonly NodeCounts[];
}

export interface NodeProgress {
  readonly node: string;
  readonly name: string;
  readonly kind: NodeKind;
  readonly in: number;
  readonly out: number;
  readonly late: number;
  readonly deadLettered: number;
  readonly droppedLate: number;
  readonly inRate: number;
  readonly outRate: number;
  readonly watermark: Watermark;
  /** Records committed and not taken by this node yet, and records that wait in it. */
  readonly backlog: number;
  /** Event-time lag: how far the watermark is behind the wall clock. */
  readonly lagMs?: number;
  /** Processing-time lag: age of the oldest unfinished work (W11). */
  readonly workLagMs?: number;
}

export interface Progress {
  readonly nodes: readonly NodeProgress[];
  readonly unfoldedBytes: number;
}

/** What the run command needs of the engine. */
import type {
  ConnectorContext,
  Connectors,
  PipelineStore,
  SinkContext,
  WorkerLauncher,
} from '@millrace/engine';
import type { PlanNode, RunPlan } from '@millrace/graph';

export interface RunOptions {
  store: PipelineStore;
  launcher: WorkerLauncher;
  connectors: Connectors;
  sinkContext(node: PlanNode): SinkContext;
  connectorContext(node: PlanNode): ConnectorContext;
  version: { number: number; plan: RunPlan; bundle: string };
  workers: number;
  memoryMb: number;
  clock?: { now(): number };
  drainOnly?: boolean;
  onProgress?(progress: Progress): void;
  log(message: string): void;
}

export interface PipelineRun {
  readonly finished: Promise<RunResult>;
  drain(): Promise<void>;
  abort(): void;
}

export interface RunResult {
  kind: 'done' | 'drained' | 'failed';
  error?: string;
  summary: Summary;
}

export interface NodeCounts {
  node: string;
  name: string;
  in: number;
  out: number;
  late: number;
  deadLettered: number;
  droppedLate: number;
  duplicates: number;
  setAside: number;
  waiting: number;
}

export interface Summary {
  nodes: NodeCounts[];
}

export type WatermarkState =
  | { kind: 'not-yet' }
  | { kind: 'idle'; at?: number }
  | { kind: 'ended' }
  | { kind: 'at'; time: number };

export interface NodeProgress {
  node: string;
  name: string;
  in: number;
  out: number;
  inRate: number;
  outRate: number;
  watermark: WatermarkState;
  backlog: number;
  lagMs?: number;
}

export interface Progress {
  nodes: NodeProgress[];
  unfoldedBytes: number;
}

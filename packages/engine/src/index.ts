export type { LogLine, RememberedRequest, RequestAnswer, Watermark } from '@millrace/protocol';
export type { FaultControl, FaultHands, FaultPlan, FaultPoint, FaultVictim, PlannedFault } from './faults.ts';
export { FAULT_CONTROLS, FAULT_POINTS, FAULT_VICTIMS, Faults } from './faults.ts';
export type { IntervalGroup, MoveView } from './host/interval-view.ts';
export type { MoveAnswer, MoveRequest } from './host/move-request.ts';
export type { RecordTrace, TracedRecord } from './host/record-trace.ts';
export type { LetterRefusal, RedriveAnswer } from './host/redriver.ts';
export type {
  CommitProgress,
  FailureCause,
  NodeCounts,
  NodeProgress,
  PipelineRun,
  Progress,
  RunOptions,
  RunResult,
  StreamProgress,
  Summary,
} from './host/run-options.ts';
export type { RuntimeView, WorkerEnd, WorkerView } from './host/runtime-view.ts';
export { judgeSilence, Looks, Silence, type SilenceLimits } from './host/silence.ts';
export type {
  BiggestKeys,
  FoundKey,
  KeyPage,
  KeySearch,
  PipelineState,
  RawEntry,
  RawKey,
  StateStore,
} from './host/state-browser.ts';
export { openState } from './host/state-browser.ts';
export { type KeyView, type ShownValue, viewOfKey } from './host/state-view.ts';
export type { OpenTap, TapBatch } from './host/tap-hub.ts';
export type { WatermarkCause } from './host/watermark-cause.ts';
export type {
  CommitOutcome,
  ConnectorContext,
  Connectors,
  ConnectorWalls,
  DeadLetterRow,
  FoldBatch,
  InjectorConnector,
  LetterChoice,
  LoggedBundle,
  NumberedLetter,
  OpenInjector,
  OpenSink,
  PageKey,
  PageRow,
  PipelineStore,
  Redrive,
  RedriveOutcome,
  RequestMemory,
  SealedBundle,
  SinkBatch,
  SinkConnector,
  SinkContext,
  SinkDeadLetter,
  SinkMark,
  SinkRow,
  SinkText,
  SourceChunk,
  SourcePartition,
  SqlClient,
  SqlConnection,
  StoredVersion,
  UndeliveredRow,
  WorkerExit,
  WorkerLauncher,
  WorkerProcess,
} from './ports.ts';
export { HOST_SLOT } from './ports.ts';
export { runPipeline } from './run-pipeline.ts';

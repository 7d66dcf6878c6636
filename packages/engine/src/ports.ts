/**
 * What the engine needs from outside, declared here and implemented by `store`, `sandbox` and `connectors`.
 * The engine itself opens no file, socket or process.
 */

export type {
  ConnectorContext,
  Connectors,
  ConnectorWalls,
  Egress,
  InjectorConnector,
  OpenInjector,
  OpenSink,
  RequestMemory,
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
} from './ports/connectors.ts';
export type { WorkerExit, WorkerLauncher, WorkerProcess } from './ports/sandbox.ts';
export type {
  CommitOutcome,
  DeadLetterRow,
  FoldBatch,
  LetterChoice,
  LoggedBundle,
  NumberedLetter,
  PageKey,
  PageRow,
  PipelineStore,
  Redrive,
  RedriveOutcome,
  SealedBundle,
  StoredVersion,
  UndeliveredRow,
} from './ports/store.ts';
export { HOST_SLOT } from './ports/store.ts';

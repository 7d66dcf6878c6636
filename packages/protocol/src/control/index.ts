export { CONTROL_PROTOCOL } from './control-protocol.ts';
export {
  HOST_REQUESTS,
  type HostAnswer,
  type HostRequest,
  type HostRequestKind,
  type HostRequests,
} from './host-requests.ts';
export {
  type DatabaseAddress,
  databaseAddress,
  type HostSettings,
  hostSettings,
  type IngestDoor,
  type ToHost,
  type ToServer,
  toHost,
  toServer,
} from './messages.ts';
export {
  DESIRED_STATES,
  type DesiredState,
  OBSERVED_STATES,
  type Observation,
  type ObservedState,
  observation,
} from './observed-state.ts';
export {
  type ControlNodeProgress,
  nodeProgress,
  type PipelineProgress,
  pipelineProgress,
} from './progress.ts';
export type { Runtime } from './runtime.ts';
export { type ControlTapBatch, type ControlTapRecord, tapBatch, tapLimits } from './tap-messages.ts';
export type { WatermarkCause } from './watermark-cause.ts';

/** The keyed runtime, shared by the engine's worker and the test kit. Not for user code. */
export { rankOf } from './clock-timers.ts';
export type { RuntimeOptions } from './computation-runtime.ts';
export { ComputationRuntime } from './computation-runtime.ts';
export type { Cause, DeriveId, Producer } from './delivered-record.ts';
export { causeOf, DeliveredRecord, holdOf } from './delivered-record.ts';
export { armingId, Firing } from './firing.ts';
export type { StoredTimer, TimerEntry, WaitingInput } from './key-entry.ts';
export { ABSENT, compareMapKeys, KeyEntry, KeyMap, timerId, timerNamed } from './key-entry.ts';
export type { MissingContent } from './keys-in-memory.ts';
export { copyData, freezeData, freezeParsed } from './plain-data.ts';
export type { AsyncTurns, DeadLetter, LogLevel, Production, RuntimePorts } from './ports.ts';
export { seededRandom } from './random.ts';
export { ownTag } from './redriven-timer.ts';
export type { RuntimeCounters } from './runtime-counters.ts';

/** `@millrace/sdk/testing`: feeds a computation without any engine or database. */

export type { CaseEvent, KeyChange, StepTrace, TracedKey, TracedTimer } from './case-trace.ts';
export type { ExpectedRecord, OutputDifference } from './compare-outputs.ts';
export {
  type ArmedTimer,
  Harness,
  type HarnessOptions,
  harness,
  type SetAside,
} from './harness.ts';
export type { InputRecord, OutputRecord, TraceEvent } from './instance.ts';
export { type CaseStep, caseFaults, type RecordedCase } from './recorded-case.ts';
export { type CaseDifference, type CaseResult, runCase, type TracedCase, traceCase } from './run-case.ts';
export { NotRepeatableError } from './step-runner.ts';

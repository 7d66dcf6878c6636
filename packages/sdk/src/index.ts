export type {
  Clock,
  Computation,
  Context,
  DeepReadonly,
  Duration,
  EntriesOptions,
  EventTime,
  Extras,
  Handlers,
  InputRecord,
  InputsOf,
  Log,
  MapKey,
  OutputsOf,
  Pane,
  ProduceOptions,
  StateCell,
  StateMap,
  StateOptions,
  StreamRecord,
  Timer,
  TimerOptions,
} from './api.ts';
export { computation } from './api.ts';
export { type AggregateOptions, aggregate } from './operators/aggregate.ts';
export type { AggregateFunction } from './operators/aggregates/aggregate-function.ts';
export { avg } from './operators/aggregates/avg.ts';
export { count } from './operators/aggregates/count.ts';
export { max, min, type Ordered } from './operators/aggregates/extremes.ts';
export type { Aggregates, ResultsOf } from './operators/aggregates/row.ts';
export { sum } from './operators/aggregates/sum.ts';
export { type DeduplicateOptions, deduplicate } from './operators/deduplicate.ts';
export { filter } from './operators/filter.ts';
export { flatMap } from './operators/flat-map.ts';
export { type AnyStream, type Input, input } from './operators/input.ts';
export { type IntervalJoinOptions, intervalJoin } from './operators/interval-join.ts';
export { map } from './operators/map.ts';
export { union } from './operators/union.ts';
export type { AggregateOutputs } from './operators/windows/pane-output.ts';
export {
  hopping,
  type SessionWindow,
  type SlidingWindow,
  sessions,
  tumbling,
  type Window,
  type WindowOptions,
} from './operators/windows/window.ts';

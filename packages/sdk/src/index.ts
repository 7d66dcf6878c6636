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
  TableKnowledge,
  Timer,
  TimerOptions,
} from './api.ts';
export { computation } from './api.ts';
export { type Accumulation, type AggregateOptions, aggregate } from './operators/aggregate.ts';
export type { AggregateFunction } from './operators/aggregates/aggregate-function.ts';
export { avg } from './operators/aggregates/avg.ts';
export { collect } from './operators/aggregates/collect.ts';
export { count } from './operators/aggregates/count.ts';
export { type CustomAggregate, custom } from './operators/aggregates/custom.ts';
export { approxDistinct, type Countable, distinct } from './operators/aggregates/distinct.ts';
export { max, min } from './operators/aggregates/extremes.ts';
export type { Ordered } from './operators/aggregates/ordered.ts';
export { quantiles } from './operators/aggregates/quantiles.ts';
export type { Aggregates, ResultsOf } from './operators/aggregates/row.ts';
export { sum } from './operators/aggregates/sum.ts';
export { type TopKOptions, topK } from './operators/aggregates/top-k.ts';
export { type DeduplicateOptions, deduplicate } from './operators/deduplicate.ts';
export { filter } from './operators/filter.ts';
export { flatMap } from './operators/flat-map.ts';
export { type ForEachContext, forEach } from './operators/for-each.ts';
export { groupBy } from './operators/group-by.ts';
export { type AnyStream, type Input, input } from './operators/input.ts';
export { type IntervalJoinOptions, intervalJoin } from './operators/interval-join.ts';
export type { JoinKind, LeftOf, RightOf } from './operators/join-kind.ts';
export { type LookupKind, type LookupOptions, lookup } from './operators/lookup.ts';
export { map } from './operators/map.ts';
export {
  type Match,
  type PatternOptions,
  type PatternOutputs,
  type PatternStep,
  pattern,
} from './operators/pattern.ts';
export type { After } from './operators/pattern-match.ts';
export type { Skip } from './operators/pattern-settings.ts';
export { type ReduceByKeyOptions, reduceByKey } from './operators/reduce-by-key.ts';
export { type ReduceByWindowOptions, reduceByWindow } from './operators/reduce-by-window.ts';
export type { Reduce } from './operators/reduction-row.ts';
export { type RunningReduceOptions, runningReduce } from './operators/running-reduce.ts';
export { type SaveOptions, save } from './operators/save.ts';
export { type SortByTimeOptions, sortByTime } from './operators/sort-by-time.ts';
export { type Change, type TableOptions, table } from './operators/table.ts';
export { type RowOf, type TableJoinOptions, tableJoin } from './operators/table-join.ts';
export { type TrackOptions, type TrackOutputs, track } from './operators/track.ts';
export { union } from './operators/union.ts';
export { type WindowJoinOptions, windowJoin } from './operators/window-join.ts';
export type { AggregateOutputs } from './operators/windows/pane-output.ts';
export type { Repeated, Trigger } from './operators/windows/trigger.ts';
export {
  type CalendarOptions,
  type CalendarUnit,
  type CalendarWindow,
  calendar,
  type GlobalWindow,
  globalWindow,
  hopping,
  type SessionWindow,
  type SlidingWindow,
  sessions,
  tumbling,
  type Window,
  type WindowOptions,
} from './operators/windows/window.ts';

export { nexmarkAnswers, type Row } from './nexmark/answers.ts';
export { eventLine, type NexmarkEvent, nexmarkEvents } from './nexmark/events.ts';
export { finalRows, type SinkRecord, sortedRows } from './nexmark/final-rows.ts';
export { joinedQueries, QUERIES, queryFiles } from './nexmark/queries.ts';
export {
  type BenchmarkOptions,
  type BenchmarkOutcome,
  type BenchmarkResult,
  runBenchmarks,
} from './run-benchmarks.ts';

export {
  type BenchmarkOptions,
  type BenchmarkOutcome,
  type BenchmarkResult,
  runBenchmarks,
} from './run-benchmarks.ts';

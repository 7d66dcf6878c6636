/** Every benchmark this version has, in the order in which they are reported. */
import type { Benchmark } from '../benchmark.ts';
import { grep } from './b1-grep.ts';
import { wordCount } from './b2-word-count.ts';
import { keyedState } from './b3-keyed-state.ts';
import { latency } from './b4-latency.ts';
import { stages } from './b5-stages.ts';
import { nexmark } from './b9-nexmark.ts';
import { liveViews } from './b12-live-views.ts';
import { sandbox } from './b13-sandbox.ts';

export const benchmarks: readonly Benchmark[] = [
  grep,
  wordCount,
  keyedState,
  latency,
  stages,
  nexmark,
  liveViews,
  sandbox,
];

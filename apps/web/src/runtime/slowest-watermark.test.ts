import { expect, test } from 'vitest';
import { cpuShare, type Runtime, slowestWatermark, type WorkerRuntime } from './slowest-watermark.ts';

const worker = (more: Partial<WorkerRuntime>): WorkerRuntime => ({
  slot: 0,
  share: 1,
  state: 'running',
  restarts: 0,
  bundles: 0,
  waiting: 0,
  running: 0,
  queuedBytes: 0,
  watermarks: {},
  ...more,
});
const runtime = (at: number, one: WorkerRuntime): Runtime => ({
  at,
  since: 0,
  version: 1,
  sequencer: 1,
  position: 0,
  unfoldedBytes: 0,
  undeliveredBytes: 0,
  imbalances: [],
  busiestKeys: [],
  servers: [],
  remembered: [],
  commits: { bundleRate: 0 },
  folds: { count: 0 },
  workers: [one],
  intervals: [],
});

test('the slowest watermark is the one that all others wait for', () => {
  const at = (time: number) => ({ kind: 'at', time }) as const;
  const idle = { kind: 'idle' } as const;
  const nodes = new Map(['a', 'b', 'c'].map((id) => [id, id]));
  const slowest = (watermarks: WorkerRuntime['watermarks']) =>
    slowestWatermark(worker({ watermarks }), nodes)?.node;
  expect(slowest({ a: idle, b: at(9), c: at(5) })).toBe('c');
  expect(slowest({ a: at(1), b: { kind: 'not-yet' } })).toBe('b');
  expect(slowest({ a: at(1), sink: { kind: 'not-yet' } })).toBe('a');
  expect(slowest({})).toBeUndefined();
});

test('processor time is told between two answers, never across a restart', () => {
  const before = runtime(1_000, worker({ cpuSeconds: 4, startedAt: 1 }));
  expect(cpuShare(before, runtime(3_000, worker({ cpuSeconds: 5, startedAt: 1 })), 0)).toBe(0.5);
  expect(cpuShare(before, runtime(3_000, worker({ cpuSeconds: 5, startedAt: 2 })), 0)).toBeUndefined();
  expect(cpuShare(undefined, before, 0)).toBeUndefined();
});

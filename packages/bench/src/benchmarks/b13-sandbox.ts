/** B13: a worker's start, and the round trip of 1,000 records through its data plane, without any store. */
import { performance } from 'node:perf_hooks';
import type { WorkerLauncher, WorkerProcess } from '@millrace/engine';
import { decodeWorkerFrame, encodeHostFrame, type WorkerFrame } from '@millrace/protocol';
import { createWorkerLauncher } from '@millrace/sandbox';
import type { Benchmark, Measured, Settings } from '../benchmark.ts';
import { percentile } from '../report/statistics.ts';
import { ProcessWatch } from '../run/process-watch.ts';
import type { Program } from '../run/program.ts';
import { RECORD_BYTES, type RecordChunks, recordChunks, scatter } from '../run/record-chunks.ts';
import { compileCounting } from './counting-pipeline.ts';
import { Series } from './series.ts';

const BATCH = 1_000;

export const sandbox: Benchmark = {
  id: 'b13',
  name: 'sandbox',
  title: 'B13 sandbox: start of a worker, round trip of a batch of 1,000 records',
  measure,
};

async function measure(settings: Settings): Promise<Measured> {
  const program = await compileCounting('p_benchsandbox0', 'sandbox');
  const chunks = recordChunks({
    record: (n) => ({ key: `k${scatter(n) % 1_000}` }),
    chunks: 16,
    recordsPerChunk: BATCH,
  });
  const launcher = createWorkerLauncher({ log: settings.log });
  const series = new Series();
  try {
    // The first start of a launcher copies files and looks at the machine.
    await oneWorker(launcher, program, chunks, 1);
    for (let i = 0; i < settings.runs; i++) {
      const watch = new ProcessWatch(() => undefined);
      watch.begin();
      const { startMs, tripsMs } = await oneWorker(launcher, program, chunks, settings.tiny ? 20 : 2_000);
      series.add('peak memory', watch.end().peakMb);
      series.add('worker start', startMs);
      series.add('round trip, p50', percentile(tripsMs, 0.5));
      series.add('round trip, p95', percentile(tripsMs, 0.95));
      settings.log(series.lastLine(`sandbox ${i + 1}/${settings.runs}`));
    }
  } finally {
    await launcher.close();
  }
  return {
    figures: [
      series.figure('round trip, p50', 'ms', { text: 'below 1 ms', full: 1, due: 2, better: 'lower' }),
      series.figure('round trip, p95', 'ms'),
      series.figure('worker start', 'ms', { text: 'below 100 ms', full: 100, due: 200, better: 'lower' }),
      series.figure('peak memory', 'MB'),
    ],
    notes: [
      'start: from the call of the launcher until the worker has loaded the pipeline and is ready.',
      'round trip: 1,000 records of 100 bytes in, parsed, keyed, counted per key, their bundle back.',
    ],
  };
}

async function oneWorker(
  launcher: WorkerLauncher,
  { plan, bundle }: Program,
  chunks: RecordChunks,
  trips: number,
): Promise<{ startMs: number; tripsMs: readonly number[] }> {
  const begun = performance.now();
  const worker = await launcher.launch({ name: 'benchmark', memoryMb: 512 });
  const frames = new FrameQueue(worker);
  const configuration = {
    plan,
    slot: 0,
    slots: 1,
    nodeNumbers: plan.nodes.map(({ index }) => index + 1),
    egress: plan.nodes.map(() => undefined),
    ingest: plan.nodes.map(({ kind }) => (kind === 'injector' ? INGEST : undefined)),
    partitions: [{ node: 0, partition: 0, name: 'events' }],
    emptyNodes: [1],
    farNodes: [],
    timersInMemory: 1_000,
    version: 1,
    careful: false,
    poison: {},
    cacheBytes: 256 << 20,
  };
  worker.send(encodeHostFrame({ kind: 'configure', configuration, code: bundle }));
  worker.send(encodeHostFrame({ kind: 'restore', entries: [], last: true }));
  await frames.next('ready');
  const startMs = performance.now() - begun;
  const tripsMs: number[] = [];
  for (let i = 0; i < trips; i++) {
    const bytes = chunks.chunk(i);
    const chunk = { kind: 'bytes', offset: i * BATCH * RECORD_BYTES, bytes } as const;
    const sent = performance.now();
    worker.send(encodeHostFrame({ kind: 'chunk', sequence: i + 1, node: 0, partition: 0, chunk }));
    const { bundleNumber } = await frames.next('bundle');
    tripsMs.push(performance.now() - sent);
    worker.send(encodeHostFrame({ kind: 'committed', bundleNumber }));
  }
  worker.kill();
  // The first tenth warms the code up.
  return { startMs, tripsMs: tripsMs.slice(Math.floor(trips / 10)) };
}

const INGEST = {
  format: 'jsonl',
  unit: 'ms',
  zone: 'UTC',
  slackMs: 0,
  exact: false,
  futureBoundMs: null,
  key: '',
} as const;

/** Waits for the next frame of a kind; others in between are passed over. */
class FrameQueue {
  #waiting: { kind: string; take: (frame: WorkerFrame) => void; fail: (error: Error) => void } | undefined;
  #end: Error | undefined;

  constructor(worker: WorkerProcess) {
    worker.onFrame((bytes) => {
      const frame = decodeWorkerFrame(bytes);
      if (frame.kind === 'failed') this.#stop(new Error(frame.message));
      else if (frame.kind === this.#waiting?.kind) this.#waiting.take(frame);
    });
    worker.onExit(({ reason, stderr }) => this.#stop(new Error(`the worker ended: ${reason ?? stderr}`)));
  }

  next<K extends WorkerFrame['kind']>(kind: K): Promise<Extract<WorkerFrame, { kind: K }>> {
    return new Promise((resolve, reject) => {
      if (this.#end !== undefined) return reject(this.#end);
      this.#waiting = {
        kind,
        take: (frame) => resolve(frame as Extract<WorkerFrame, { kind: K }>),
        fail: reject,
      };
    });
  }

  #stop(error: Error): void {
    this.#end = error;
    this.#waiting?.fail(error);
  }
}

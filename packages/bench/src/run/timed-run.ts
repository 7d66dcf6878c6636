/**
 * One run of a pipeline through the real engine, measured from committed counters only: it warms up, is measured
 * for a while, and is broken off.
 */
import { connectors } from '@millrace/connectors';
import {
  type Connectors,
  type InjectorConnector,
  type PipelineRun,
  type Progress,
  runPipeline,
  type SinkConnector,
} from '@millrace/engine';
import type { TapLimits } from '@millrace/protocol';
import { median } from '../report/statistics.ts';
import { type CommitMeter, metered } from './metered-store.ts';
import { ProcessWatch, type Usage } from './process-watch.ts';
import type { Program } from './program.ts';
import { benchContext, benchId, type Workshop } from './workshop.ts';

export interface TimedRunOptions {
  readonly program: Program;
  /** Stands behind `injector/file`. */
  readonly source: InjectorConnector;
  /** Stands behind `sink/file`, where the program has one. */
  readonly sink?: SinkConnector;
  readonly workers?: number;
  readonly memoryMb?: number;
  readonly warmUp: { readonly seconds: number; readonly records: number };
  readonly seconds: number;
  /** What is copied of every stream all the time; the engine host always has some copied, `millrace run` nothing. */
  readonly samples?: TapLimits;
  /** Somebody watches: everything the run can show is asked for. */
  readonly watched?: RunWatchers;
  /** Called when the measured part begins. */
  readonly begun?: () => void;
}

export interface TimedRun {
  readonly recordsPerSecond: number;
  readonly records: number;
  readonly seconds: number;
  readonly usage: Usage;
  readonly logBytesPerRecord: number;
  readonly bundlesPerSecond: number;
  readonly commitMs: number;
  /** Highest in the first and in the second half of the measured part. */
  readonly unfoldedBytes: readonly [number, number];
  readonly meter: CommitMeter;
}

export interface RunWatchers {
  /** Ten times a second. */
  see(run: PipelineRun, progress: Progress): void;
}

export async function timedRun(workshop: Workshop, options: TimedRunOptions): Promise<TimedRun> {
  const id = benchId();
  const { store, meter } = metered(await workshop.store.pipeline(id));
  const watch = new ProcessWatch(workshop.store.serverPid);
  const plan = { ...options.program.plan, pipeline: id };
  const measuring = new Measuring({ ...options, stop: () => run.abort() }, meter, watch);
  const run = runPipeline({
    store,
    launcher: workshop.launcher,
    connectors: standIns(options),
    connectorContext: benchContext,
    sinkContext: (node, hostSequencer) => workshop.store.sinkContext(id, hostSequencer, benchContext(node)),
    version: { number: 1, plan, bundle: options.program.bundle },
    workers: options.workers ?? 1,
    memoryMb: options.memoryMb ?? 512,
    ...(options.samples && { samples: options.samples }),
    ...(options.watched === undefined && { progressEveryMs: 1_000 }),
    onProgress: (progress) => {
      measuring.see(progress);
      options.watched?.see(run, progress);
    },
    log: () => undefined,
  });
  const result = await run.finished;
  watch.close();
  if (result.kind === 'failed') throw new Error(`the run failed: ${result.error}`);
  return measuring.result();
}

function standIns({ source, sink }: TimedRunOptions): Connectors {
  return {
    injector: (type) => (type === 'injector/file' ? source : connectors.injector(type)),
    sink: (type) => (type === 'sink/file' && sink !== undefined ? sink : connectors.sink(type)),
  };
}

/** A run that commits nothing for so long is broken off: a benchmark must end. */
const STANDSTILL_MS = 30_000;

interface Mark {
  readonly at: number;
  readonly records: number;
  readonly bytes: number;
  readonly bundles: number;
  readonly commits: number;
}

class Measuring {
  readonly #options: TimedRunOptions & { stop(): void };
  readonly #meter: CommitMeter;
  readonly #watch: ProcessWatch;
  readonly #startedAt = performance.now();
  readonly #unfolded: { at: number; bytes: number }[] = [];
  #begin: Mark | undefined;
  #end: Mark | undefined;
  #usage: Usage | undefined;
  #moved: { readonly at: number; readonly records: number } = { at: this.#startedAt, records: -1 };

  constructor(options: TimedRunOptions & { stop(): void }, meter: CommitMeter, watch: ProcessWatch) {
    this.#options = options;
    this.#meter = meter;
    this.#watch = watch;
  }

  see({ nodes, unfoldedBytes }: Progress): void {
    if (this.#end !== undefined) return;
    const { warmUp, seconds, begun } = this.#options;
    const mark = this.#mark(nodes[0]?.in ?? 0);
    if (mark.records !== this.#moved.records) this.#moved = mark;
    if (mark.at - this.#moved.at > STANDSTILL_MS) this.#options.stop();
    if (this.#begin === undefined) {
      if (mark.at - this.#startedAt < warmUp.seconds * 1000 || mark.records < warmUp.records) return;
      this.#begin = mark;
      this.#watch.begin();
      begun?.();
      return;
    }
    this.#unfolded.push({ at: mark.at, bytes: unfoldedBytes });
    if (mark.at - this.#begin.at < seconds * 1000) return;
    this.#end = mark;
    this.#usage = this.#watch.end();
    this.#options.stop();
  }

  result(): TimedRun {
    const [begin, end] = [this.#begin, this.#end];
    if (begin === undefined || end === undefined || this.#usage === undefined)
      throw new Error(`the run stood still after ${this.#moved.records} records, before it was measured`);
    const seconds = (end.at - begin.at) / 1000;
    const records = end.records - begin.records;
    const half = begin.at + (end.at - begin.at) / 2;
    const highest = (wanted: (at: number) => boolean): number =>
      Math.max(0, ...this.#unfolded.filter(({ at }) => wanted(at)).map(({ bytes }) => bytes));
    return {
      recordsPerSecond: records / seconds,
      records,
      seconds,
      usage: this.#usage,
      logBytesPerRecord: (end.bytes - begin.bytes) / records,
      bundlesPerSecond: (end.bundles - begin.bundles) / seconds,
      commitMs: median(this.#meter.milliseconds.slice(begin.commits, end.commits)),
      unfoldedBytes: [highest((at) => at < half), highest((at) => at >= half)],
      meter: this.#meter,
    };
  }

  #mark(records: number): Mark {
    const { bytes, bundles, milliseconds } = this.#meter;
    return { at: performance.now(), records, bytes, bundles, commits: milliseconds.length };
  }
}

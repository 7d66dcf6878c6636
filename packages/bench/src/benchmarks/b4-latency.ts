/**
 * B4, strong productions and exactly once: one stage behind a shuffle between two workers. How long from the
 * moment a record is due at the injector until its result is committed and handed to a sink; at half of this
 * row's own greatest load. A late injector counts: the clock starts when a record is due, not when it is sent.
 * A second row, at the same load: weak productions of injector and stage.
 *
 * Against it: a bare commit of one row, from another process, while the same load runs.
 */
import type { OpenSink, SinkConnector, SourcePartition } from '@millrace/engine';
import type { Benchmark, Measured, Settings } from '../benchmark.ts';
import { besideCommits } from '../peers/bare-commits.ts';
import { numberText } from '../report/numbers.ts';
import { percentile } from '../report/statistics.ts';
import { endlessPartition, memoryInjector, pacedPartition } from '../run/memory-source.ts';
import { compileProgram, type Program } from '../run/program.ts';
import { RECORD_BYTES, type RecordChunks, recordChunks, scatter, writeDigits } from '../run/record-chunks.ts';
import { type TimedRun, timedRun } from '../run/timed-run.ts';
import { type Workshop, withWorkshop } from '../run/workshop.ts';
import { Series, settle } from './series.ts';

const WORKERS = 2;
const KEYS = 10_000;
/** One record in so many gives a result that is timed. */
const SAMPLED = 64;
/** Where the digits of `{"due":1` stand; the 1 keeps zeros from standing in front of a number. */
const DUE = '{"due":1'.length;
const DUE_DIGITS = 11;
const DUE_ZERO = 10 ** DUE_DIGITS;

const code = `import { computation } from '@millrace/sdk';
import type { Inputs } from './streams';

export interface Outputs { results: { due: number } }

export default computation<Inputs, Outputs, number>({
  processRecord(record, ctx) {
    ctx.state.set((ctx.state.get() ?? 0) + 1);
    if (record.value.timed) ctx.produce('results', { due: record.value.due });
  },
});
`;

const pipelineWith = (productions: 'strong' | 'weak') => ({
  format: 1,
  id: 'p_benchlatency0',
  name: 'latency',
  nodes: {
    n_in: {
      type: 'injector/file',
      name: 'events',
      productions,
      config: {
        path: 'events.jsonl',
        format: 'jsonl',
        type: '{ due: number; key: string; timed: boolean }',
      },
    },
    n_count: { type: 'code', name: 'count', code: 'nodes/count.ts', productions },
    n_out: { type: 'sink/file', name: 'results', config: { path: 'results.jsonl' } },
  },
  streams: {
    s_1: { from: ['n_in', 'out'], to: ['n_count', 'events'], keyBy: 'value.key' },
    s_2: { from: ['n_count', 'results'], to: ['n_out', 'in'] },
  },
});

const programWith = (productions: 'strong' | 'weak'): Promise<Program> =>
  compileProgram({ pipeline: pipelineWith(productions), files: { 'nodes/count.ts': code } });

export const latency: Benchmark = {
  id: 'b4',
  name: 'latency',
  title: 'B4 latency: one stage behind a shuffle between two workers, half load, strong, exactly once',
  measure: (settings) => withWorkshop(settings.log, (workshop) => measure(settings, workshop)),
};

async function measure(settings: Settings, workshop: Workshop): Promise<Measured> {
  const program = await programWith('strong');
  const weak = await programWith('weak');
  const series = new Series();
  let load = 0;
  for (let i = 0; i < settings.runs; i++) {
    await settle(settings);
    const greatest = await atFullLoad(settings, workshop, program);
    await settle(settings);
    load = greatest.recordsPerSecond / 2;
    const { run, results, commits } = await atLoad(settings, workshop, program, load);
    series.add('greatest load', greatest.recordsPerSecond);
    series.add('load', run.recordsPerSecond);
    series.add('p50', percentile(results, 0.5));
    series.add('p95', percentile(results, 0.95));
    series.add('p99', percentile(results, 0.99));
    series.add('bare commit, p50', percentile(commits, 0.5));
    series.add('bare commit, p95', percentile(commits, 0.95));
    series.addRun(run);
    await settle(settings);
    const other = await atLoad(settings, workshop, weak, load);
    series.add('weak, p50', percentile(other.results, 0.5));
    series.add('weak, p95', percentile(other.results, 0.95));
    settings.log(series.lastLine(`latency ${i + 1}/${settings.runs}`));
  }
  return {
    figures: [
      series.figure('p50', 'ms'),
      series.figure('bare commit, p50', 'ms'),
      series.times('p50 / bare commit', 'p50', 'bare commit, p50', {
        text: 'at most 8 ×',
        full: 8,
        due: 16,
        better: 'lower',
      }),
      series.figure('p95', 'ms', { text: 'at most 20 ms', full: 20, due: 40, better: 'lower' }),
      series.figure('p99', 'ms'),
      series.figure('weak, p50', 'ms'),
      series.times('weak, p50 / strong', 'weak, p50', 'p50', {
        text: 'at most half',
        full: 0.5,
        due: 1,
        better: 'lower',
      }),
      series.figure('weak, p95', 'ms'),
      series.figure('bare commit, p95', 'ms'),
      series.figure('greatest load', 'records/s'),
      series.figure('load', 'records/s'),
      ...series.usage(),
    ],
    notes: [
      `two workers, one source partition each, ${numberText(KEYS)} keys: half of all records change workers, in a commit of their own.`,
      'from the moment a record is due until its result is committed and handed to the sink.',
      'weak: the same at the same load, with weak productions of injector and stage; exactly once stays on.',
      'bare commit: one row by a prepared insert, every 5 ms, from another process, while the same load runs.',
    ],
  };
}

function atFullLoad({ tiny, seconds }: Settings, workshop: Workshop, program: Program): Promise<TimedRun> {
  const partitions = names().map((name) => endlessPartition(name, events()));
  return timedRun(workshop, {
    program,
    source: memoryInjector(partitions),
    sink: timingSink(() => undefined),
    workers: WORKERS,
    warmUp: { seconds: tiny ? 0 : 3, records: 1 },
    seconds,
  });
}

async function atLoad(
  { tiny, seconds }: Settings,
  workshop: Workshop,
  program: Program,
  recordsPerSecond: number,
): Promise<{ run: TimedRun; results: readonly number[]; commits: readonly number[] }> {
  const results: number[] = [];
  let measuring = false;
  const beginAt = performance.now();
  const { result: run, milliseconds: commits } = await besideCommits(workshop, (reset) =>
    timedRun(workshop, {
      program,
      source: memoryInjector(names().map((name) => paced(name, recordsPerSecond / WORKERS, beginAt))),
      sink: timingSink((due) => {
        if (measuring) results.push(performance.now() - beginAt - due);
      }),
      workers: WORKERS,
      warmUp: { seconds: tiny ? 0.5 : 4, records: 1 },
      seconds,
      begun: () => {
        measuring = true;
        reset();
      },
    }),
  );
  return { run, results, commits };
}

const names = (): string[] => Array.from({ length: WORKERS }, (_, i) => String(i));

/** Begins when its worker is ready; `beginAt` is what due times count from. */
function paced(name: string, recordsPerSecond: number, beginAt: number): SourcePartition {
  const ring = events(1);
  return {
    name,
    read(offset, signal) {
      const started = performance.now();
      const records = (first: number, count: number): Uint8Array => {
        const bytes = new Uint8Array(count * RECORD_BYTES);
        for (let i = 0; i < count; i++) {
          const at = i * RECORD_BYTES;
          bytes.set(ring.chunk(first + i), at);
          const due = started - beginAt + ((first + i) * 1000) / recordsPerSecond;
          writeDigits(bytes, at + DUE, DUE_DIGITS, Math.floor(due * 1000));
        }
        return bytes;
      };
      return pacedPartition(name, { recordsPerSecond, beginAt: started, records }).read(offset, signal);
    },
  };
}

function events(recordsPerChunk?: number): RecordChunks {
  return recordChunks({
    record: (n) => ({ due: DUE_ZERO, key: `k${scatter(n) % KEYS}`, timed: n % SAMPLED === 0 }),
    chunks: recordsPerChunk === undefined ? 64 : 4096,
    ...(recordsPerChunk === undefined ? {} : { recordsPerChunk }),
  });
}

/** `heard` is told when each result was due, in ms since the beginning. */
function timingSink(heard: (dueMs: number) => void): SinkConnector {
  const decoder = new TextDecoder();
  return {
    egress: 'line',
    open: async (): Promise<OpenSink> => ({
      through: 0,
      async deliver({ rows }) {
        for (const { bytes } of rows) {
          const { value } = JSON.parse(decoder.decode(bytes)) as { value: { due: number } };
          heard((value.due - DUE_ZERO) / 1000);
        }
        return { rejected: 0 };
      },
      close: async () => undefined,
    }),
  };
}

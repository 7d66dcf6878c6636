/**
 * B3: keyed state, uniform over 1 M keys; every record changes the state of its key, and the state is durable in
 * Postgres. Against it: the same bytes appended to Postgres with nothing else (the ceiling), and designs that
 * write a row per record (what many hand-made systems do).
 *
 * One long run shows that the log that is not folded into rows yet stays bounded.
 */
import type { Benchmark, Measured, Settings } from '../benchmark.ts';
import { appendedPerSecond } from '../peers/append-bytes.ts';
import { graphileJobsPerSecond, pgBossJobsPerSecond } from '../peers/job-queues.ts';
import { upsertsPerSecond } from '../peers/upserts.ts';
import { numberText } from '../report/numbers.ts';
import { endlessPartition, memoryInjector } from '../run/memory-source.ts';
import type { Program } from '../run/program.ts';
import { type RecordChunks, recordChunks, scatter, writeDigits } from '../run/record-chunks.ts';
import { type TimedRun, timedRun } from '../run/timed-run.ts';
import { type Workshop, withWorkshop } from '../run/workshop.ts';
import { compileCounting } from './counting-pipeline.ts';
import { Series, settle } from './series.ts';

/** Where the digits of `{"key":"k` stand in a record. */
const KEY = '{"key":"k'.length;

const jobQueueTarget = { text: 'at least 20 ×', full: 20, due: 10, better: 'higher' } as const;

export const keyedState: Benchmark = {
  id: 'b3',
  name: 'state',
  title: 'B3 keyed state: uniform over 1 M keys, every record changes its key, durable in Postgres',
  measure: (settings) => withWorkshop(settings.log, (workshop) => measure(settings, workshop)),
};

async function measure(settings: Settings, workshop: Workshop): Promise<Measured> {
  const { tiny, runs, steadySeconds } = settings;
  const keys = tiny ? 1_000 : 1_000_000;
  const program = await compileCounting('p_benchkeyed000', 'keyed state');
  const chunks = events(keys);
  const series = new Series();
  for (let i = 0; i < runs; i++) {
    await settle(settings);
    const run = await runOnce(workshop, settings, { program, chunks, keys, seconds: settings.seconds });
    series.addRun(run);
    await settle(settings);
    const peer = { seconds: settings.seconds, keys };
    series.add('ceiling', await appendedPerSecond(workshop, { ...peer, run }));
    for (const form of ['1,000 a commit', 'a commit each', '1,000 a statement'] as const)
      series.add(`upserts, ${form}`, await upsertsPerSecond(workshop, { ...peer, form }));
    series.add('pg-boss, a job a record', await pgBossJobsPerSecond(workshop, peer));
    series.add('graphile-worker, a job a record', await graphileJobsPerSecond(workshop, peer));
    settings.log(series.lastLine(`keyed state ${i + 1}/${runs}`));
  }
  const long = await runOnce(workshop, settings, { program, chunks, keys, seconds: steadySeconds });
  series.add('unfolded, first half', long.unfoldedBytes[0] / 1048576);
  series.add('unfolded, second half', long.unfoldedBytes[1] / 1048576);
  series.add('steady', long.recordsPerSecond);
  const bytesPerSecond = long.recordsPerSecond * long.logBytesPerRecord;
  series.add('unfolded log', Math.max(...long.unfoldedBytes) / bytesPerSecond);
  return {
    figures: [
      series.figure('ours', 'records/s', {
        text: 'at least 400 k/s on 2 cores',
        full: 400_000,
        due: 200_000,
        better: 'higher',
      }),
      series.figure('steady', 'records/s'),
      series.figure('unfolded log', 's of load', {
        text: 'at most 10 s',
        full: 10,
        due: 20,
        better: 'lower',
      }),
      series.figure('unfolded, first half', 'MB'),
      series.figure('unfolded, second half', 'MB'),
      series.figure('ceiling', 'records/s'),
      series.ratio('ours / ceiling', 'ours', 'ceiling'),
      series.figure('upserts, 1,000 a commit', 'records/s'),
      series.times('ours / that', 'ours', 'upserts, 1,000 a commit', {
        text: 'at least 5 ×',
        full: 5,
        due: 2.5,
        better: 'higher',
      }),
      series.figure('upserts, a commit each', 'records/s'),
      series.times('ours / upserts, a commit each', 'ours', 'upserts, a commit each'),
      series.figure('upserts, 1,000 a statement', 'records/s'),
      series.times('ours / upserts, 1,000 a statement', 'ours', 'upserts, 1,000 a statement'),
      series.figure('pg-boss, a job a record', 'jobs/s'),
      series.times('ours / pg-boss', 'ours', 'pg-boss, a job a record', jobQueueTarget),
      series.figure('graphile-worker, a job a record', 'jobs/s'),
      series.times('ours / graphile-worker', 'ours', 'graphile-worker, a job a record', jobQueueTarget),
      ...series.usage(),
    ],
    notes: [
      `every key has state before measuring begins and stays in memory (a worker may take 2 GB); the steady run measured ${numberText(long.seconds)} s.`,
      'ceiling: the very bundles of our run appended to a table of the same shape, one commit at a time.',
      'job queues: jobs are queued before the time begins, each counts its key by an upsert.',
      'upserts: insert … on conflict do update, 8 connections, keys drawn the same way; 1,000 a commit run one by one in a function of the server.',
      '1,000 a statement counts equal keys first and writes them in one statement: a micro-batch, told because it is the fastest way to rows.',
    ],
  };
}

interface OneRun {
  readonly program: Program;
  readonly chunks: RecordChunks;
  readonly keys: number;
  readonly seconds: number;
}

function runOnce(
  workshop: Workshop,
  { tiny }: Settings,
  { program, chunks, keys, seconds }: OneRun,
): Promise<TimedRun> {
  return timedRun(workshop, {
    program,
    source: memoryInjector([endlessPartition('events', chunks)]),
    memoryMb: tiny ? 256 : 2_048,
    // Four draws for each key leave 2 % of the keys without state.
    warmUp: { seconds: tiny ? 0 : 3, records: keys * 4 },
    seconds,
  });
}

function events(keys: number): RecordChunks {
  return recordChunks({
    record: () => ({ key: 'k0000000' }),
    chunks: 1,
    stamp: (bytes, at, n) => writeDigits(bytes, at + KEY, 7, scatter(n) % keys),
  });
}

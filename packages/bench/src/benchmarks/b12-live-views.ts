/**
 * B12: what watching costs. The pipeline of B1 at full load, with and without 20 clients that watch its numbers and
 * the records of both streams; paired, one after the other, compared by processor time for a record.
 */
import type { PipelineRun, Progress } from '@millrace/engine';
import { encodeView, viewTable } from '@millrace/protocol/api';
import type { Benchmark, Measured, Settings } from '../benchmark.ts';
import { endlessPartition, memoryInjector } from '../run/memory-source.ts';
import { compileProgram, type Program } from '../run/program.ts';
import { type RecordChunks, recordChunks } from '../run/record-chunks.ts';
import { type RunWatchers, type TimedRun, timedRun } from '../run/timed-run.ts';
import { type Workshop, withWorkshop } from '../run/workshop.ts';
import { logLine, pipeline } from './b1-grep.ts';
import { Series, settle } from './series.ts';

const CLIENTS = 20;
const TAP = { recordsPerSecond: 50, charsPerSecond: 512 * 1024 };
/** As the engine host takes them of every stream. */
const SAMPLES = { recordsPerSecond: 5, charsPerSecond: 32 * 1024 };

export const liveViews: Benchmark = {
  id: 'b12',
  name: 'liveviews',
  title: 'B12 live views: B1 at full load, 20 clients watch numbers and records, against nobody',
  measure: (settings) => withWorkshop(settings.log, (workshop) => measure(settings, workshop)),
};

async function measure(settings: Settings, workshop: Workshop): Promise<Measured> {
  const { tiny, runs } = settings;
  const program = await compileProgram({ pipeline });
  const chunks = recordChunks({ record: logLine, chunks: tiny ? 2 : 64 });
  const series = new Series();
  for (let i = 0; i < runs; i++) {
    // The order changes, so that what drifts slows both.
    for (const watched of i % 2 === 0 ? [false, true] : [true, false]) {
      await settle(settings);
      const run = await runOnce(settings, workshop, { program, chunks, watched });
      const { host, workers, postgres } = run.usage.cores;
      const time = ((host + workers + postgres) * 1e6) / run.recordsPerSecond;
      series.add(watched ? 'watched' : 'unwatched', time);
      series.add('peak memory', run.usage.peakMb);
      series.add(watched ? 'rate, watched' : 'rate, unwatched', run.recordsPerSecond);
    }
    settings.log(series.lastLine(`live views ${i + 1}/${runs}`));
  }
  return {
    figures: [
      series.figure('watched', 'µs/record'),
      series.figure('unwatched', 'µs/record'),
      series.ratio('watched / unwatched', 'watched', 'unwatched', {
        text: 'loss below 3 %',
        full: 103,
        due: 103,
        better: 'lower',
      }),
      series.figure('rate, watched', 'records/s'),
      series.figure('rate, unwatched', 'records/s'),
      series.figure('peak memory', 'MB'),
    ],
    notes: [
      `processor time of host, worker and Postgres. Watched: a frame for each of ${CLIENTS} clients ten times a second, a tap of each on both streams; unwatched: numbers once a second. In both a few records of each stream are kept, as the server always has it. Sending is the server's, in a process of its own.`,
    ],
  };
}

function runOnce(
  { seconds }: Settings,
  workshop: Workshop,
  { program, chunks, watched }: { program: Program; chunks: RecordChunks; watched: boolean },
): Promise<TimedRun> {
  return timedRun(workshop, {
    program,
    source: memoryInjector([endlessPartition('log', chunks)]),
    warmUp: { seconds, records: 1 },
    seconds,
    samples: SAMPLES,
    ...(watched ? { watched: watchers() } : {}),
  });
}

function watchers(): RunWatchers {
  let open = false;
  return {
    see(run: PipelineRun, progress: Progress) {
      const source = { ...progress, version: 1 };
      for (let client = 0; client < CLIENTS; client++) encodeView(viewTable(source), source);
      if (open) return;
      open = true;
      for (let client = 0; client < CLIENTS; client++) run.tap(['s_1', 's_2'], TAP, () => undefined);
    },
  };
}

/**
 * B2: a record is one word of 10,000; how often it came in the last 30 s, every second, by the SDK's own
 * `aggregate(hopping('30s', '1s'))`.
 *
 * A second of event time has as many records as are due of the engine in a second of the wall. So an engine that
 * reaches that rate fires its 10,000 windows at least every second of the wall, as a real stream would.
 */
import type { Benchmark, Measured, Settings } from '../benchmark.ts';
import { measureCeiling } from '../ceiling/ceiling.ts';
import { numberText } from '../report/numbers.ts';
import { endlessPartition, memoryInjector } from '../run/memory-source.ts';
import { compileProgram, type Program } from '../run/program.ts';
import { type RecordChunks, recordChunks, scatter, writeDigits } from '../run/record-chunks.ts';
import { type TimedRun, timedRun } from '../run/timed-run.ts';
import { type Workshop, withWorkshop } from '../run/workshop.ts';
import { Series, settle } from './series.ts';

const WINDOW_SECONDS = 30;
/** Records in a second of event time: half of the rate that performance.md asks for. */
const SPEED = 300_000;
const BEGIN = 1_700_000_000_000;
const CHUNKS = 64;
/** Where the digits of `{"at":` stand in a record. */
const AT = '{"at":'.length;

const pipeline = {
  format: 1,
  id: 'p_benchwords000',
  name: 'word count',
  nodes: {
    n_in: {
      type: 'injector/file',
      name: 'words',
      config: {
        path: 'words.jsonl',
        format: 'jsonl',
        timestamp: 'value.at',
        type: '{ at: number; word: string }',
      },
    },
    n_count: {
      type: 'operator/aggregate',
      name: 'count',
      config: { window: { type: 'hopping', size: '30s', slide: '1s' }, aggregates: { n: { type: 'count' } } },
    },
    n_out: { type: 'sink/discard', name: 'panes', config: {} },
  },
  streams: {
    s_1: { from: ['n_in', 'out'], to: ['n_count', 'in'], keyBy: 'value.word' },
    s_2: { from: ['n_count', 'out'], to: ['n_out', 'in'] },
  },
};

export const wordCount: Benchmark = {
  id: 'b2',
  name: 'wordcount',
  title: 'B2 word count: sliding 30 s by 1 s over 10,000 words, incremental, exactly once',
  measure: (settings) => withWorkshop(settings.log, (workshop) => measure(settings, workshop)),
};

async function measure(settings: Settings, workshop: Workshop): Promise<Measured> {
  const { tiny, seconds, runs } = settings;
  const program = await compileProgram({ pipeline });
  const speed = tiny ? 20_000 : SPEED;
  const series = new Series();
  for (let i = 0; i < runs; i++) {
    await settle(settings);
    const chunks = words(settings, speed);
    const count = tiny ? 2 : CHUNKS;
    series.add('ceiling', await measureCeiling({ loop: 'words', chunks, count, seconds }));
    series.addRun(await runAt(settings, workshop, program, speed));
    settings.log(series.lastLine(`word count ${i + 1}/${runs}`));
  }
  return {
    figures: [
      series.figure('ours', 'records/s', {
        text: 'at least 600 k/s on 2 cores',
        full: 600_000,
        due: 300_000,
        better: 'higher',
      }),
      series.figure('ceiling', 'records/s'),
      series.ratio('ours / ceiling', 'ours', 'ceiling', {
        text: 'at least 40 %',
        full: 40,
        due: 20,
        better: 'higher',
      }),
      ...series.usage(),
    ],
    notes: [
      `a second of event time has ${numberText(speed)} records; every window is full when measuring begins.`,
      'ceiling: decode, split, JSON.parse, one Map of counts, in a process of the sandbox; it has no windows.',
    ],
  };
}

/** `speed`: records in a second of event time. */
function runAt(settings: Settings, workshop: Workshop, program: Program, speed: number): Promise<TimedRun> {
  const { tiny, seconds } = settings;
  return timedRun(workshop, {
    program,
    source: memoryInjector([endlessPartition('words', words(settings, speed))]),
    warmUp: { seconds: tiny ? 0 : 1, records: sparse(settings) * WINDOW_SECONDS + (tiny ? 0 : speed) },
    seconds,
  });
}

/** So few records a second fill the windows before the full rate begins. */
function sparse({ tiny }: Settings): number {
  return tiny ? 200 : 30_000;
}

function words(settings: Settings, speed: number): RecordChunks {
  const different = settings.tiny ? 100 : 10_000;
  const slow = sparse(settings);
  const filling = slow * WINDOW_SECONDS;
  const timeOf = (n: number): number =>
    n < filling
      ? Math.floor((n * 1000) / slow)
      : WINDOW_SECONDS * 1000 + Math.floor(((n - filling) * 1000) / speed);
  return recordChunks({
    record: (n) => ({ at: BEGIN, word: `word${scatter(n) % different}` }),
    chunks: settings.tiny ? 2 : CHUNKS,
    stamp: (bytes, at, n) => writeDigits(bytes, at + AT, 13, BEGIN + timeOf(n)),
  });
}

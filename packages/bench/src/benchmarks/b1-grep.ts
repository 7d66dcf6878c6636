/** B1: JSON records of 100 bytes from memory, a filter, the matches counted by the engine. */
import type { Benchmark, Measured, Settings } from '../benchmark.ts';
import { measureCeiling } from '../ceiling/ceiling.ts';
import { endlessPartition, memoryInjector } from '../run/memory-source.ts';
import { compileProgram } from '../run/program.ts';
import { recordChunks, scatter } from '../run/record-chunks.ts';
import { timedRun } from '../run/timed-run.ts';
import { type Workshop, withWorkshop } from '../run/workshop.ts';
import { Series, settle } from './series.ts';

const CHUNKS = 64;
/** One record in so many matches. */
const MATCHES = 16;

export const pipeline = {
  format: 1,
  id: 'p_benchgrep0000',
  name: 'grep',
  nodes: {
    n_in: {
      type: 'injector/file',
      name: 'log',
      config: { path: 'log.jsonl', format: 'jsonl', type: '{ text: string; status: number }' },
    },
    n_match: {
      type: 'operator/filter',
      name: 'match',
      config: { expression: "value.text.includes('error')" },
    },
    n_out: { type: 'sink/discard', name: 'count', config: {} },
  },
  streams: {
    s_1: { from: ['n_in', 'out'], to: ['n_match', 'in'] },
    s_2: { from: ['n_match', 'out'], to: ['n_out', 'in'] },
  },
};

export const grep: Benchmark = {
  id: 'b1',
  name: 'grep',
  title: 'B1 grep: 100-byte JSON records from memory, matches counted, exactly once',
  measure: (settings) => withWorkshop(settings.log, (workshop) => measure(settings, workshop)),
};

async function measure(settings: Settings, workshop: Workshop): Promise<Measured> {
  const { tiny, seconds, runs } = settings;
  const program = await compileProgram({ pipeline });
  const chunks = recordChunks({ record: logLine, chunks: tiny ? 2 : CHUNKS });
  const series = new Series();
  for (let i = 0; i < runs; i++) {
    await settle(settings);
    series.add('ceiling', await measureCeiling({ loop: 'grep', chunks, count: tiny ? 2 : CHUNKS, seconds }));
    const run = await timedRun(workshop, {
      program,
      source: memoryInjector([endlessPartition('log', chunks)]),
      warmUp: { seconds, records: 1 },
      seconds,
    });
    series.addRun(run);
    settings.log(series.lastLine(`grep ${i + 1}/${runs}`));
  }
  return {
    figures: [
      series.figure('ours', 'records/s', {
        text: 'at least 1 M/s on 2 cores',
        full: 1_000_000,
        due: 500_000,
        better: 'higher',
      }),
      series.figure('ceiling', 'records/s'),
      series.ratio('ours / ceiling', 'ours', 'ceiling', {
        text: 'at least 50 %',
        full: 50,
        due: 25,
        better: 'higher',
      }),
      ...series.usage(),
    ],
    notes: [
      'ours: injector, filter, sink/discard in one worker, every bundle committed with fsync before its input counts.',
      'ceiling: decode, split, JSON.parse, test, count, over the same bytes in a process of the sandbox.',
    ],
  };
}

export function logLine(n: number): Readonly<Record<string, unknown>> {
  const draw = scatter(n);
  return { status: 200 + (draw % 5), text: draw % MATCHES === 0 ? 'error in request' : 'request is served' };
}

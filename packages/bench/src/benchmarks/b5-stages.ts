/**
 * B5: what a further stage costs. The same records through 1, 2, 4 and 8 stages one behind the other on one worker,
 * where they are fused into one bundle; each stage is a filter that passes on everything.
 */
import type { Benchmark, Measured, Settings } from '../benchmark.ts';
import { endlessPartition, memoryInjector } from '../run/memory-source.ts';
import { compileProgram, type Program } from '../run/program.ts';
import { type RecordChunks, recordChunks, writeDigits } from '../run/record-chunks.ts';
import { type TimedRun, timedRun } from '../run/timed-run.ts';
import { type Workshop, withWorkshop } from '../run/workshop.ts';
import { logLine } from './b1-grep.ts';
import { Series, settle } from './series.ts';

const STAGES = [1, 2, 4, 8] as const;
/** Where the digits of `{"at":` stand in a record. */
const AT = '{"at":'.length;
const AT_DIGITS = 13;

export const stages: Benchmark = {
  id: 'b5',
  name: 'stages',
  title: 'B5 stages: 1, 2, 4 and 8 fused stages, each a filter that passes on every record',
  measure: (settings) => withWorkshop(settings.log, (workshop) => measure(settings, workshop)),
};

async function measure(settings: Settings, workshop: Workshop): Promise<Measured> {
  const programs = await Promise.all(STAGES.map((count) => compileProgram({ pipeline: pipelineOf(count) })));
  const series = new Series();
  for (let i = 0; i < settings.runs; i++) {
    for (const [at, count] of STAGES.entries()) {
      await settle(settings);
      const { run, lags } = await runOnce(settings, workshop, programs[at] as Program);
      const { host, workers, postgres } = run.usage.cores;
      series.add(nameOf(count), ((host + workers + postgres) * 1e6) / run.recordsPerSecond);
      series.add('peak memory', run.usage.peakMb);
      if (count === STAGES.at(-1)) series.add('watermark lag', Math.max(0, ...lags) / count);
    }
    series.add('a further stage', furtherStage(series, i));
    settings.log(series.lastLine(`stages ${i + 1}/${settings.runs}`));
  }
  return {
    figures: [
      ...STAGES.map((count) => series.figure(nameOf(count), 'µs/record')),
      series.figure('a further stage', '%', { text: 'below 10 %', full: 10, due: 20, better: 'lower' }),
      series.figure('watermark lag', 'ms/stage', { text: 'below 20 ms', full: 20, due: 40, better: 'lower' }),
      series.figure('peak memory', 'MB'),
    ],
    notes: [
      'processor time of host, worker and Postgres for a record; a further stage: what the last seven cost, for each, of the time with one.',
      'watermark lag: how far the last stage was behind the first at most, at any look, for each stage.',
    ],
  };
}

function furtherStage(series: Series, i: number): number {
  const [one, eight] = [1, 8].map((count) => series.values(nameOf(count))[i] ?? Number.NaN) as [
    number,
    number,
  ];
  return (100 * (eight - one)) / (7 * one);
}

const nameOf = (count: number): string => `time, ${count} ${count === 1 ? 'stage' : 'stages'}`;

async function runOnce(
  { tiny, seconds }: Settings,
  workshop: Workshop,
  program: Program,
): Promise<{ run: TimedRun; lags: readonly number[] }> {
  const lags: number[] = [];
  const run = await timedRun(workshop, {
    program,
    source: memoryInjector([endlessPartition('log', events(tiny))]),
    warmUp: { seconds: tiny ? 0 : 2, records: 1 },
    seconds,
    watched: {
      see(_run, { nodes }) {
        const [first, last] = [nodes[1]?.watermark, nodes.at(-2)?.watermark];
        if (first?.kind === 'at' && last?.kind === 'at') lags.push(first.time - last.time);
      },
    },
  });
  return { run, lags };
}

/** Stamped with the wall clock as they are handed out. */
function events(tiny: boolean): RecordChunks {
  return recordChunks({
    record: (n) => ({ at: 10 ** (AT_DIGITS - 1), status: logLine(n).status }),
    chunks: tiny ? 2 : 64,
    stamp: (bytes, at) => writeDigits(bytes, at + AT, AT_DIGITS, Date.now()),
  });
}

function pipelineOf(count: number): Readonly<Record<string, unknown>> {
  const filters = Array.from({ length: count }, (_, i) => `n_stage${i}`);
  const chain = ['n_in', ...filters, 'n_out'];
  const filter = (name: string) => ({
    type: 'operator/filter',
    name,
    config: { expression: 'value.status >= 200' },
  });
  return {
    format: 1,
    id: 'p_benchstages00',
    name: 'stages',
    nodes: {
      n_in: {
        type: 'injector/file',
        name: 'log',
        config: {
          path: 'log.jsonl',
          format: 'jsonl',
          timestamp: 'value.at',
          type: '{ at: number; status: number }',
        },
      },
      ...Object.fromEntries(filters.map((id, i) => [id, filter(`stage ${i + 1}`)])),
      n_out: { type: 'sink/discard', name: 'count', config: {} },
    },
    streams: Object.fromEntries(
      chain.slice(1).map((id, i) => [`s_${i}`, { from: [chain[i], 'out'], to: [id, 'in'] }]),
    ),
  };
}

/**
 * B9: every query of Nexmark over the same events from memory, exactly once, and its answer compared row by row with
 * a batch computation in the same run.
 *
 * A rate stands beside what Flink SQL publishes, so it is for a core: events by the processor time of host, worker
 * and Postgres together.
 */
import type { Benchmark, Figure, Measured, Settings, Target } from '../benchmark.ts';
import { nexmarkAnswers } from '../nexmark/answers.ts';
import { eventLine, type NexmarkEvent, nexmarkEvents } from '../nexmark/events.ts';
import { finalRows, type SinkRecord, sortedRows } from '../nexmark/final-rows.ts';
import { QUERIES, queryFiles } from '../nexmark/queries.ts';
import { numberText } from '../report/numbers.ts';
import { lineChunks } from '../run/line-chunks.ts';
import { compileProgram } from '../run/program.ts';
import { samplesFolder } from '../run/samples-folder.ts';
import { wholeRun } from '../run/whole-run.ts';
import { type Workshop, withWorkshop } from '../run/workshop.ts';
import { Series, settle } from './series.ts';

/** Events a second and core that Flink SQL publishes. */
const FLINK: Readonly<Record<string, number>> = {
  q0: 155_000,
  q5: 22_000,
  q7: 12_000,
  q9: 14_000,
  q11: 40_000,
};
const COUNT = 300_000;
const TINY = 2_000;
const WARM_UP = 0.2;

export const nexmark: Benchmark = {
  id: 'b9',
  name: 'nexmark',
  title: 'B9 Nexmark: every query over the same events from memory, exactly once, every answer compared',
  measure: (settings) => withWorkshop(settings.log, (workshop) => measure(settings, workshop)),
};

async function measure(settings: Settings, workshop: Workshop): Promise<Measured> {
  const count = settings.tiny ? TINY : COUNT;
  const events = [...nexmarkEvents({ count, channels: true })];
  const chunks = lineChunks(events.map(eventLine));
  const answers = nexmarkAnswers(events);
  const series = new Series();
  const queries = settings.tiny ? ['q0', 'q5', 'q9'] : QUERIES;
  for (const query of queries) {
    const files = queryFiles(samplesFolder(), query);
    const { 'pipeline.json': pipeline = '', ...code } = Object.fromEntries(files);
    const program = await compileProgram({ pipeline: JSON.parse(pipeline), files: code });
    const wanted = answers.get(query);
    const rows = wanted && sortedRows(wanted);
    for (let i = 0; i < settings.runs; i++) {
      await settle(settings);
      const run = await wholeRun(workshop, {
        program,
        chunks,
        records: count,
        warmUp: settings.tiny ? 0 : count * WARM_UP,
      });
      compare(query, run.lines, rows, events);
      series.add(`${query} for a core`, run.recordsPerCore);
      series.add(query, run.recordsPerSecond);
      series.add('peak memory', run.usage.peakMb);
      settings.log(series.lastLine(`nexmark ${i + 1}/${settings.runs}`));
    }
  }
  return {
    figures: [
      ...queries.map((query): Figure => series.figure(`${query} for a core`, 'events/s', targetOf(query))),
      ...queries.map((query) => series.figure(query, 'events/s')),
      series.figure('peak memory', 'MB'),
    ],
    notes: [
      `${numberText(count)} events, 10,000 in a second of event time; what comes after the first fifth is measured, to the last row.`,
      'for a core: events by the seconds that host, worker and Postgres kept a processor busy.',
      `the rows of ${queries.length === 1 ? 'the query' : `all ${queries.length} queries`} were those of a batch computation, in every repetition; of q12, which is about the wall clock, their sum.`,
    ],
  };
}

function targetOf(query: string): Target | undefined {
  const flink = FLINK[query];
  if (flink === undefined) return undefined;
  return { text: `above ${numberText(flink)}`, full: flink, due: flink / 2, better: 'higher' };
}

function compare(
  query: string,
  lines: readonly string[],
  wanted: readonly string[] | undefined,
  events: readonly NexmarkEvent[],
): void {
  const records = lines.map((line) => JSON.parse(line) as SinkRecord);
  if (wanted === undefined) {
    const bids = events.filter(({ type }) => type === 'bid').length;
    const counted = records.reduce((sum, { value }) => sum + (value as { bids: number }).bids, 0);
    if (counted !== bids) throw new Error(`${query} counted ${counted} of ${bids} bids`);
    return;
  }
  const found = sortedRows(finalRows(query, records));
  const at = wanted.findIndex((row, i) => row !== found[i]);
  if (at === -1 && found.length === wanted.length) return;
  throw new Error(
    `${query} gives ${found.length} rows, ${wanted.length} are right; the first that differs is ${found[at] ?? 'missing'}, not ${wanted[at] ?? 'there'}`,
  );
}

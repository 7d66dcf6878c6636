/**
 * The queries of Nexmark through the real command, all in one pipeline: what comes out is what batch computations of
 * their definitions say, with the events shuffled, the host killed on the way, and another number of workers after it.
 */
import { join } from 'node:path';
import {
  eventLine,
  finalRows,
  joinedQueries,
  type NexmarkEvent,
  nexmarkAnswers,
  nexmarkEvents,
  sortedRows,
} from '@millrace/bench';
import { expect, it } from 'vitest';
import { samples } from '../support/flights.ts';
import { recordsOf, tempFolder, writeFiles } from '../support/folders.ts';
import { finished, nodeOf, startMillrace } from '../support/millrace.ts';
import { killWhenThere, sizeOf, until, workersOf } from '../support/processes.ts';

/** How many events; with more of them (`npm run nexmark`) it is a longer look, at more numbers of workers. */
const asked = process.env.MILLRACE_NEXMARK_EVENTS;
const COUNT = Number(asked ?? 2_000);
type Move = readonly [before: number, after: number];
const LONG: readonly Move[] = [
  [1, 2],
  [2, 3],
  [3, 1],
];
const MOVES: readonly Move[] = asked === undefined ? [[2, 3]] : LONG;
const GROUP = 400;
const RATE = 100;
/** q12 is about the wall clock, and others are maps like q0. */
const LEFT_OUT = ['q10', 'q12', 'q14', 'q21', 'q22'];

function disorder(events: readonly NexmarkEvent[]): number {
  let newest = Number.NEGATIVE_INFINITY;
  return events.reduce((most, { ts }) => {
    newest = Math.max(newest, ts);
    return Math.max(most, newest - ts);
  }, 0);
}

it.each(MOVES)(
  'P7, Y5: begun with %i, killed on the way, gone on with %i workers, every query is exact',
  async (before, after) => {
    const events = [...nexmarkEvents({ count: COUNT, group: GROUP, rate: RATE, channels: true })];
    const answers = new Map([...nexmarkAnswers(events)].filter(([query]) => !LEFT_OUT.includes(query)));
    const folder = tempFolder('nexmark');
    await writeFiles(folder, {
      ...Object.fromEntries(joinedQueries(samples, [...answers.keys()])),
      'events.jsonl': events.map((event) => `${eventLine(event)}\n`).join(''),
    });
    const slack = ['--param', `slack=${disorder(events)}ms`];
    const start = (workers: number) =>
      startMillrace(['run', folder, '--json', '--data', tempData, '--workers', String(workers), ...slack]);
    const tempData = tempFolder('data');

    const first = start(before);
    const begun = await until(() => sizeOf(join(folder, 'q0.jsonl')) > 20_000, first.ended);
    if (begun) {
      await killWhenThere(() => workersOf(first.pid)[0]);
      first.kill('SIGKILL');
    }
    await first.ended;
    const { summary } = await finished(start(after).ended);

    for (const [query, rows] of answers) {
      const found = finalRows(query, recordsOf(folder, `${query}.jsonl`));
      expect([query, sortedRows(found)]).toEqual([query, sortedRows(rows)]);
    }
    expect(nodeOf(summary, 'n_events')).toMatchObject({ in: COUNT, deadLettered: 0, waiting: 0 });
    // Otherwise nothing was tested: the run was over before anybody was killed.
    expect(begun).toBe(true);
  },
  asked === undefined ? 180_000 : 900_000,
);

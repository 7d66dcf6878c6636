/**
 * The proof: *Flight delays* through the real command equals a plain computation, whatever the order of the input
 * and the number of workers, and whoever is killed on the way.
 */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  type Delays,
  delaysIn,
  delaysOf,
  disorder,
  type Flight,
  flightDelays,
  flights,
} from '../support/flights.ts';
import { recordsOf, rows, serverPid, tempFolder } from '../support/folders.ts';
import { type Ended, finished, nodeOf, run, startMillrace } from '../support/millrace.ts';
import { killWhenThere, sizeOf, until, workersOf } from '../support/processes.ts';
import { randomFrom, SEED, shuffled } from '../support/random.ts';

const YEAR_MS = 366 * 86_400_000;

/** The flights of several years, so that a run lasts long enough to be killed in its midst. */
function years(count: number): Flight[] {
  const all = flights();
  return Array.from({ length: count }, (_, year) =>
    all.map((flight) => ({ ...flight, date: `${2001 + year}${flight.date.slice(4)}` })),
  ).flat();
}

async function check(folder: string, data: string, input: readonly Flight[]): Promise<void> {
  const wanted = delaysOf(input);
  const lines = recordsOf(folder, 'result.jsonl');
  expect(delaysIn(lines), `MILLRACE_SEED=${SEED}`).toEqual(wanted);
  // P11: of one airport, hour follows hour.
  const last = new Map<string, number>();
  for (const { key, pane } of lines) {
    expect(pane?.start).toBeGreaterThan(last.get(key) ?? Number.NEGATIVE_INFINITY);
    last.set(key, pane?.start ?? Number.NaN);
  }
  const table = await rows(
    data,
    `select origin as key, (extract(epoch from hour) * 1000)::float8 as start, flights::float8 as flights,
            mean_delay as "meanDelay", longest_delay::float8 as "longestDelay"
       from data.flight_delays order by origin collate "C", hour`,
  );
  expect(table as unknown as Delays[], `MILLRACE_SEED=${SEED}`).toEqual(wanted);
}

describe('Flight delays', () => {
  it('equals a plain computation, P9: and every record is accounted for', async () => {
    const input = flights();
    const folder = flightDelays(input, disorder(input));
    const data = tempFolder('data');
    const { summary } = await finished(run(folder, ['--data', data]));
    await check(folder, data, input);
    const [delays] = [nodeOf(summary, 'n_delays')];
    expect(delays).toMatchObject({
      in: 2000,
      out: 1975,
      late: 0,
      deadLettered: 0,
      droppedLate: 0,
      waiting: 0,
    });
    for (const sink of ['n_file', 'n_table']) expect(nodeOf(summary, sink).in).toBe(1975);
  });

  type Victim = 'host' | 'worker' | 'postgres';
  const sweeps: readonly (readonly [number, string, number, readonly Victim[]])[] = [
    [1, 'as they are', 1, ['host', 'postgres', 'host']],
    [2, 'shuffled 200 by 200', 200, ['host', 'worker', 'host']],
    [3, 'shuffled 1,000 by 1,000', 1000, ['worker', 'host', 'postgres']],
  ];

  it.each(sweeps)(
    'P7, Y5: with %i workers and the flights %s, each killed on the way: every hour once in file and table',
    async (workers, _, stretch, victims) => {
      const random = randomFrom(SEED + workers);
      const input = shuffled(years(5), stretch, random);
      const folder = flightDelays(input, Math.min(disorder(input), YEAR_MS));
      const data = tempFolder('data');
      const result = join(folder, 'result.jsonl');
      const bytes = delaysOf(input).length * 180;
      const start = () =>
        startMillrace(['run', folder, '--json', '--data', data, '--workers', String(workers)]);
      let running = start();
      const killed: string[] = [];
      for (const [i, victim] of victims.entries()) {
        // Somewhere in the first, second, third part of the run.
        const limit = (bytes * (i + random() * 0.8)) / victims.length;
        if (!(await until(() => sizeOf(result) > limit, running.ended))) break;
        if (victim === 'host') {
          running.kill('SIGKILL');
          await running.ended;
          running = start();
        } else if (victim === 'worker') {
          const which = random();
          await killWhenThere(() => {
            const pids = workersOf(running.pid);
            return pids[Math.floor(which * pids.length)];
          });
        } else {
          await killWhenThere(() => serverPid(data));
        }
        killed.push(victim);
      }
      const ended: Ended = await finished(running.ended);
      await check(folder, data, input);
      const delays = nodeOf(ended.summary, 'n_delays');
      expect({ ...delays, killed }).toMatchObject({ in: input.length, late: 0, deadLettered: 0, waiting: 0 });
      // Otherwise nothing was tested: the run was over before anybody was killed.
      expect(killed.length).toBeGreaterThan(0);
    },
  );
});

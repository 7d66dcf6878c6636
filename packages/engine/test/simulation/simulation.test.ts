/**
 * Y5, P3–P11, W1–W8, T1–T5 on simulated processes, network, disk and database: five hundred pipelines that are drawn at
 * random, each run through what a seed does to it, end like a plain computation. And without a guard some do not.
 */
import { describe, expect, it } from 'vitest';
import { describeScenario, makeScenario } from './scenario.ts';
import { shrink } from './shrink.ts';
import { type SimulationControl, simulate } from './simulate.ts';

const SEEDS = 500;
const AT_A_TIME = 50;
/** A control that so many seeds do not notice is no control. */
const MOST_CONTROL_SEEDS = 100;
const LIMIT_MS = 600_000;

describe('the simulation', () => {
  it.each(Array.from({ length: SEEDS / AT_A_TIME }, (_, i) => i * AT_A_TIME + 1))(
    `Y5: of the ${AT_A_TIME} seeds from %i on none loses or repeats anything`,
    async (first) => {
      for (let seed = first; seed < first + AT_A_TIME; seed++) {
        const scenario = makeScenario(seed);
        const { problems } = await simulate(scenario);
        if (problems.length > 0) expect.fail(await story(seed, problems));
      }
    },
    LIMIT_MS,
  );

  it('one seed is one run: event by event', async () => {
    const runs = [await simulate(makeScenario(7)), await simulate(makeScenario(7))];
    expect(runs[0]).toEqual(runs[1]);
    expect(runs[0]?.events).toBeGreaterThan(1_000);
  });
});

async function story(seed: number, problems: readonly string[]): Promise<string> {
  const least = await shrink(makeScenario(seed), []);
  return [
    ...problems.slice(0, 12),
    describeScenario(least),
    `rerun: npm run simulate -- --seeds 1 --seed ${seed}`,
  ].join('\n');
}

/** What the sweep of real processes has no part in, or finds by chance only, it has elsewhere. */
const guards: Partial<Readonly<Record<SimulationControl, string>>> = {
  'wall-silence': 'P8: silence by wall time',
  'forgotten-requests': 'RR2: requests that come again and are not looked up',
  undrained: 'Y6: a version that is left as it stands',
  'kept-state': 'Y1: state that should be dropped',
  'split-redrive': 'RV1: letters and their deliveries in two transactions',
  unfenced: 'P6: a store and sinks that take what an old owner writes',
  'ignored-delivery-marks': 'P3: deliveries without their marks',
  'split-commit': 'P3: a commit in two halves',
  'no-parked-holds': 'W1: parked records that hold nothing',
  'reapplied-prefix': 'I-POST: an older prefix of the log applied on top',
  'unfrozen-moves': 'MV4: watermarks that go on while keys move',
  'kept-intervals': 'MV1: an old owner that keeps what it gave up',
  'unmarked-moves': 'MV2: a channel between two owners without its mark',
  'unkept-tables': 'MV0: workers that come where nobody has written whose the keys were',
  'ignored-horizon': 'FT1: a watermark that passes timers in the store',
  'kept-receivers': 'WP2: receivers that go on with what was never stored',
};

/** One seed in forty dies between the two halves: the search for it begins a few before the first. */
const SEARCH_FROM: Partial<Readonly<Record<SimulationControl, number>>> = { 'split-commit': 121 };

describe('negative controls of the simulation', () => {
  it.each(Object.entries(guards).map(([control, guard]) => [guard, control as SimulationControl] as const))(
    '%s is noticed',
    async (_, control) => {
      const first = SEARCH_FROM[control] ?? 1;
      for (let seed = first; seed < first + MOST_CONTROL_SEEDS; seed++)
        if ((await simulate(makeScenario(seed), [control])).problems.length > 0) return;
      expect.fail(`${MOST_CONTROL_SEEDS} seeds did not notice`);
    },
    LIMIT_MS,
  );
});

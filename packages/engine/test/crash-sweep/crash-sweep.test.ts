/**
 * Y5, P3–P9, W3, T4: forty seeded runs of the real command, killed at named points and at random, end like a plain
 * computation. And for each guard of the commit: without it, the same sweep finds the damage.
 */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { FaultControl } from '@millrace/engine';
import { expect, describe as group, it } from 'vitest';
import { type SweepResult, sweepOnce } from './sweep-run.ts';
import { describe } from './sweep-scenario.ts';

const bin = fileURLToPath(new URL('../../../../apps/cli/bin/millrace.mjs', import.meta.url));
const RUNS = 40;
const LANES = 2;
/** A control that so many runs do not notice is no control. */
const MOST_CONTROL_RUNS = 6;
const LIMIT_MS = 600_000;

let lanes = 0;
const queue: (() => void)[] = [];

/** At most two runs at a time, in the order in which they were asked for. */
async function inLane<T>(work: () => Promise<T>): Promise<T> {
  if (lanes === LANES) await new Promise<void>((resolve) => queue.push(resolve));
  else lanes++;
  try {
    return await work();
  } finally {
    const next = queue.shift();
    if (next === undefined) lanes--;
    else next();
  }
}

function story({ seed, scenario, problems, folder }: SweepResult): string {
  return [
    describe(scenario),
    ...problems,
    `kept in ${folder}`,
    `rerun: npm run sweep -- --runs 1 --seed ${seed}`,
  ].join('\n');
}

group.skipIf(!existsSync('/proc'))('the crash sweep', { concurrent: true }, () => {
  it.each(Array.from({ length: RUNS }, (_, i) => i + 1))(
    'Y5: seed %i loses nothing and repeats nothing',
    async (seed) => {
      const result = await inLane(() => sweepOnce({ bin, seed }));
      if (result.problems.length > 0) expect.fail(story(result));
    },
    LIMIT_MS,
  );
});

/** Where the search begins, for those that the first runs have never noticed. */
const SEARCH_FROM: Readonly<Partial<Record<FaultControl, number>>> = { 'ignored-delivery-marks': 3 };

/** Intervals do not move here: the simulation has their controls. */
const guards: Readonly<Partial<Record<FaultControl, string>>> = {
  'unlocked-sequencer-check': 'P6: a sequencer check that does not lock',
  'ignored-delivery-marks': 'P3: deliveries without their marks',
  'split-commit': 'P3: a commit in two halves',
  'no-parked-holds': 'W1: parked records that hold nothing',
  'reapplied-prefix': 'I-POST: an older prefix of the log applied on top',
  'ignored-horizon': 'FT1: a watermark that passes timers in the store',
  'lost-far-timers': 'I-POST: far timers of bundles that are not folded',
};

group.skipIf(!existsSync('/proc'))('negative controls of the crash sweep', { concurrent: true }, () => {
  it.each(Object.entries(guards).map(([control, guard]) => [guard, control as FaultControl] as const))(
    '%s is noticed, and the same kills with the guard do no harm',
    async (_, control) => {
      const from = SEARCH_FROM[control] ?? 1;
      for (let seed = from; seed < from + MOST_CONTROL_RUNS; seed++) {
        const { problems } = await inLane(() => sweepOnce({ bin, seed, controls: [control], keep: 'never' }));
        if (problems.length === 0) continue;
        const guarded = await inLane(() => sweepOnce({ bin, seed, controls: [control], guarded: true }));
        if (guarded.problems.length > 0) expect.fail(story(guarded));
        return;
      }
      expect.fail(`${MOST_CONTROL_RUNS} runs did not notice`);
    },
    LIMIT_MS,
  );
});

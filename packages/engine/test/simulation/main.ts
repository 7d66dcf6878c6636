/** `npm run simulate -- [--seeds 500] [--seed 1] [--control name] [--tell]`; `tell`: what happens in a run that fails. */
import { parseArgs } from 'node:util';
import { describeScenario, makeScenario } from './scenario.ts';
import { shrink } from './shrink.ts';
import { type SimulationControl, simulate } from './simulate.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '500' },
    seed: { type: 'string', default: '1' },
    tell: { type: 'boolean', default: false },
    control: { type: 'string', multiple: true, default: [] },
  },
});
const seeds = Number(values.seeds);
const first = Number(values.seed);
const controls = values.control as SimulationControl[];
let failed = 0;
let events = 0;
let seconds = 0;
const started = performance.now();
for (let seed = first; seed < first + seeds; seed++) {
  const scenario = makeScenario(seed);
  const result = await simulate(scenario, controls);
  events += result.events;
  seconds += result.seconds;
  if (result.problems.length === 0) continue;
  failed++;
  console.log(`seed ${seed} FAILED:`);
  for (const problem of result.problems.slice(0, 12)) console.log(`  ${problem}`);
  const least = await shrink(scenario, controls);
  console.log(`  of ${scenario.disturbances.length} disturbances it takes ${least.disturbances.length}:`);
  console.log(describeScenario(least));
  if (values.tell) await simulate(least, controls, (line) => console.log(`  ${line}`));
  console.log(`  rerun: npm run simulate -- --seeds 1 --seed ${seed}`);
}
const took = (performance.now() - started) / 1_000;
console.log(
  `${seeds - failed} of ${seeds} seeds passed: ${events} events, ${Math.round(seconds)} s of virtual time, in ${took.toFixed(1)} s`,
);
process.exitCode = failed === 0 ? 0 : 1;

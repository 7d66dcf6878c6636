/** The same failure with less: fewer disturbances, as long as it still fails. */
import type { Scenario } from './scenario.ts';
import { type SimulationControl, simulate } from './simulate.ts';

const MOST_TRIES = 40;

export async function shrink(scenario: Scenario, controls: readonly SimulationControl[]): Promise<Scenario> {
  let least = scenario;
  let tries = 0;
  for (let i = least.disturbances.length - 1; i >= 0 && tries < MOST_TRIES; i--, tries++) {
    const fewer = { ...least, disturbances: least.disturbances.filter((_, at) => at !== i) };
    if ((await simulate(fewer, controls)).problems.length > 0) least = fewer;
  }
  return least;
}

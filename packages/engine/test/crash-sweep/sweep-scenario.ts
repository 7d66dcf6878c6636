/** What happens to one run, from its seed: how often its host is started, and who is killed where. */
import {
  FAULT_POINTS,
  type FaultControl,
  type FaultPlan,
  type FaultPoint,
  type FaultVictim,
  type PlannedFault,
} from '@millrace/engine';
import { SeededRandom } from '../seeded-random.ts';

export interface TimedKill {
  /** After the first commit of this start. */
  readonly afterMs: number;
  /** `stop`: the host is asked to end in order, as by SIGTERM. */
  readonly victim: FaultVictim | 'stop';
  readonly worker: number;
}

/** One start of the host. The last one of a scenario is followed by undisturbed ones until the run is done. */
export interface Start {
  readonly workers: number;
  readonly plan: FaultPlan;
  readonly timed: readonly TimedKill[];
}

export interface Scenario {
  readonly seed: number;
  readonly starts: readonly Start[];
  /** For the starts after those. */
  readonly workers: number;
  /** Sizes and delays of all starts. */
  readonly pace: Omit<FaultPlan, 'kills'>;
}

/** About how often a run passes a point at most, so that most kills are met. */
const PASSES: Readonly<Record<FaultPoint, number>> = {
  'before-claim': 1,
  'after-claim': 1,
  'before-worker-claim': 2,
  'after-worker-claim': 2,
  'before-commit': 50,
  'during-commit': 50,
  'between-halves': 60,
  'after-commit-before-acknowledge': 50,
  'after-acknowledge': 50,
  'before-fold': 5,
  'during-fold': 5,
  'after-fold': 5,
  'before-release': 5,
  'after-release': 5,
  'before-sink-write': 40,
  'after-sink-write': 40,
  'during-sink-mark': 40,
  'after-sink-mark': 40,
};

export function makeScenario(seed: number, controls: readonly FaultControl[] = []): Scenario {
  const random = new SeededRandom(seed ^ 0x5eed);
  const suspicion = new SeededRandom(seed ^ 0x5ba4e);
  const pace: Omit<FaultPlan, 'kills'> = {
    controls,
    bundleRecords: random.spread(4, 60),
    foldEveryMs: random.spread(20, 600),
    ...(random.chance(0.5) ? { segmentBytes: 20_000 } : {}),
    ...(random.chance(0.3) ? { cacheBytes: random.spread(1_000, 50_000) } : {}),
    ...farTimers(new SeededRandom(seed ^ 0xfa7), controls),
    ...(random.chance(0.3) ? { slowSinkMs: random.spread(5, 150) } : {}),
    ...(controls.length === 0 && suspicion.chance(0.5) ? { suspectKilled: true } : {}),
  };
  const points = FAULT_POINTS.filter(
    (point) => point !== 'between-halves' || controls.includes('split-commit'),
  );
  let workers = random.between(1, 3);
  const starts: Start[] = [];

  // A commit of a killed host that is still inside the database when the next one claims (P6).
  if (controls.includes('unlocked-sequencer-check') || random.chance(0.06)) {
    starts.push({ workers, plan: { ...pace, kills: [], stallCommit: random.spread(2, 15) }, timed: [] });
    const at = random.pick(['before-sink-write', 'before-commit'] as const);
    const pass = at === 'before-commit' ? random.between(3, 6) : 1;
    starts.push({ workers, plan: { ...pace, kills: [{ at, pass, victim: 'host' }] }, timed: [] });
  }
  // Where a guard is off, one kill is aimed at it.
  if (controls.includes('ignored-delivery-marks')) workers = random.between(2, 3);
  const aimed = aimedKill(random, controls);
  if (controls.length > 0) starts.push({ workers, plan: { ...pace, kills: [aimed] }, timed: [] });
  for (let left = random.between(1, 2); left > 0; left--) {
    if (random.chance(0.15)) workers = random.between(1, 3);
    const kills: PlannedFault[] = [];
    if (random.chance(0.9)) kills.push(plannedKill(random, 'host', points));
    while (random.chance(0.5)) kills.push(plannedKill(random, random.pick(['worker', 'postgres']), points));
    const timed: TimedKill[] = [];
    while (timed.length < 3 && (kills.length + timed.length === 0 || random.chance(0.25)))
      timed.push({
        afterMs: random.spread(1, 1_500),
        victim: random.pick(['host', 'worker', 'postgres', 'stop'] as const),
        worker: random.between(0, 2),
      });
    if (pace.suspectKilled === true) kills.push(...killsOnTrial(suspicion, points));
    starts.push({ workers, plan: { ...pace, kills }, timed });
  }
  return { seed, starts, workers, pace };
}

function aimedKill(random: SeededRandom, controls: readonly FaultControl[]): PlannedFault {
  if (controls.includes('split-commit'))
    return { at: 'between-halves', pass: random.spread(3, 20), victim: 'host' };
  if (controls.includes('lost-far-timers'))
    return { at: 'after-acknowledge', pass: random.between(10, 40), victim: 'host' };
  return { at: 'after-fold', pass: random.between(3, 6), victim: 'host' };
}

/** In every other run most timers lie in the store; from a seed of its own, so that the kills stay what they were. */
function farTimers(
  random: SeededRandom,
  controls: readonly FaultControl[],
): Pick<FaultPlan, 'timersInMemory' | 'cacheBytes' | 'foldEveryMs'> {
  const aimed = controls.includes('ignored-horizon') || controls.includes('lost-far-timers');
  if (!aimed && random.chance(0.5)) return {};
  return {
    timersInMemory: random.spread(1, 30),
    // What is not folded must be most of it.
    ...(controls.includes('lost-far-timers') ? { foldEveryMs: 60_000 } : {}),
    ...(aimed || random.chance(0.6) ? { cacheBytes: random.spread(1_000, 20_000) } : {}),
  };
}

/** A worker, so that its successor holds what it was sent; then those that try it, and that successor. */
function killsOnTrial(random: SeededRandom, points: readonly FaultPoint[]): PlannedFault[] {
  const at = (victim: FaultVictim) => plannedKill(random, victim, points);
  return [
    { at: 'after-acknowledge', pass: random.spread(3, 30), victim: 'worker', worker: random.between(0, 2) },
    ...Array.from({ length: random.between(1, 4) }, () => at('spare')),
    ...(random.chance(0.4) ? [at('worker')] : []),
  ];
}

function plannedKill(random: SeededRandom, victim: FaultVictim, points: readonly FaultPoint[]): PlannedFault {
  const at = random.pick(points);
  return { at, pass: random.spread(1, PASSES[at]), victim, worker: random.between(0, 2) };
}

export function describe({ starts, workers, pace }: Scenario): string {
  const lines = starts.map(({ workers: n, plan, timed }, i) => {
    const what = [
      ...(plan.stallCommit === undefined ? [] : [`commit ${plan.stallCommit} outlives the host`]),
      ...plan.kills.map(({ at, pass, victim }) => `${victim} at ${at} #${pass}`),
      ...timed.map(({ afterMs, victim }) => `${victim} after ${afterMs} ms`),
    ];
    return `  start ${i + 1}, ${n} workers: ${what.join('; ')}`;
  });
  const { controls: _, ...sizes } = pace;
  return [...lines, `  then ${workers} workers; ${JSON.stringify(sizes)}`].join('\n');
}

/** One run, from its seed: a pipeline with its input, and what happens to those who run it. */
import { SeededRandom } from '../seeded-random.ts';
import { INPUT_MS, makeTopology, type Topology } from './topology.ts';
import { makeVersions, type Version } from './versions.ts';
import type { Way } from './world.ts';

/** At `at` ms. `worker` counts those that live. */
export type Disturbance =
  | { readonly at: number; readonly kind: 'kill host'; readonly downMs: number; readonly workers: number }
  /** Another host takes over while it is frozen, and it goes on later. */
  | {
      readonly at: number;
      readonly kind: 'replace host';
      readonly frozenMs: number;
      readonly holdsWire: boolean;
      readonly workers: number;
    }
  | { readonly at: number; readonly kind: 'freeze host'; readonly frozenMs: number }
  | { readonly at: number; readonly kind: 'kill worker'; readonly worker: number }
  | {
      readonly at: number;
      readonly kind: 'freeze worker';
      readonly worker: number;
      readonly frozenMs: number;
    }
  | { readonly at: number; readonly kind: 'database away'; readonly awayMs: number }
  | { readonly at: number; readonly kind: 'drain'; readonly workers: number }
  | { readonly at: number; readonly kind: 'pause'; readonly pausedMs: number }
  /** While it runs. */
  | { readonly at: number; readonly kind: 'workers'; readonly workers: number }
  /** The next version, if there is one. */
  | { readonly at: number; readonly kind: 'deploy'; readonly workers: number }
  /** A range of keys, as shares of all hashes, of one node by its place, or of all. */
  | {
      readonly at: number;
      readonly kind: 'move';
      readonly node: number | undefined;
      readonly start: number;
      readonly end: number;
      readonly to: number;
    }
  /** All dead letters that there are; `dies`: when the database has heard of it, its host does. */
  | { readonly at: number; readonly kind: 'redrive'; readonly dies: boolean }
  | {
      readonly at: number;
      readonly kind: 'slow';
      readonly way: Way;
      readonly factor: number;
      readonly slowMs: number;
    };

export interface Scenario {
  readonly seed: number;
  readonly topology: Topology;
  /** By number, from 1 on. */
  readonly versions: readonly Version[];
  readonly workers: number;
  /** Ids of nodes whose productions are weak. */
  readonly weak: readonly string[];
  /** So small that keys leave memory, bundles are many and timers stay in the store. */
  readonly pace: {
    readonly bundleRecords?: number;
    readonly foldEveryMs: number;
    readonly cacheBytes?: number;
    readonly timersInMemory?: number;
  };
  readonly disturbances: readonly Disturbance[];
}

export function makeScenario(seed: number): Scenario {
  const random = new SeededRandom(seed);
  const topology = makeTopology(random);
  const ofWeak = new SeededRandom(seed ^ 0x3ea4);
  const weak = weakNodes(ofWeak, topology);
  return {
    seed,
    topology,
    versions: makeVersions(random, topology),
    workers: random.between(1, 4),
    weak,
    pace: {
      ...(random.chance(0.7) && { bundleRecords: random.spread(1, 40) }),
      foldEveryMs: random.pick([20, 100, 500, 2_000]),
      ...(random.chance(0.5) && { cacheBytes: random.pick([500, 4_000]) }),
      ...(random.chance(0.5) && { timersInMemory: random.pick([1, 5, 20]) }),
    },
    disturbances: [
      ...makeDisturbances(random),
      ...(weak.length > 0 ? losses(ofWeak, ofWeak.between(2, 6)) : []),
    ].sort((a, b) => a.at - b.at),
  };
}

/** In every version the same; in most pipelines none. */
function weakNodes(random: SeededRandom, { sources, nodes }: Topology): string[] {
  if (random.chance(0.6)) return [];
  const share = random.pick([0.4, 0.8, 1]);
  return [...sources, ...nodes].filter(() => random.chance(share)).map(({ id }) => id);
}

/** Workers that end while what they have sent is not stored. */
function losses(random: SeededRandom, count: number): Disturbance[] {
  return Array.from({ length: count }, (): Disturbance[] => {
    const at = random.between(200, INPUT_MS);
    const slowMs = random.spread(100, 2_000);
    return [
      { at, kind: 'slow', way: 'store', factor: random.spread(20, 400), slowMs },
      { at: at + random.next() * slowMs, kind: 'kill worker', worker: random.between(0, 9) },
    ];
  }).flat();
}

function makeDisturbances(random: SeededRandom): Disturbance[] {
  const some = <T>(share: number, most: number, make: () => T): T[] =>
    Array.from({ length: random.chance(share) ? random.between(1, most) : 0 }, make);
  const at = (): number => random.between(200, INPUT_MS * 1.2);
  return [
    ...some(0.9, 7, () => makeDisturbance(random)),
    ...some(0.4, 4, (): Disturbance => ({ at: at(), kind: 'deploy', workers: random.between(1, 4) })),
    ...some(0.4, 4, (): Disturbance => ({ at: at(), kind: 'redrive', dies: random.chance(0.4) })),
    ...some(0.5, 10, () => makeMove(random, at())),
    // One after the other.
    ...(random.chance(0.2) ? some(1, 80, () => makeMove(random, at())) : []),
    ...some(0.4, 6, (): Disturbance => ({ at: at(), kind: 'workers', workers: random.between(1, 5) })),
  ].sort((a, b) => a.at - b.at);
}

function makeMove(random: SeededRandom, at: number): Disturbance {
  const start = random.chance(0.3) ? 0 : random.next();
  const end = random.chance(0.3) ? 1 : Math.min(1, start + random.next());
  const node = random.chance(0.6) ? random.between(0, 9) : undefined;
  return { at, kind: 'move', node, start, end, to: random.between(0, 4) };
}

/** Longer than a worker may be silent, and shorter than what would make it doubtful. */
const MOST_FROZEN_MS = 20_000;
const MOST_SLOW: Readonly<Record<Way, number>> = { store: 200, frames: 100, sinks: 200 };

function makeDisturbance(random: SeededRandom): Disturbance {
  const at = random.chance(0.15) ? random.between(0, 300) : random.between(200, INPUT_MS * 1.3);
  const workers = random.between(1, 4);
  const roll = random.next();
  if (roll < 0.18) return { at, kind: 'kill host', downMs: random.spread(10, 3_000), workers };
  if (roll < 0.28) {
    const holdsWire = random.chance(0.7);
    return { at, kind: 'replace host', frozenMs: random.spread(200, 9_000), holdsWire, workers };
  }
  if (roll < 0.32) return { at, kind: 'freeze host', frozenMs: random.spread(10, 20_000) };
  if (roll < 0.5) return { at, kind: 'kill worker', worker: random.between(0, 9) };
  if (roll < 0.58)
    return {
      at,
      kind: 'freeze worker',
      worker: random.between(0, 9),
      frozenMs: random.spread(10, MOST_FROZEN_MS),
    };
  if (roll < 0.65) return { at, kind: 'database away', awayMs: random.spread(10, 9_000) };
  if (roll < 0.71) return { at, kind: 'drain', workers };
  if (roll < 0.79) return { at, kind: 'pause', pausedMs: random.spread(50, 9_000) };
  const way = random.pick(['store', 'frames', 'sinks'] as const);
  return {
    at,
    kind: 'slow',
    way,
    factor: random.spread(3, MOST_SLOW[way]),
    slowMs: random.spread(100, 5_000),
  };
}

export function describeScenario({ topology, workers, weak, pace, disturbances }: Scenario): string {
  const node = topology.nodes.map(
    ({ id, kind, flakes, poisoned, deadly, starved }) =>
      `${id}: ${kind}${flakes ? ', flakes' : ''}${poisoned ? ', poisoned' : ''}${deadly ? ', deadly' : ''}${starved ? ', starved' : ''}`,
  );
  const stream = topology.streams.map(
    ({ from, port, to, groups }) => `${from}.${port} → ${to}${groups === undefined ? '' : ` by ${groups}`}`,
  );
  return [
    `${workers} workers, ${JSON.stringify(pace)}`,
    ...(weak.length > 0 ? [`weak: ${weak.join(', ')}`] : []),
    ...node,
    ...stream,
    ...disturbances.map((what) => JSON.stringify(what)),
  ]
    .map((line) => `  ${line}`)
    .join('\n');
}

/**
 * Versions of one simulated pipeline. What comes out is the same whichever version a record met: what changes is the
 * order of the plan, how state is shaped, and whether somebody looks on. Code watches that no version comes back.
 */
import type { SeededRandom } from '../seeded-random.ts';
import type { NodeShape } from './nodes.ts';
import { OBSERVER, type StreamShape, type Topology } from './topology.ts';

export interface Version {
  readonly number: number;
  /** As in its plan. */
  readonly topology: Topology;
  /** `stateVersion` by node id. */
  readonly schemas: Readonly<Record<string, number>>;
  readonly isObserved: boolean;
}

const MOST_VERSIONS = 4;

export function makeVersions(random: SeededRandom, topology: Topology): Version[] {
  const schemas = Object.fromEntries(topology.nodes.map(({ id }) => [id, 1]));
  const isObserved = random.chance(0.5);
  const first = isObserved ? observed(topology) : topology;
  const versions: Version[] = [{ number: 1, topology: first, schemas, isObserved }];
  while (versions.length < MOST_VERSIONS) versions.push(next(random, topology, versions.at(-1) as Version));
  return versions;
}

function next(random: SeededRandom, topology: Topology, before: Version): Version {
  const number = before.number + 1;
  const schemas = Object.fromEntries(
    Object.entries(before.schemas).map(([id, schema]) => [id, schema + (random.chance(0.4) ? 1 : 0)]),
  );
  // It comes and goes, so that it comes back.
  const isObserved = random.chance(before.isObserved ? 0.4 : 0.8);
  const seen = isObserved ? observed(topology) : topology;
  return { number, topology: random.chance(0.7) ? shuffled(random, seen) : seen, schemas, isObserved };
}

/** Somebody looks on at the first source; nobody takes from him but his own sink. */
function observed({ sources, tables, nodes, sinks, streams }: Topology): Topology {
  const shape = { size: 0, flakes: false, poisoned: false, deadly: false, starved: false };
  const from = sources[0]?.id as string;
  const id = `n_${OBSERVER}`;
  return {
    sources,
    tables,
    nodes: [...nodes, { id, kind: OBSERVER, ...shape }],
    sinks: [...sinks, `s_${OBSERVER}`],
    streams: [
      ...streams,
      { from, port: 'out', to: id, groups: 3 },
      { from: id, port: 'out', to: `s_${OBSERVER}`, groups: undefined },
    ],
  };
}

/** The same graph, in another order of its plan. */
function shuffled(random: SeededRandom, { sources, tables, nodes, sinks, streams }: Topology): Topology {
  const mix = <T>(items: readonly T[]): T[] => {
    const left = [...items];
    return items.map(() => left.splice(random.between(0, left.length - 1), 1)[0] as T);
  };
  return {
    sources: mix(sources),
    tables: mix(tables),
    nodes: inOrder(mix(nodes), streams),
    sinks: mix(sinks),
    streams: mix(streams),
  };
}

function inOrder(mixed: readonly NodeShape[], streams: readonly StreamShape[]): NodeShape[] {
  const left = [...mixed];
  const done: NodeShape[] = [];
  while (left.length > 0) {
    const waits = ({ id }: NodeShape) =>
      streams.some(({ from, to }) => to === id && left.some((other) => other.id === from));
    done.push(
      ...left.splice(
        left.findIndex((node) => !waits(node)),
        1,
      ),
    );
  }
  return done;
}

/** With which of the versions that were active, one after the other, the observer of the last one came. */
export function observedSince(active: readonly Version[]): number {
  const without = active.findLastIndex(({ isObserved }) => !isObserved);
  return active[without + 1]?.number ?? 1;
}

/** Ids of the computations of `before` that `after` has no more. */
export function gone(before: Version, after: Version): string[] {
  return before.topology.nodes
    .map(({ id }) => id)
    .filter((id) => !after.topology.nodes.some((node) => node.id === id));
}

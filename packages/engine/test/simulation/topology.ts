/** A random pipeline, its input, and what must come of it: by the plain functions of its nodes, one after the other. */
import type { RunPlan } from '@millrace/graph';
import { planOf } from '../../src/testing/plans.ts';
import type { SeededRandom } from '../seeded-random.ts';
import type { Post } from './client.ts';
import { type Age, codeOf, type Hands, isPoison, NODE_KINDS, type NodeShape, plainOutputs } from './nodes.ts';
import { isJoin, type LookupTable } from './operators.ts';
import { keyOf, type PlainRecord, type Value } from './record.ts';
import { type ArrivingLine, POSTED } from './simulated-connectors.ts';
import type { Version } from './versions.ts';
import { WORLD_START } from './world.ts';

export interface StreamShape {
  readonly from: string;
  readonly port: 'out' | 'end';
  readonly to: string;
  /** How many keys the consumer makes of it; undefined: it takes the producer's. */
  readonly groups: number | undefined;
  /** Of one that goes into a join. */
  readonly side?: 'left' | 'right';
}

export interface SourceLine extends ArrivingLine {
  readonly value: Value;
  readonly timestamp: number;
  /** No record. */
  readonly isBroken: boolean;
}

export interface SourceShape {
  readonly id: string;
  /** Longer than any silence of its own: whoever is idle took something else for silence. */
  readonly idleTimeout: string;
  /** How far it may be ahead of the slowest (W10). */
  readonly skewCap: string | undefined;
  /** Its one partition is posted, in so many requests. */
  readonly posts: readonly Post[] | undefined;
  readonly partitions: readonly (readonly SourceLine[])[];
}

/** What is read as a whole, again and again. */
export interface TableShape {
  readonly id: string;
  readonly rows: readonly Value[];
}

export interface Topology {
  readonly sources: readonly SourceShape[];
  readonly tables: readonly TableShape[];
  /** In topological order. */
  readonly nodes: readonly NodeShape[];
  readonly sinks: readonly string[];
  readonly streams: readonly StreamShape[];
}

/** Kind, and part of the names, of what some versions have beside the rest. */
export const OBSERVER = 'observer';

/** Lines come in over so many ms. */
export const INPUT_MS = 8_000;
/** Of event time between two lines of a partition, and how far one may be out of order: never late within the slack. */
const STEP_MS = 1_000;
const JITTER_MS = 14_000;
const SLACK = '30s';

export function makeTopology(random: SeededRandom): Topology {
  const sources = Array.from({ length: random.between(1, 3) }, (_, i): SourceShape => {
    const isPosted = random.chance(0.25);
    const partitions = Array.from({ length: isPosted ? 1 : random.between(1, 3) }, (_, p) =>
      makeLines(random, `${i}${'abc'[p]}`),
    );
    return {
      id: `n_in${i}`,
      // Who posts may have to wait for long: nobody knows whether more comes.
      idleTimeout: isPosted ? 'off' : random.pick(['3s', '30s']),
      skewCap: random.chance(0.2) ? random.pick(['1s', '20s']) : undefined,
      partitions,
      posts: isPosted ? postsOf(random, `${i}`, partitions[0] ?? []) : undefined,
    };
  });
  const nodes = Array.from(
    { length: random.between(1, 5) },
    (_, i): NodeShape => ({
      id: `n${i}`,
      kind: random.pick(NODE_KINDS),
      size: random.pick([1_000, 7_000, 60_000]),
      flakes: random.chance(0.3),
      poisoned: random.chance(0.2),
      deadly: random.chance(0.08),
      starved: random.chance(0.08),
    }),
  );
  const streams: StreamShape[] = [];
  const tables: TableShape[] = [];
  const groups = (): number => random.spread(1, 12);
  nodes.forEach(({ id }, i) => {
    const earlier = [...sources, ...nodes.slice(0, i)];
    const inputs = [...new Set(Array.from({ length: random.between(1, 2) }, () => random.pick(earlier).id))];
    const node = fitted(nodes, i, inputs);
    for (const [n, from] of inputs.entries()) {
      const isKeyed = from.startsWith('n_in') || random.chance(0.7);
      const side = isJoin(node) ? SIDES[n] : node.kind === 'lookup' ? 'left' : undefined;
      const stream = { from, port: 'out', to: id, groups: isKeyed ? groups() : undefined } as const;
      streams.push({ ...stream, ...(side && { side }) });
    }
    if (node.kind !== 'lookup') return;
    const table = makeTable(random, groups());
    nodes[i] = { ...node, table };
    tables.push({ id: `n_table${i}`, rows: table.rows });
    streams.push({ from: `n_table${i}`, port: 'out', to: id, groups: table.groups, side: 'right' });
  });
  // Whoever has no consumer has one, and every total is written.
  const sinks: string[] = [];
  const write = (from: string, port: 'out' | 'end'): void => {
    const to = `s_${from}_${port}`;
    sinks.push(to);
    streams.push({ from, port, to, groups: undefined });
  };
  for (const { id } of sources)
    if (!streams.some(({ from }) => from === id)) {
      const takers = nodes.filter((node) => !isJoin(node) && node.kind !== 'lookup');
      if (takers.length === 0) write(id, 'out');
      else streams.push({ from: id, port: 'out', to: random.pick(takers).id, groups: groups() });
    }
  for (const { id, kind } of nodes) {
    if (random.chance(0.3) || !streams.some(({ from }) => from === id)) write(id, 'out');
    if (kind === 'tally') write(id, 'end');
  }
  return { sources, tables, nodes, sinks, streams };
}

const SIDES = ['left', 'right'] as const;
/** So short that what a join gives is not a multiple of everything. */
const JOIN_MS = 1_000;
const SESSION_JOIN_MS = 300;

/** A row of some of the keys. */
function makeTable(random: SeededRandom, groups: number): LookupTable {
  const all = Array.from({ length: groups }, (_, g) => ({ id: `row ${g}`, g, x: random.between(1, 1_000) }));
  return { rows: all.filter(() => random.chance(0.8)), groups };
}

/** A join has two sources as inputs: of anything else it may make a multiple of a multiple. */
function fitted(nodes: NodeShape[], at: number, inputs: readonly string[]): NodeShape {
  const node = nodes[at] as NodeShape;
  if (!isJoin(node)) return node;
  const isFed = inputs.length === 2 && inputs.every((id) => id.startsWith('n_in'));
  const size = node.kind === 'join' ? JOIN_MS : SESSION_JOIN_MS;
  const fit: NodeShape = isFed ? { ...node, size } : { ...node, kind: 'relay' };
  nodes[at] = fit;
  return fit;
}

function makeLines(random: SeededRandom, prefix: string): SourceLine[] {
  const count = random.between(5, 60);
  const groups = random.spread(1, 40);
  const event = WORLD_START - random.between(0, 60_000);
  return Array.from({ length: count }, (_, i) => {
    const value: Value = { id: `${prefix}${i}`, g: random.between(1, groups), x: random.between(1, 1_000) };
    const timestamp = event + i * STEP_MS + random.between(-JITTER_MS, JITTER_MS);
    const at = WORLD_START + Math.floor((i * INPUT_MS) / count);
    const text = JSON.stringify({ ...value, at: timestamp });
    const isBroken = random.chance(0.02);
    return { value, timestamp, at, isBroken, text: isBroken ? text.slice(0, -1) : text };
  });
}

/** Lines that follow each other, in requests of a few; a request is sent when its last line is there. */
function postsOf(random: SeededRandom, name: string, lines: readonly SourceLine[]): Post[] {
  const posts: Post[] = [];
  for (let i = 0; i < lines.length; ) {
    const some = lines.slice(i, i + random.spread(1, 30));
    i += some.length;
    const rejected = some.filter(({ isBroken }) => isBroken).length;
    posts.push({
      key: `request ${name}.${posts.length}`,
      body: some.map(({ text }) => text).join('\n'),
      at: some.at(-1)?.at ?? 0,
      accepted: some.length - rejected,
      rejected,
    });
  }
  return posts;
}

/** The same in every version. */
export function streamId({ from, port, to }: StreamShape): string {
  return `${from}.${port}→${to}`;
}

export function planFor(
  { sources, tables, nodes, sinks, streams }: Topology,
  weak: readonly string[] = [],
): RunPlan {
  const productions = (id: string): 'weak' | 'strong' => (weak.includes(id) ? 'weak' : 'strong');
  const plan = planOf(
    [
      ...sources.map(({ id, idleTimeout, skewCap, posts }) => ({
        id,
        kind: 'injector' as const,
        productions: productions(id),
        ...(posts && { type: POSTED }),
        config: { path: id, slack: SLACK, futureBound: 'off', idleTimeout, ...(skewCap && { skewCap }) },
      })),
      ...tables.map(({ id }) => ({
        id,
        kind: 'injector' as const,
        config: { path: id, futureBound: 'off' },
      })),
      ...nodes.map(({ id }) => ({ id, kind: 'computation' as const, productions: productions(id) })),
      ...sinks.map((id) => ({ id, kind: 'sink' as const })),
    ],
    streams.map(({ from, port, to, groups, side }) => ({
      from,
      fromPort: port,
      to,
      toPort: side ?? `${from}_${port}`,
      keyed: groups !== undefined,
    })),
  );
  const ids = streams.map(streamId);
  return { ...plan, streams: plan.streams.map((stream) => ({ ...stream, id: ids[stream.index] as string })) };
}

/** The module a worker loads; `observedSince`: the version with which the observer came. */
export function moduleFor(
  { topology, number, schemas }: Version,
  observedSince: number,
  hands: Hands,
): unknown {
  const { sources, nodes, streams } = topology;
  const keyBy = streams.flatMap((stream) => {
    const { groups } = stream;
    return groups === undefined ? [] : [[streamId(stream), (value: Value) => keyOf(value, groups)] as const];
  });
  const ageOf = ({ id, kind }: NodeShape): Age => ({
    version: number,
    schema: schemas[id] ?? 1,
    since: kind === OBSERVER ? observedSince : 1,
  });
  return {
    nodes: Object.fromEntries(nodes.map((node) => [node.id, codeOf(node, ageOf(node), hands)])),
    keyBy: Object.fromEntries(keyBy),
    timestamps: Object.fromEntries(sources.map(({ id }) => [id, (value: { at: number }) => value.at])),
    values: {},
  };
}

export interface Expected {
  /** By sink. */
  readonly rows: ReadonlyMap<string, readonly PlainRecord[]>;
  /** `node id` of the records that throw whatever is done. */
  readonly letters: readonly string[];
  /** Records delivered, by node. */
  readonly delivered: ReadonlyMap<string, number>;
  /** Ids that an observer may write. */
  readonly observed: ReadonlySet<string>;
}

export function expectedOf({ sources, nodes, sinks, streams }: Topology): Expected {
  const made = new Map<string, readonly PlainRecord[]>();
  const delivered = new Map<string, number>();
  const letters: string[] = [];
  for (const { id, partitions } of sources) {
    const lines = partitions.flat();
    const records = lines.filter(({ isBroken }) => !isBroken);
    made.set(
      `${id} out`,
      records.map(({ value, timestamp }) => ({ key: '', value, timestamp })),
    );
    for (const { isBroken, value } of lines) if (isBroken) letters.push(`${id} ${value.id}`);
    delivered.set(id, lines.length);
  }
  /** Of a record that goes into a join. */
  const sides = new Map<PlainRecord, string>();
  const inputOf = (node: string): PlainRecord[] =>
    streams
      .filter(({ to }) => to === node)
      .flatMap(({ from, port, groups, side = '' }) =>
        (made.get(`${from} ${port}`) ?? []).map((record) => {
          const key = groups === undefined ? record.key : keyOf(record.value, groups);
          const taken = { ...record, key };
          sides.set(taken, side);
          return taken;
        }),
      );
  for (const node of nodes) {
    const input = inputOf(node.id);
    const { out, end } = plainOutputs(node, input, (record) => sides.get(record) ?? '');
    made.set(`${node.id} out`, out);
    made.set(`${node.id} end`, end);
    // How often a table is read is nobody's business.
    if (node.kind !== 'lookup') delivered.set(node.id, input.length);
    for (const { value } of input) if (isPoison(node, value)) letters.push(`${node.id} ${value.id}`);
  }
  const rows = new Map(sinks.map((id) => [id, inputOf(id)]));
  for (const [id, records] of rows) delivered.set(id, records.length);
  const seen = sources[0]?.partitions.flat() ?? [];
  const observed = new Set(seen.map(({ value }) => `${value.id}.n_${OBSERVER}`));
  return { rows, letters: letters.sort(), delivered, observed };
}

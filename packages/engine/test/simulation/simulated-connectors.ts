/** Sources whose lines come in at their time and can be read again, and sinks that keep rows and mark together (P7). */
import { TakenOver } from '../../src/host/ending.ts';
import type { Connectors, OpenSink, SinkRow, SourceChunk, SourcePartition } from '../../src/ports.ts';
import { PostedSource } from './posted-source.ts';
import type { SimulatedProcess } from './virtual-time.ts';
import type { World } from './world.ts';

export interface ArrivingLine {
  readonly text: string;
  /** Virtual wall time, ms. */
  readonly at: number;
}

export interface StoredRow {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
  readonly timestamp: number;
}

/** What the outside has: it outlives every host. */
export class Outside {
  /** Partitions by the node that reads them. */
  readonly sources = new Map<string, readonly (readonly ArrivingLine[])[]>();
  /** Rows of tables by the node that reads them, as lines. */
  readonly tables = new Map<string, readonly string[]>();
  /** Injectors that are pushed to, by host and node; and whether nobody posts to them any more. */
  readonly doors = new Map<string, PostedSource>();
  isOver: (node: string) => boolean = () => true;
  /** Negative control: what is remembered of requests is not asked for. */
  forgetsRequests = false;
  readonly sinks = new Map<string, { readonly rows: StoredRow[]; through: number }>();

  sink(node: string): { readonly rows: StoredRow[]; through: number } {
    const sink = this.sinks.get(node) ?? { rows: [], through: 0 };
    this.sinks.set(node, sink);
    return sink;
  }
}

export interface SimulatedContext {
  readonly nodeName: string;
  readonly hostSequencer: number;
  mark(): Promise<undefined>;
}

/** The type of injectors that are pushed to. */
export const POSTED = 'injector/http';
const CHUNK_LINES = 5;

export function simulatedConnectors(
  world: World,
  process: SimulatedProcess,
  outside: Outside,
  isFenced: (hostSequencer: number) => boolean,
): Connectors {
  return {
    injector: (type) => ({
      open: async (config, context) => {
        if (type === POSTED) {
          const memory = outside.forgetsRequests ? { ...context, requestMemory: () => NO_MEMORY } : context;
          return openDoor(world, process, outside, String(config.path)).open(memory);
        }
        const table = outside.tables.get(String(config.path));
        if (table !== undefined) {
          const read: SourcePartition['read'] = (offset, signal) =>
            readTable(world, process, table, offset, signal);
          return { partitions: [{ name: String(config.path), read }], close: async () => undefined };
        }
        return {
          partitions: (outside.sources.get(String(config.path)) ?? []).map(
            (lines, i): SourcePartition => ({
              name: `${config.path}-${i}`,
              read: (offset, signal) => readLines(world, process, lines, offset, signal),
            }),
          ),
          close: async () => undefined,
        };
      },
    }),
    sink: () => ({
      egress: 'line',
      open: async (_config, context): Promise<OpenSink> => {
        const { nodeName, hostSequencer } = context as unknown as SimulatedContext;
        const sink = outside.sink(nodeName);
        const through = await world.call(process, 'sinks', () => sink.through);
        return {
          through,
          deliver: ({ rows, through: upTo }) =>
            world.call(process, 'sinks', () => {
              if (isFenced(hostSequencer)) throw new TakenOver();
              sink.rows.push(...rows.map(storedRow));
              sink.through = upTo;
              return { rejected: 0 };
            }),
          close: async () => undefined,
        };
      },
    }),
  };
}

const NO_MEMORY = { find: async () => undefined };

function openDoor(world: World, process: SimulatedProcess, outside: Outside, node: string): PostedSource {
  const now = (): number => world.time.now;
  const door = new PostedSource(process, now, () => outside.isOver(node));
  outside.doors.set(`${process.name} ${node}`, door);
  return door;
}

function storedRow({ bytes }: SinkRow): StoredRow {
  return JSON.parse(new TextDecoder().decode(bytes)) as StoredRow;
}

async function* readLines(
  world: World,
  process: SimulatedProcess,
  lines: readonly ArrivingLine[],
  offset: number,
  signal: AbortSignal,
): AsyncGenerator<SourceChunk> {
  const encoder = new TextEncoder();
  let position = 0;
  for (let i = 0; i < lines.length && !signal.aborted; ) {
    const due = lines.slice(i, i + CHUNK_LINES).filter(({ at }) => at <= world.time.now);
    const first = lines[i] as ArrivingLine;
    if (due.length === 0) {
      yield { kind: 'idle' };
      await world.pause(process, Math.max(1, first.at - world.time.now), signal);
      continue;
    }
    const bytes = encoder.encode(due.map(({ text }) => `${text}\n`).join(''));
    i += due.length;
    const end = position + bytes.length;
    if (end > offset) {
      const from = Math.max(position, offset);
      yield { kind: 'bytes', offset: from, bytes: bytes.slice(from - position) };
      await world.pause(process, world.latency('frames'), signal);
    }
    position = end;
  }
  if (!signal.aborted) yield { kind: 'ended' };
}

/** How long a reading of a table stands. */
const REFRESH_MS = 1_500;
const TICK_MS = 400;
/** No reading begins so long after the start: the next one stands for ever. */
const TABLES_MS = 8_000;

/**
 * All rows again and again; some readings break off and begin anew (TR1). Rows change and are there twice for a while,
 * but never in what is looked up of them.
 */
async function* readTable(
  world: World,
  process: SimulatedProcess,
  lines: readonly string[],
  offset: number,
  signal: AbortSignal,
): AsyncGenerator<SourceChunk> {
  const encoder = new TextEncoder();
  let position = offset;
  let last: string | undefined;
  for (let reading = 0; !signal.aborted; reading++) {
    const time = world.time.now;
    const rows = asOf(lines, Math.floor(world.time.elapsed / 2_000));
    const isLast = world.time.elapsed >= TABLES_MS;
    const end = isLast ? Number.MAX_SAFE_INTEGER : time + REFRESH_MS;
    const isSame = rows.join('\n') === last;
    yield { kind: 'version', time, end, ...(isSame && { same: true }) };
    const breaksOff = !isSame && reading % 3 === 1;
    last = breaksOff ? undefined : rows.join('\n');
    for (const line of isSame ? [] : breaksOff ? rows.slice(0, rows.length / 2) : rows) {
      const bytes = encoder.encode(`${line}\n`);
      yield { kind: 'bytes', offset: position, bytes };
      position += bytes.length;
      if (position % 3 === 0) await world.pause(process, world.latency('frames'), signal);
      if (signal.aborted) return;
    }
    if (breaksOff) continue;
    if (isLast) {
      yield { kind: 'ended' };
      return;
    }
    for (let now = time; !signal.aborted; now = world.time.now) {
      yield { kind: 'reached', time: Math.min(now, end) };
      if (now >= end) break;
      await world.pause(process, Math.min(TICK_MS, end - now), signal);
    }
  }
}

function asOf(lines: readonly string[], n: number): string[] {
  const rows = lines.map((line, i) =>
    (i + n) % 3 === 0 ? JSON.stringify({ ...(JSON.parse(line) as object), n }) : line,
  );
  const twice = rows[n % Math.max(1, rows.length)];
  return n % 2 === 1 && twice !== undefined ? [...rows, twice] : rows;
}

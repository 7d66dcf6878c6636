/** What a worker is told before any input: its configuration, and what an earlier worker of its slot left. */
import type { RunPlan } from '@millrace/graph';
import {
  dueSpaceOf,
  HASH_END,
  hashStart,
  type IntervalState,
  META_SPACE,
  type SourceAssignment,
  type StoreEntry,
  spaceOf,
  type WorkerConfiguration,
} from '@millrace/protocol';
import { ingestSettings } from './ingest-settings.ts';
import type { HashRange, Intervals } from './intervals.ts';
import type { PagedStore } from './paged/paged-store.ts';
import type { Recovered } from './recovery.ts';
import type { RunOptions } from './run-options.ts';
import type { StartMode } from './worker-health.ts';

export interface WorkerPlace {
  readonly run: RunOptions;
  readonly recovered: Recovered;
  readonly slot: number;
  readonly slots: number;
  readonly partitions: readonly SourceAssignment[];
  readonly startMode: StartMode;
  /** Who owns which keys, as it is told; undefined: one equal interval each. */
  readonly intervals: IntervalState | undefined;
  /** It holds its input until that was tried. */
  readonly isSuspicious: boolean;
}

/** The same for one that only tries inputs: it finds in the store what it is not handed. */
export function spareConfiguration(place: WorkerPlace): WorkerConfiguration {
  const own = workerConfiguration(place);
  return {
    ...own,
    intervals: undefined,
    partitions: [],
    emptyNodes: [],
    farNodes: [],
    isSuspicious: false,
    isSpare: true,
  };
}

/** A timer takes about 1 kB with its key. */
const TIMERS_PER_MB = 50;
const LEAST_TIMERS = 2_000;
/** Share of a worker's memory that key content may take before keys are evicted. */
const CACHE_SHARE = 0.4;

export function workerConfiguration(place: WorkerPlace): WorkerConfiguration {
  const { run, recovered, slot, slots, partitions, startMode } = place;
  const { plan, number } = run.version;
  const { paged, nodeNumbers } = recovered;
  const computations = plan.nodes.filter((node) => node.kind === 'computation').map((node) => node.index);
  const hasState = (node: number) => !paged.isEmpty(spaceOf(nodeNumbers[node] as number, 'state'));
  const hasFar = (node: number) => !paged.isEmpty(dueSpaceOf(nodeNumbers[node] as number));
  const cacheBytes = run.faults?.plan.cacheBytes ?? Math.floor(run.memoryMb * CACHE_SHARE) * 1024 * 1024;
  return {
    plan,
    slot,
    slots,
    nodeNumbers,
    egress: plan.nodes.map((node) =>
      node.kind === 'sink' ? run.connectors.sink(node.type)?.egress : undefined,
    ),
    ingest: plan.nodes.map((node) => (node.kind === 'injector' ? ingestSettings(node) : undefined)),
    partitions,
    emptyNodes: computations.filter((node) => !hasState(node) && !hasFar(node)),
    farNodes: computations.filter(hasFar),
    timersInMemory: run.faults?.plan.timersInMemory ?? timersInMemory(run.memoryMb, computations.length),
    version: number,
    ...startMode,
    isSuspicious: place.isSuspicious,
    faults: run.faults?.forWorkers,
    cacheBytes,
    ...(place.intervals !== undefined && { intervals: place.intervals }),
  };
}

/** Of one computation and clock; those of all take about a twentieth of a worker's memory, their keys included. */
function timersInMemory(memoryMb: number, computations: number): number {
  return Math.max(LEAST_TIMERS, Math.floor((memoryMb * TIMERS_PER_MB) / Math.max(1, computations)));
}

/**
 * Marks, counters and watermarks of the slot; near timers, parked inputs and holds of its keys. State is read lazily,
 * far timers in their turn.
 */
export async function inheritanceOf(
  { paged, nodeNumbers }: Recovered,
  plan: RunPlan,
  slot: number,
  intervals: Intervals,
): Promise<StoreEntry[]> {
  const entries: StoreEntry[] = [];
  const meta = await paged.scan(
    ['source/', `counters/${slot}/`, `named/${slot}/`, `stream/${slot}/`, `watermark/${slot}/`].map(
      (prefix) => ({
        space: META_SPACE,
        prefix: Buffer.from(prefix),
        limit: Number.MAX_SAFE_INTEGER,
      }),
    ),
  );
  for (const { entries: found } of meta)
    for (const { key, value } of found) entries.push({ space: META_SPACE, key, value });
  for (const node of plan.nodes) {
    if (node.kind !== 'computation') continue;
    for (const range of intervals.startRangesOf(node.index, slot))
      entries.push(...(await keysIn(paged, nodeNumbers[node.index] as number, range)));
  }
  return entries;
}

/** Near timers, parked inputs and holds of a range of keys. */
export async function keysIn(
  paged: PagedStore,
  nodeNumber: number,
  { start, end }: HashRange,
): Promise<StoreEntry[]> {
  const entries: StoreEntry[] = [];
  const from = start === 0 ? new Uint8Array(0) : hashStart(start);
  const to = end === HASH_END ? undefined : hashStart(end);
  for (const kind of ['timers', 'parked', 'holds'] as const) {
    const space = spaceOf(nodeNumber, kind);
    for (const { key, value } of await paged.range(space, from, to)) entries.push({ space, key, value });
  }
  return entries;
}

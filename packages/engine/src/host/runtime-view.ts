/** A run as whoever looks after it wants to see it: its workers, whose keys are whose, how far each is. */
import type { RunPlan } from '@millrace/graph';
import { HASH_END, type Watermark } from '@millrace/protocol';
import type { WatermarkAuthority } from '../watermark/authority.ts';
import type { BusyKey } from './busiest-keys.ts';
import type { FoldProgress } from './fold-loop.ts';
import { type IntervalGroup, intervalGroups, type MoveView, moveView } from './interval-view.ts';
import type { HashRange, Intervals } from './intervals.ts';
import type { RememberedCounts } from './pushed-sources.ts';
import type { Recovered } from './recovery.ts';
import type { WeakCounts } from './weak-productions.ts';
import type { WorkerSlot } from './worker-slot.ts';

export interface WorkerEnd {
  /** Wall time in ms. */
  readonly at: number;
  readonly reason: string;
}

export interface WorkerView {
  readonly slot: number;
  /** Of the key hashes of all computations, how much it owns. */
  readonly share: number;
  readonly sequencer: number | undefined;
  readonly state: 'starting' | 'running' | 'dead';
  /** Of the process; stays in the engine host. */
  readonly pid: number | undefined;
  readonly startedAt: number | undefined;
  readonly restarts: number;
  readonly lastEnd: WorkerEnd | undefined;
  /** Committed by this slot since the run began. */
  readonly bundles: number;
  /** Records parked, and `async` calls that run. */
  readonly waiting: number;
  readonly running: number;
  /** Of input it has not read off its pipe. */
  readonly queuedBytes: number;
  /** By plan index. */
  readonly watermarks: readonly Watermark[];
}

export interface RuntimeView {
  readonly hostSequencer: number;
  readonly position: number;
  readonly unfoldedBytes: number;
  readonly undeliveredBytes: number;
  readonly folds: FoldProgress;
  readonly workers: readonly WorkerView[];
  readonly intervals: readonly IntervalGroup[];
  readonly move: MoveView | undefined;
  /** How many workers there will be, while their number is being changed. */
  readonly goal: number | undefined;
  readonly busiestKeys: readonly BusyKey[];
  /** What is asked of the memory of posted requests. */
  readonly remembered: readonly RememberedCounts[];
  /** Undefined: every production is strong. */
  readonly weak: WeakCounts | undefined;
}

export interface RuntimeParts {
  readonly plan: RunPlan;
  readonly recovered: Recovered;
  readonly intervals: Intervals;
  readonly authority: WatermarkAuthority;
  readonly slots: readonly WorkerSlot[];
  readonly folds: FoldProgress;
  readonly busiestKeys: readonly BusyKey[];
  /** What is asked of the memory of posted requests. */
  readonly remembered: readonly RememberedCounts[];
  /** Undefined: every production is strong. */
  readonly weak: WeakCounts | undefined;
}

export function runtimeView(parts: RuntimeParts): RuntimeView {
  const { plan, recovered, intervals, authority, slots, folds, busiestKeys, remembered, weak } = parts;
  const { paged, deliveries, hostSequencer } = recovered;
  const computations = plan.nodes.filter(({ kind }) => kind === 'computation');
  const shareOf = (slot: number) =>
    computations.reduce((sum, { index }) => sum + shareIn(intervals.rangesOf(index, slot)), 0) /
    Math.max(1, computations.length);
  return {
    hostSequencer,
    position: paged.through,
    unfoldedBytes: paged.unfoldedBytes,
    undeliveredBytes: deliveries.bytes,
    folds,
    busiestKeys,
    remembered,
    weak,
    intervals: intervalGroups(plan, intervals),
    move: moveView(intervals),
    goal: intervals.goal,
    workers: slots.map((slot) => workerView(slot, shareOf(slot.index), authority)),
  };
}

function shareIn(ranges: readonly HashRange[]): number {
  return ranges.reduce((sum, { start, end }) => sum + end - start, 0) / HASH_END;
}

function workerView(slot: WorkerSlot, share: number, authority: WatermarkAuthority): WorkerView {
  const { index, link, life } = slot;
  return {
    slot: index,
    share,
    sequencer: link?.sequencer,
    state: link?.state ?? 'starting',
    pid: link?.pid,
    startedAt: life.startedAt,
    restarts: Math.max(0, life.starts - 1),
    lastEnd: life.lastEnd,
    bundles: life.bundles,
    waiting: link?.status?.waiting ?? 0,
    running: link?.status?.running ?? 0,
    queuedBytes: link?.queuedBytes ?? 0,
    watermarks: authority.table(index),
  };
}

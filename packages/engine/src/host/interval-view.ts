/** The intervals of a run as whoever looks after it sees them: computations that are cut alike are told together. */
import type { RunPlan } from '@millrace/graph';
import { HASH_END } from '@millrace/protocol';
import type { Intervals } from './intervals.ts';

export interface IntervalGroup {
  /** Plan indices. */
  readonly nodes: readonly number[];
  readonly intervals: readonly IntervalView[];
  /** There are more. */
  readonly cut: boolean;
}

/** `[from, to)`, by the upper half of the hash. */
export interface IntervalView {
  readonly from: number;
  readonly to: number;
  readonly slot: number;
}

export interface MoveView {
  readonly nodes: readonly number[];
  readonly from: number;
  readonly to: number;
  readonly oldSlot: number;
  readonly newSlot: number;
  readonly phase: 'apart' | 'given' | 'joined';
}

const MOST_INTERVALS = 200;

export function intervalGroups(plan: RunPlan, intervals: Pick<Intervals, 'tableOf'>): IntervalGroup[] {
  const groups = new Map<string, { nodes: number[]; intervals: IntervalView[]; cut: boolean }>();
  for (const { index, kind } of plan.nodes) {
    if (kind !== 'computation') continue;
    const table = intervals.tableOf(index);
    const key = JSON.stringify(table);
    const known = groups.get(key);
    if (known !== undefined) known.nodes.push(index);
    else
      groups.set(key, {
        nodes: [index],
        intervals: table
          .slice(0, MOST_INTERVALS)
          .map(([from, slot], i) => ({ from, to: table[i + 1]?.[0] ?? HASH_END, slot })),
        cut: table.length > MOST_INTERVALS,
      });
  }
  return [...groups.values()];
}

export function moveView({ move, phase }: Pick<Intervals, 'move' | 'phase'>): MoveView | undefined {
  if (move === undefined || phase === undefined) return undefined;
  const { nodes, start, end, from, to } = move;
  return { nodes, from: start, to: end, oldSlot: from, newSlot: to, phase };
}

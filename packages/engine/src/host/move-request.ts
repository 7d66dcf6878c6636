/** What people ask for, as moves of one owner's keys each. */
import type { RunPlan } from '@millrace/graph';
import { HASH_END } from '@millrace/protocol';
import type { WantedMove } from './interval-mover.ts';
import type { Intervals } from './intervals.ts';

/** Upper halves of hashes, half-open: 0 to 2^32 is all of them. */
export interface MoveRequest {
  /** Ids of computations; undefined: all. */
  readonly nodes?: readonly string[] | undefined;
  readonly start: number;
  readonly end: number;
  /** The slot that is to own them. */
  readonly to: number;
}

export type MoveAnswer =
  /** How many moves it took; 0: they were its own already. */
  { readonly kind: 'moved'; readonly moves: number } | { readonly kind: 'refused'; readonly reason: string };

export type MovesOfRequest =
  | { readonly kind: 'moves'; readonly moves: readonly WantedMove[] }
  | Extract<MoveAnswer, { kind: 'refused' }>;

export function movesOf(
  { nodes: ids, start, end, to }: MoveRequest,
  plan: RunPlan,
  intervals: Pick<Intervals, 'slots' | 'staying' | 'rangesOf'>,
): MovesOfRequest {
  const isBound = (high: number) => Number.isSafeInteger(high) && high >= 0 && high <= HASH_END;
  if (!isBound(start) || !isBound(end) || start >= end)
    return refused('an interval begins and ends within 0 and 2^32, and is not empty');
  if (!Number.isSafeInteger(to) || to < 0 || to >= intervals.slots)
    return refused(`there is no worker ${to}: there are ${intervals.slots}`);
  if (to >= intervals.staying) return refused(`worker ${to} is leaving`);
  const computations = plan.nodes.filter(({ kind }) => kind === 'computation');
  const unknown = ids?.find((id) => !computations.some((node) => node.id === id));
  if (unknown !== undefined) return refused(`"${unknown}" is no computation of the version that runs`);
  const moves = new Map<string, WantedMove & { readonly nodes: number[] }>();
  for (const { id, index } of computations) {
    if (ids !== undefined && !ids.includes(id)) continue;
    for (let from = 0; from < intervals.slots; from++) {
      if (from === to) continue;
      for (const range of intervals.rangesOf(index, from)) {
        const cut = { start: Math.max(start, range.start), end: Math.min(end, range.end) };
        if (cut.start >= cut.end) continue;
        const key = `${from} ${cut.start} ${cut.end}`;
        const move = moves.get(key) ?? { nodes: [], ...cut, from, to };
        move.nodes.push(index);
        moves.set(key, move);
      }
    }
  }
  return { kind: 'moves', moves: [...moves.values()] };
}

function refused(reason: string): Extract<MoveAnswer, { kind: 'refused' }> {
  return { kind: 'refused', reason };
}

/**
 * Which keys go to whom when the number of workers changes: one move at a time, until each that stays has as much of
 * every computation's hashes as any other, within a few, and the others have nothing. Nothing is moved that need not be.
 */
import { HASH_END, type IntervalTable } from '@millrace/protocol';
import type { WantedMove } from './interval-mover.ts';
import { rangesIn } from './intervals.ts';

/**
 * The next one, or undefined when all is as it should be. Computations that are cut alike move together, so that what
 * one hands to the next stays in one worker. `workers`: how many there will be.
 */
export function nextShare(
  computations: readonly number[],
  tableOf: (node: number) => IntervalTable,
  workers: number,
): WantedMove | undefined {
  const groups = new Map<string, number[]>();
  for (const node of computations) {
    const text = JSON.stringify(tableOf(node));
    groups.set(text, [...(groups.get(text) ?? []), node]);
  }
  for (const nodes of groups.values()) {
    const move = nextOf(tableOf(nodes[0] as number), workers);
    if (move !== undefined) return { nodes, ...move };
  }
  return undefined;
}

function nextOf(table: IntervalTable, workers: number): Omit<WantedMove, 'nodes'> | undefined {
  const owners = Math.max(workers, ...table.map(([, owner]) => owner + 1));
  const excess = Array.from(
    { length: owners },
    (_, slot) => sizeOf(rangesIn(table, slot)) - dueTo(slot, workers),
  );
  // Whoever leaves gives first. A single hash, as of rounding, is no reason for a move.
  const from = excess.findLastIndex((of, slot) => of > (slot < workers ? 1 : 0));
  const last = rangesIn(table, from).at(-1);
  if (last === undefined) return undefined;
  const least = Math.min(...excess);
  const to = excess.indexOf(least);
  const size = Math.min(last.end - last.start, excess[from] as number, 1 - least);
  return { start: last.end - size, end: last.end, from, to };
}

/** Of all upper halves of hashes. */
function dueTo(slot: number, workers: number): number {
  if (slot >= workers) return 0;
  const before = (of: number) => Math.ceil((of * HASH_END) / workers);
  return before(slot + 1) - before(slot);
}

function sizeOf(ranges: readonly { readonly start: number; readonly end: number }[]): number {
  return ranges.reduce((sum, { start, end }) => sum + end - start, 0);
}

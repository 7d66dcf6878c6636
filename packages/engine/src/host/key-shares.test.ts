/** CW1: which keys go to whom when the number of workers changes. */
import { HASH_END, type IntervalTable } from '@millrace/protocol';
import { describe, expect, it } from 'vitest';
import { SeededRandom } from '../../test/seeded-random.ts';
import { equalIntervals } from '../worker/interval-routes.ts';
import { rangesIn, withOwner } from './intervals.ts';
import { nextShare } from './key-shares.ts';

/** Does what it says until it says nothing more; returns how many moves that took. */
function level(tables: Map<number, IntervalTable>, workers: number): number {
  for (let moves = 0; moves < 1_000; moves++) {
    const move = nextShare([...tables.keys()], (node) => tables.get(node) as IntervalTable, workers);
    if (move === undefined) return moves;
    for (const node of move.nodes) {
      const table = tables.get(node) as IntervalTable;
      const isOwn = rangesIn(table, move.from).some(
        ({ start, end }) => start <= move.start && end >= move.end,
      );
      expect(isOwn, JSON.stringify(move)).toBe(true);
      tables.set(node, withOwner(table, move, move.to));
    }
  }
  throw new Error('it does not end');
}

const sizesOf = (table: IntervalTable, workers: number) =>
  Array.from({ length: workers }, (_, slot) =>
    rangesIn(table, slot).reduce((sum, { start, end }) => sum + end - start, 0),
  );

describe('the shares of a changed number of workers', () => {
  it('are equal in the end, to a few hashes, whatever they were', () => {
    const random = new SeededRandom(7);
    for (let round = 0; round < 200; round++) {
      let table: IntervalTable = equalIntervals(random.between(1, 6));
      for (let cuts = random.between(0, 12); cuts > 0; cuts--) {
        const start = Math.floor(random.next() * HASH_END);
        const end = Math.min(HASH_END, start + 1 + Math.floor(random.next() * HASH_END));
        table = withOwner(table, { start, end }, random.between(0, 5));
      }
      const workers = random.between(1, 8);
      const tables = new Map([[3, table]]);
      level(tables, workers);
      const sizes = sizesOf(tables.get(3) as IntervalTable, workers);
      expect(sizes.reduce((a, b) => a + b)).toBe(HASH_END);
      expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(2 * workers);
    }
  });

  it('move no more than they must: two give a third of theirs to a third one', () => {
    const tables = new Map([[0, equalIntervals(2)]]);
    expect(level(tables, 3)).toBe(2);
    expect(level(tables, 3)).toBe(0);
    expect(level(tables, 2)).toBe(2);
  });

  it('of computations that are cut alike move together', () => {
    const move = nextShare([2, 5], () => equalIntervals(2), 3);
    expect(move?.nodes).toEqual([2, 5]);
  });
});

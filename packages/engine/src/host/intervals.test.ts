import { AWAY_SLOT, HASH_END, type IntervalTable } from '@millrace/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { IntervalRoutes } from '../worker/interval-routes.ts';
import { createHasher } from '../worker/key-hash.ts';
import { Intervals, type Move, NO_INTERVALS, ownerIn, rangesIn, STEP, withOwner } from './intervals.ts';

const SLOTS = 3;
const NODES = 2;
const high = fc.integer({ min: 0, max: HASH_END - 1 });
const range = fc
  .tuple(high, fc.integer({ min: 1, max: HASH_END }))
  .map(([start, length]) => ({ start, end: Math.min(HASH_END, start + length) }));
const wanted = fc.record({
  range,
  to: fc.nat(SLOTS - 1),
  nodes: fc.constantFrom([0], [1], [0, 1]),
});

function fresh(): Intervals {
  return new Intervals(SLOTS, [7, 9], NO_INTERVALS, 'apart');
}

function moved(intervals: Intervals, move: Omit<Move, 'step'>): void {
  intervals.begin(intervals.next(move));
  intervals.given();
  intervals.joined();
  intervals.over();
}

describe('intervals', () => {
  it('M23: after a thousand changes the intervals of a node cover all hashes, do not overlap and have one owner each', () => {
    fc.assert(
      fc.property(fc.array(wanted, { minLength: 1000, maxLength: 1000 }), high, (changes, looked) => {
        const intervals = fresh();
        const owners: number[] = [0, 1].map((node) => intervals.ownerOf(node, looked));
        for (const { range, to, nodes } of changes) {
          moved(intervals, { ...range, nodes, from: 0, to });
          if (looked >= range.start && looked < range.end) for (const node of nodes) owners[node] = to;
        }
        for (let node = 0; node < NODES; node++) {
          expectPartition(intervals, node);
          expect(intervals.ownerOf(node, looked)).toBe(owners[node]);
        }
      }),
      { numRuns: 5 },
    );
  });

  it('M23 (merge): what lies beside an interval of the same owner becomes one with it, and all is one again', () => {
    const intervals = fresh();
    moved(intervals, { nodes: [0], start: 100, end: 101, from: 0, to: 2 });
    expect(intervals.tableOf(0).slice(0, 3)).toEqual([
      [0, 0],
      [100, 2],
      [101, 0],
    ]);
    moved(intervals, { nodes: [0], start: 0, end: HASH_END, from: 0, to: 0 });
    expect(intervals.tableOf(0)).toEqual([[0, 0]]);
  });

  it('senders find the same owner as the host, for every key', async () => {
    const hasher = await createHasher();
    fc.assert(
      fc.property(fc.array(range, { maxLength: 20 }), fc.string(), (ranges, key) => {
        let table: IntervalTable = [[0, 0]];
        ranges.forEach((each, i) => {
          table = withOwner(table, each, i % SLOTS);
        });
        const routes = new IntervalRoutes([table, null], SLOTS, hasher);
        const hash = hasher.keyHash(key).high;
        expect(routes.ownerOf(0, key)).toBe(ownerIn(table, hash));
        expect(routes.ownerOf(1, key)).toBe(fresh().ownerOf(1, hash));
      }),
    );
  });

  it('MV1, MV4: the keys are the old owner’s until it has given them up, and what is told follows', () => {
    const intervals = fresh();
    const move = intervals.next({ nodes: [1], start: 5, end: 10, from: 0, to: 2 });
    intervals.begin(move);
    expect([intervals.ownerOf(1, 5), intervals.channelOf(1, 5), intervals.channelOf(0, 5)]).toEqual([
      0,
      AWAY_SLOT,
      0,
    ]);
    expect(intervals.stateFor(0)).toMatchObject({ step: move.step, frozen: [1], held: [] });
    expect(intervals.stateFor(1)).toMatchObject({ step: move.step, frozen: [] });
    expect(intervals.stateFor(2)).toMatchObject({ step: move.step, frozen: [1] });
    intervals.given();
    expect([intervals.ownerOf(1, 9), intervals.ownerOf(1, 10)]).toEqual([2, 0]);
    expect(intervals.stateFor(0)).toMatchObject({ step: move.step + STEP.given, held: [1] });
    // A worker that starts now is handed them later, with the old owner's watermarks.
    expect(intervals.startRangesOf(1, 2).some(({ start }) => start === 5)).toBe(false);
    intervals.joined();
    expect(intervals.startRangesOf(1, 2).some(({ start }) => start === 5)).toBe(true);
    expect(intervals.stateFor(2)).toMatchObject({ step: move.step + STEP.joined, frozen: [] });
  });

  it('what is stored is read as it was, whatever has become of the plan', () => {
    const intervals = fresh();
    moved(intervals, { nodes: [0, 1], start: 5, end: 10, from: 0, to: 2 });
    const move = intervals.next({ nodes: [1], start: 50, end: 60, from: 0, to: 1 });
    const stored = JSON.parse(JSON.stringify(intervals.storedWith(move)));
    const read = new Intervals(SLOTS, [3, 9], stored, 'given');
    expect(read.tableOf(0)).toEqual(fresh().tableOf(0));
    expect(read.tableOf(1)).toEqual(intervals.tableOf(1));
    expect(read.ownerOf(1, 55)).toBe(1);
  });
});

function expectPartition(intervals: Intervals, node: number): void {
  const table = intervals.tableOf(node);
  expect(table[0]?.[0]).toBe(0);
  for (let i = 1; i < table.length; i++) {
    expect(table[i]?.[0]).toBeGreaterThan(table[i - 1]?.[0] as number);
    expect(table[i]?.[1]).not.toBe(table[i - 1]?.[1]);
  }
  const ranges = [0, 1, 2].flatMap((slot) => rangesIn(table, slot));
  expect(ranges.reduce((sum, { start, end }) => sum + end - start, 0)).toBe(HASH_END);
}

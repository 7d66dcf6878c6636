import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { follow, type IdRange, joinRanges, overlap, subtract, subtractPieces } from './id-ranges.ts';

const range = fc.tuple(fc.nat(1), fc.nat(20), fc.integer({ min: 1, max: 6 }));
const ranges = fc.array(range, { maxLength: 5 });

describe('ranges of characters', () => {
  it('subtracting, joining and following agree with sets of characters', () => {
    fc.assert(
      fc.property(ranges, ranges, range, (a, b, from) => {
        expect(setOf(subtract(a, b))).toEqual(setOf(a).filter((id) => !setOf(b).includes(id)));
        expect(setOf(joinRanges(subtract(a, []))).length).toBeGreaterThanOrEqual(0);
        const apart = subtract(a, [from]);
        const moved = setOf(follow(apart, [{ from, to: [9, 0] }]));
        expect(moved).toEqual(setOf(apart));
      }),
    );
  });

  it('a burst of typing is one range', () => {
    expect(
      joinRanges([
        [1, 5, 1],
        [1, 3, 2],
        [2, 6, 1],
      ]),
    ).toEqual([
      [1, 3, 3],
      [2, 6, 1],
    ]);
  });

  it('characters that were reborn are followed, the others around them stay', () => {
    expect(follow([[1, 0, 5]], [{ from: [1, 2, 2], to: [7, 40] }])).toEqual([
      [1, 0, 2],
      [1, 4, 1],
      [7, 40, 2],
    ]);
  });

  it('a piece loses the text of the characters taken out of it', () => {
    expect(subtractPieces([{ client: 1, clock: 10, text: 'abcde' }], [[1, 11, 2]])).toEqual([
      { client: 1, clock: 10, text: 'a' },
      { client: 1, clock: 13, text: 'de' },
    ]);
    expect(overlap([1, 0, 3], [1, 3, 3])).toBeUndefined();
  });
});

function setOf(of: readonly IdRange[]): string[] {
  const ids = of.flatMap(([client, clock, length]) =>
    Array.from({ length }, (_, i) => `${client}:${clock + i}`),
  );
  return [...new Set(ids)].sort();
}

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { input, intervalJoin } from '../index.ts';
import { harness } from '../testing/index.ts';

const [orders, payments] = [input<{ o: number }>(), input<{ p: number }>()];

describe('intervalJoin', () => {
  it('N6: pairs what is no further apart than the bounds, both inclusive, at the later time', () => {
    harness(intervalJoin(orders, payments, { lower: '-2ms', upper: '5ms' }))
      .record('left', 'k', { o: 1 }, 10)
      .record('right', 'k', { p: 1 }, 7)
      .record('right', 'k', { p: 2 }, 8)
      .record('right', 'k', { p: 3 }, 15)
      .record('right', 'k', { p: 4 }, 16)
      .record('right', 'other', { p: 5 }, 10)
      .expect('out', [
        { key: 'k', value: { left: { o: 1 }, right: { p: 2 } }, timestamp: 10 },
        { key: 'k', value: { left: { o: 1 }, right: { p: 3 } }, timestamp: 15 },
      ]);
  });

  it('makes of a pair what its function says', () => {
    harness(intervalJoin(orders, payments, { lower: 0, upper: 0, join: ({ o }, { p }) => o + p }))
      .record('right', 'k', { p: 2 }, 1)
      .record('left', 'k', { o: 40 }, 1)
      .expect('out', [{ value: 42, timestamp: 1 }]);
  });

  it('IJ2: keeps a row as long as it can pair, and no longer', () => {
    const subject = harness(intervalJoin(orders, payments, { lower: '1ms', upper: '5ms' }))
      .record('left', 'k', { o: 1 }, 10)
      .watermark(15)
      .record('right', 'k', { p: 1 }, 15)
      .expect('out', [{ value: { left: { o: 1 }, right: { p: 1 } }, timestamp: 15 }]);
    subject.watermark(16);
    expect(subject.keys()).toEqual([]);
  });

  it('N6: a row below the watermark is late, not lost', () => {
    harness(intervalJoin(orders, payments, { lower: '-5ms', upper: '5ms' }))
      .record('left', 'k', { o: 1 }, 10)
      .watermark(9)
      .record('right', 'k', { p: 1 }, 8)
      .expect('late', [{ value: { p: 1 }, timestamp: 8 }])
      .expect('out', []);
  });

  it('refuses bounds that nothing lies between', () => {
    expect(() => intervalJoin(orders, payments, { lower: '2s', upper: '1s' })).toThrow(
      'above its upper bound',
    );
  });

  it('IJ1: makes of any records in any order exactly the pairs that are near enough', () => {
    const rows = fc.array(
      fc.record({
        side: fc.constantFrom('left' as const, 'right' as const),
        key: fc.constantFrom('a', 'b'),
        time: fc.integer({ min: -20, max: 20 }),
        advance: fc.boolean(),
      }),
      { maxLength: 30 },
    );
    const bound = fc.integer({ min: -8, max: 8 });
    fc.assert(
      fc.property(rows, bound, bound, (records, one, other) => {
        const [lower, upper] = [Math.min(one, other), Math.max(one, other)];
        const subject = harness(intervalJoin(input<number>(), input<number>(), { lower, upper }));
        let watermark = -Infinity;
        const taken: { side: 'left' | 'right'; key: string; time: number; n: number }[] = [];
        records.forEach(({ side, key, time, advance }, n) => {
          subject.record(side, key, n, time);
          if (time >= watermark) taken.push({ side, key, time, n });
          if (!advance || time - 5 <= watermark) return;
          watermark = time - 5;
          subject.watermark(watermark);
        });
        const wanted = taken
          .filter(({ side }) => side === 'left')
          .flatMap((left) =>
            taken
              .filter(({ side, key, time }) => {
                const apart = time - left.time;
                return side === 'right' && key === left.key && apart >= lower && apart <= upper;
              })
              .map((right) => `${left.n} ${right.n} ${Math.max(left.time, right.time)}`),
          );
        const found = subject.outputs('out').map(({ value, timestamp }) => {
          const { left, right } = value as { left: number; right: number };
          return `${left} ${right} ${timestamp}`;
        });
        expect(found.toSorted()).toEqual(wanted.toSorted());
        subject.watermark(1_000);
        expect(subject.keys()).toEqual([]);
      }),
    );
  });
});

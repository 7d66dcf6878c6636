import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arrivals, feed } from '../../test/arrivals.ts';
import { input, sortByTime } from '../index.ts';
import { harness } from '../testing/index.ts';

describe('sortByTime', () => {
  it('gives the records of a key in the order of their times, each when the watermark has passed it', () => {
    const subject = harness(sortByTime(input<string>()))
      .record('in', 'k', 'c', 30)
      .record('in', 'k', 'a', 10)
      .record('in', 'k', 'b', 20)
      .watermark(20)
      .expect('out', [{ value: 'a', timestamp: 10 }]);
    expect(subject.outputWatermark).toBe(20);
    subject.watermark(31).expect('out', [
      { value: 'b', timestamp: 20 },
      { value: 'c', timestamp: 30 },
    ]);
    expect(subject.keys()).toEqual([]);
  });

  it('W8: what comes below the watermark is late, not out of order', () => {
    harness(sortByTime(input<string>()))
      .watermark(10)
      .record('in', 'k', 'a', 9)
      .record('in', 'k', 'b', 10)
      .watermark(11)
      .expect('late', [{ value: 'a', timestamp: 9 }])
      .expect('out', [{ value: 'b', timestamp: 10 }]);
  });

  it('orders records of one time as they came, or by what its function gives', () => {
    const ranked = sortByTime(input<{ n: number; s: string }>(), { by: ({ n }) => n });
    harness(ranked)
      .record('in', 'k', { n: 10, s: 'c' }, 1)
      .record('in', 'k', { n: 9, s: 'a' }, 1)
      .record('in', 'k', { n: 9, s: 'b' }, 1)
      .end()
      .expect('out', [
        { value: { n: 9, s: 'a' } },
        { value: { n: 9, s: 'b' } },
        { value: { n: 10, s: 'c' } },
      ]);
    expect(() =>
      harness(sortByTime(input<string>(), { by: () => Number.NaN })).record('in', 'k', 'a', 1),
    ).toThrow('must give a string, a number');
  });

  it('is a stable sort of what came on time, whatever the order', () => {
    fc.assert(
      fc.property(arrivals(), (given) => {
        const subject = harness(sortByTime(input<number>()), { isolated: false });
        feed(subject, given, { port: 'in' });
        for (const key of ['a', 'b']) {
          const mine = given.filter((row) => row.key === key && !row.isLate);
          const found = subject.outputs('out').filter((each) => each.key === key);
          expect(found.map(({ value }) => value)).toEqual(
            mine.toSorted((one, other) => one.time - other.time).map(({ n }) => n),
          );
        }
        expect(subject.keys()).toEqual([]);
      }),
    );
  });
});

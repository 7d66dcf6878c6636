import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arrivals, feed } from '../../test/arrivals.ts';
import { input, reduceByKey, reduceByWindow, runningReduce } from '../index.ts';
import { harness } from '../testing/index.ts';

const number = input<number>();
const plus = (a: number, b: number): number => a + b;
const minus = (a: number, b: number): number => a - b;

describe('reduceByKey', () => {
  it('D8: gives one result a key and interval of event time', () => {
    harness(reduceByKey(number, { reduce: plus, every: '10ms' }))
      .record('in', 'k', 1, 1)
      .record('in', 'k', 2, 9)
      .record('in', 'k', 4, 10)
      .watermark(10)
      .expect('out', [{ key: 'k', value: 3, timestamp: 9, pane: { start: 0, end: 10 } }])
      .end()
      .expect('out', [{ value: 4, timestamp: 19 }]);
  });

  it('refuses a function that writes into what it is given', () => {
    const reduce = (one: readonly number[], other: readonly number[]): number[] => {
      (one as number[]).push(...other);
      return one as number[];
    };
    const subject = harness(reduceByKey(input<number[]>(), { reduce: reduce as never, every: '10ms' }));
    subject.record('in', 'k', [1], 1);
    expect(() => subject.record('in', 'k', [2], 1)).toThrow();
  });
});

describe('reduceByWindow', () => {
  it('D8: is the reduction of its records, with an inverse or without, whatever the order', () => {
    const windows = fc.record({
      slide: fc.integer({ min: 1, max: 4 }),
      slides: fc.integer({ min: 1, max: 20 }),
      lateness: fc.constantFrom(0, 3),
    });
    fc.assert(
      fc.property(arrivals({ slack: 8 }), windows, (given, { slide, slides, lateness }) => {
        const size = slide * slides;
        const outcomes = [undefined, minus].map((inverse) => {
          const node = reduceByWindow(number, {
            reduce: plus,
            inverse,
            size,
            slide,
            allowedLateness: lateness,
          });
          const subject = harness(node, { isolated: false });
          feed(subject, given, { port: 'in', value: ({ n }) => n + 1 });
          expect(subject.keys()).toEqual([]);
          const last = new Map<string, number>();
          for (const { key, value, pane } of subject.outputs('out')) last.set(`${key} ${pane?.end}`, value);
          return [...last].toSorted();
        });
        const wanted = new Map<string, number>();
        for (const { key, time, at, isLate, n } of given) {
          const first = Math.floor(time / slide) * slide + slide;
          for (let end = first; end <= first + size - slide; end += slide) {
            if (isLate && at >= end + lateness) continue;
            wanted.set(`${key} ${end}`, (wanted.get(`${key} ${end}`) ?? 0) + n + 1);
          }
        }
        for (const outcome of outcomes) expect(outcome).toEqual([...wanted].toSorted());
      }),
    );
  });

  it('D8: an inverse of what cannot be undone is an error, never a wrong result', () => {
    const most = (a: number, b: number): number => [a, b].sort((one, other) => other - one)[0]!;
    const inverses = [(whole: number): number => whole, minus, (_: number, part: number): number => part];
    for (const inverse of inverses) {
      const subject = harness(reduceByWindow(number, { reduce: most, inverse, size: '2ms', slide: '1ms' }))
        .record('in', 'k', 5, 0)
        .record('in', 'k', 2, 0)
        .record('in', 'k', 3, 1)
        .record('in', 'k', 9, 2);
      expect(() => subject.end()).toThrow('does not undo its function reduce');
    }
    const settings = { reduce: (a: number, b: number) => Math.max(a, b), inverse: minus };
    expect(() => reduceByWindow(number, { ...settings, size: '2ms', slide: '1ms' })).toThrow(
      'undoes nothing: of what Math.max left out nothing is known',
    );
  });

  it('takes sums of fractions for undone, although they round', () => {
    const node = reduceByWindow(number, { reduce: plus, inverse: minus, size: '20ms', slide: '1ms' });
    const subject = harness(node);
    for (let at = 0; at < 60; at += 1) subject.record('in', 'k', 0.1 * at, at);
    const found = subject.end().outputs('out');
    expect(found).toHaveLength(79);
    for (const { value, pane } of found) {
      let exact = 0;
      for (let at = Math.max(0, pane!.start); at < Math.min(60, pane!.end); at += 1) exact += 0.1 * at;
      expect(value).toBeCloseTo(exact, 6);
    }
  });

  it('refuses a slide that would leave records out', () => {
    expect(() => reduceByWindow(number, { reduce: plus, size: '1s', slide: '2s' })).toThrow('in none');
  });
});

describe('runningReduce', () => {
  it('D8: gives for each record the reduction so far of its key, and takes late ones like others', () => {
    harness(runningReduce(number, { reduce: plus }))
      .record('in', 'k', 1, 10)
      .record('in', 'k', 2, 20)
      .watermark(30)
      .record('in', 'k', 4, 15)
      .record('in', 'other', 8, 40)
      .expect('out', [
        { key: 'k', value: 1, timestamp: 10 },
        { key: 'k', value: 3, timestamp: 20 },
        { key: 'k', value: 7, timestamp: 15 },
        { key: 'other', value: 8, timestamp: 40 },
      ]);
  });
});

import fc from 'fast-check';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { arrivals, feed } from '../../test/arrivals.ts';
import { input, type OutputsOf, save } from '../index.ts';
import { harness } from '../testing/index.ts';

const number = input<number>();

describe('save', () => {
  it('D8: gives what came in an interval as one record, in the order of event times', () => {
    const node = save(number, { every: '10ms', allowedLateness: '5ms' });
    const subject = harness(node)
      .record('in', 'k', 1, 9)
      .record('in', 'k', 2, -1)
      .record('in', 'k', 3, 0)
      .record('in', 'k', 4, 9)
      .watermark(10)
      .expect('out', [
        { key: 'k', value: [2], timestamp: -1, pane: { start: -10, end: 0 } },
        { key: 'k', value: [3, 1, 4], timestamp: 9, pane: { start: 0, end: 10, index: 0, last: false } },
      ])
      .record('in', 'k', 5, 3)
      .expect('out', [{ value: [5], timestamp: 9, pane: { timing: 'late', index: 1 } }])
      .watermark(15)
      .record('in', 'k', 6, 3)
      .expect('late', [{ value: 6, timestamp: 3 }]);
    expect([subject.keys(), subject.counter('droppedLate')]).toEqual([[], 1]);
    expectTypeOf<OutputsOf<typeof node>['out']>().toEqualTypeOf<readonly number[]>();
  });

  it('says what is wrong with its options', () => {
    expect(() => save(number, { every: 0 })).toThrow(/every/);
    expect(() => save(number, { every: '1m', allowedLateness: '-1s' })).toThrow(/not be negative/);
    expect(() => save(number, { every: '1m', path: 'x' } as never)).toThrow(/path/);
  });

  it('SV1: has each record once, whatever the order, and keeps nothing', () => {
    const settings = fc.record({ every: fc.integer({ min: 1, max: 12 }), lateness: fc.nat(6) });
    fc.assert(
      fc.property(arrivals(), settings, (given, { every, lateness }) => {
        const subject = harness(save(number, { every, allowedLateness: lateness }), { isolated: false });
        feed(subject, given, { port: 'in' });
        const rows = subject.outputs('out').flatMap(({ key, value, pane }) => {
          const times = value.map((n) => given[n]!.time);
          expect(times).toEqual(times.toSorted((a, b) => a - b));
          return value.map((n) => `${key} ${n} ${pane?.start}`);
        });
        const wanted = given
          .map((row) => ({ ...row, start: Math.floor(row.time / every) * every }))
          .filter(({ isLate, at, start }) => !isLate || at < start + every + lateness)
          .map(({ key, n, start }) => `${key} ${n} ${start}`);
        expect(rows.toSorted()).toEqual(wanted.toSorted());
        expect(subject.keys()).toEqual([]);
      }),
    );
  });
});

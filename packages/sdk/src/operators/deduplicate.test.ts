import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Arrival, arrivals, feed } from '../../test/arrivals.ts';
import { deduplicate, input } from '../index.ts';
import { harness } from '../testing/index.ts';

interface Click {
  readonly id: string;
  readonly n: number;
}
const clicks = input<Click>();

describe('deduplicate', () => {
  it('passes on the first of what is the same, key by key', () => {
    harness(deduplicate(clicks, { by: (value) => value.id, within: '10ms' }))
      .record('in', 'ada', { id: 'a', n: 1 }, 5)
      .record('in', 'ada', { id: 'a', n: 2 }, 6)
      .record('in', 'ada', { id: 'b', n: 3 }, 6)
      .record('in', 'bob', { id: 'a', n: 4 }, 7)
      .expect('out', [
        { key: 'ada', value: { id: 'a', n: 1 }, timestamp: 5 },
        { key: 'ada', value: { id: 'b', n: 3 }, timestamp: 6 },
        { key: 'bob', value: { id: 'a', n: 4 }, timestamp: 7 },
      ]);
  });

  it('without a function, one record of a key', () => {
    harness(deduplicate(clicks, { within: '1h' }))
      .record('in', 'ada', { id: 'a', n: 1 }, 5)
      .record('in', 'ada', { id: 'b', n: 2 }, 6)
      .expect('out', [{ value: { id: 'a', n: 1 } }]);
  });

  it('goes by event time: what is further away is another one, wherever the watermark is', () => {
    const subject = harness(deduplicate(clicks, { by: (value) => value.id, within: '10ms' }))
      .record('in', 'ada', { id: 'a', n: 1 }, 5)
      .record('in', 'ada', { id: 'a', n: 2 }, 15)
      .record('in', 'ada', { id: 'a', n: 3 }, -4)
      .record('in', 'ada', { id: 'a', n: 4 }, 24)
      .record('in', 'ada', { id: 'a', n: 5 }, -5)
      .expect(
        'out',
        [1, 2, 5].map((n) => ({ value: { id: 'a', n } })),
      );
    expect(subject.watermark(24).map('ada', 'seen')).toEqual([['a', [15]]]);
    expect(subject.watermark(25).keys()).toEqual([]);
  });

  it('N4: what is late is late, not new: what it is like may be forgotten', () => {
    harness(deduplicate(clicks, { by: (value) => value.id, within: '10ms' }))
      .record('in', 'ada', { id: 'a', n: 1 }, 89)
      .watermark(95)
      .record('in', 'ada', { id: 'a', n: 2 }, 94)
      .record('in', 'ada', { id: 'b', n: 3 }, 94)
      .expect('out', [{ value: { id: 'a', n: 1 } }])
      .expect('late', [{ value: { id: 'b', n: 3 } }]);
  });

  it('gives what the definition says for any records in any order, and keeps nothing', () => {
    fc.assert(
      fc.property(arrivals({ most: 40 }), fc.integer({ min: 1, max: 15 }), (given, within) => {
        const subject = harness(deduplicate(input<number>(), { within }), { isolated: false });
        feed(subject, given, { port: 'in' });
        const passed: Arrival[] = [];
        const late: number[] = [];
        for (const row of given) {
          const same = passed.some(
            ({ key, time }) =>
              key === row.key && time + within > row.at && Math.abs(time - row.time) < within,
          );
          if (same) continue;
          if (row.isLate) late.push(row.n);
          else passed.push(row);
        }
        expect(subject.outputs('out').map(({ value }) => value)).toEqual(passed.map(({ n }) => n));
        expect(subject.outputs('late').map(({ value }) => value)).toEqual(late);
        expect(subject.keys()).toEqual([]);
      }),
    );
  });

  it('says what is wrong with its options', () => {
    expect(() => deduplicate(clicks, { within: '0s' })).toThrow('longer than nothing');
    expect(() => deduplicate(clicks, { within: '1s', every: 1 } as never)).toThrow('no option "every"');
    const odd = harness(deduplicate(clicks, { by: () => 0.5 as never, within: '1s' }));
    expect(() => odd.record('in', 'k', { id: 'a', n: 1 }, 1)).toThrow('must give a string');
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arrivals } from '../../test/arrivals.ts';
import { forEach, groupBy, input, track } from '../index.ts';
import { harness } from '../testing/index.ts';

type Event = 'enter' | 'click' | 'exit';
const sessions = track(input<Event>(), {
  init: (event) => (event === 'exit' ? null : { clicks: 0 }),
  update: ({ clicks }, event) => (event === 'exit' ? null : { clicks: clicks + (event === 'click' ? 1 : 0) }),
  timeout: '30s',
});

describe('track', () => {
  it('D8: makes a state of the first record, carries it on, and drops it where the update is null', () => {
    const subject = harness(sessions)
      .record('in', 'ada', 'enter', 0)
      .record('in', 'ada', 'click', 1_000)
      .record('in', 'ada', 'exit', 2_000)
      .record('in', 'bob', 'exit', 3_000)
      .expect('out', [
        { key: 'ada', value: { clicks: 0 }, timestamp: 0 },
        { key: 'ada', value: { clicks: 1 }, timestamp: 1_000 },
      ])
      .expect('ended', [{ key: 'ada', value: { clicks: 1 }, timestamp: 2_000 }]);
    expect(subject.keys()).toEqual([]);
  });

  it('D8: drops a key that was silent for the timeout, counted from its newest record', () => {
    const subject = harness(sessions)
      .record('in', 'ada', 'enter', 10_000)
      .record('in', 'ada', 'click', 5_000)
      .watermark(39_999)
      .expect('ended', [])
      .watermark(40_000)
      .expect('ended', [{ value: { clicks: 1 }, timestamp: 40_000 }]);
    expect(subject.keys()).toEqual([]);
  });

  it('D8: a record behind the silence begins anew, wherever the watermark is', () => {
    const outcomes = [undefined, 100_000].map((watermark) => {
      const subject = harness(sessions).record('in', 'ada', 'enter', 0).record('in', 'ada', 'click', 1_000);
      if (watermark !== undefined) subject.watermark(watermark);
      subject.record('in', 'ada', 'enter', 100_000).end();
      const rows = (['out', 'ended'] as const).map((port) =>
        subject.outputs(port).map(({ value, timestamp }) => [value.clicks, timestamp]),
      );
      expect(subject.keys()).toEqual([]);
      return rows;
    });
    expect(outcomes[0]).toEqual([
      [
        [0, 0],
        [1, 1_000],
        [0, 100_000],
      ],
      [
        [1, 31_000],
        [0, 130_000],
      ],
    ]);
    expect(outcomes[1]).toEqual(outcomes[0]);
  });

  it('D8: in the order of event times its states depend on the records alone, not on the steps of the watermark', () => {
    fc.assert(
      fc.property(arrivals({ slack: 1_000, times: [0, 60] }), fc.array(fc.nat(8)), (given, pace) => {
        const node = track(input<number>(), {
          init: (n) => ({ sum: n }),
          update: ({ sum }, n) => (n % 7 === 0 ? null : { sum: sum + n }),
          timeout: 5,
        });
        const sorted = given.toSorted((one, other) => one.time - other.time);
        const play = (paces: readonly number[]) => {
          const subject = harness(node, { isolated: false });
          for (const [i, { key, n, time }] of sorted.entries()) {
            if ((paces[i] ?? 0) > 4) subject.watermark(time);
            subject.record('in', key, n, time);
          }
          subject.end();
          expect(subject.keys()).toEqual([]);
          return (['out', 'ended'] as const).map((port) =>
            subject
              .outputs(port)
              .map(({ key, value, timestamp }) => `${key} ${timestamp} ${value.sum}`)
              .toSorted(),
          );
        };
        expect(play(pace)).toEqual(play([]));
      }),
    );
  });

  it('N4: a record that would be dropped at once is late; one of a tracked key is not', () => {
    harness(sessions)
      .record('in', 'ada', 'enter', 90_000)
      .watermark(90_000)
      .record('in', 'ada', 'click', 1_000)
      .record('in', 'bob', 'enter', 60_000)
      .record('in', 'eve', 'enter', 60_001)
      .expect('out', [
        { key: 'ada', value: { clicks: 0 } },
        { key: 'ada', value: { clicks: 1 } },
        { key: 'eve', value: { clicks: 0 } },
      ])
      .expect('late', [{ key: 'bob', value: 'enter', timestamp: 60_000 }]);
  });
});

describe('groupBy', () => {
  it('D8: gives each record the key of its group', () => {
    harness(groupBy(input<{ n: number }>(), ({ n }) => n % 2))
      .record('in', 'k', { n: 3 }, 7)
      .expect('out', [{ key: '1', value: { n: 3 }, timestamp: 7 }]);
    const odd = harness(groupBy(input<number>(), (n) => n));
    expect(() => odd.record('in', 'k', 0.5, 1)).toThrow('must give a string, a bigint');
  });
});

describe('forEach', () => {
  it('D8: looks at each record and passes it on', async () => {
    const node = forEach(input<number>(), (value, record, ctx) => ctx.count(record.key, value));
    const subject = harness(node).record('in', 'k', 3, 1).record('in', 'k', 4, 2);
    subject.expect('out', [{ value: 3 }, { value: 4 }]);
    expect(subject.counted('k')).toBe(7);
  });

  it('P10: waits for what takes time before it passes the record on', async () => {
    let done: () => void = () => undefined;
    const looking = new Promise<void>((resolve) => {
      done = resolve;
    });
    const subject = harness(forEach(input<number>(), () => looking)).record('in', 'k', 3, 1);
    expect(subject.outputs('out')).toEqual([]);
    done();
    await subject.settled();
    subject.expect('out', [{ value: 3 }]);
  });
});

/**
 * Faults that users of other systems reported, as kinds, against every operator that has state. Each id is a report
 * (R1–R129); those that have a test of their own elsewhere are not repeated here.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  aggregate,
  type Computation,
  calendar,
  count,
  custom,
  deduplicate,
  filter,
  hopping,
  input,
  intervalJoin,
  lookup,
  map,
  pattern,
  reduceByKey,
  reduceByWindow,
  runningReduce,
  save,
  sessions,
  sortByTime,
  sum,
  table,
  topK,
  track,
  tumbling,
  windowJoin,
} from '../src/index.ts';
import { type Harness, harness } from '../src/testing/index.ts';

interface Row {
  readonly n: number;
}
const row = input<Row>();
const plus = (a: Row, b: Row): Row => ({ n: a.n + b.n });

/** `goneAt`: the watermark at which nothing of a record at `at` is kept any more. */
interface Kept {
  readonly of: string;
  readonly port: string;
  readonly make: () => Computation<object, object>;
  readonly goneAt: (at: number) => number;
}

const LATENESS = 7;
const windowEnd = (at: number, size: number): number => Math.floor(at / size) * size + size;
const kept: readonly Kept[] = [
  {
    of: 'tumbling windows',
    port: 'in',
    make: () =>
      aggregate(row, { window: tumbling(10), aggregates: { n: count() }, allowedLateness: LATENESS }),
    goneAt: (at) => windowEnd(at, 10) + LATENESS,
  },
  {
    of: 'hopping windows',
    port: 'in',
    make: () =>
      aggregate(row, { window: hopping(20, 10), aggregates: { n: count() }, allowedLateness: LATENESS }),
    goneAt: (at) => windowEnd(at, 10) + 10 + LATENESS,
  },
  {
    of: 'hopping windows whose slide does not divide their size',
    port: 'in',
    make: () =>
      aggregate(row, { window: hopping(25, 10), aggregates: { n: count() }, allowedLateness: LATENESS }),
    goneAt: (at) => Math.floor(at / 10) * 10 + 25 + LATENESS,
  },
  {
    of: 'days of a zone',
    port: 'in',
    make: () =>
      aggregate(row, {
        window: calendar('day', { zone: 'Asia/Kathmandu' }),
        aggregates: { n: count() },
        allowedLateness: LATENESS,
      }),
    // Clocks in Kathmandu showed 5:30 more than those of UTC then.
    goneAt: (at) => windowEnd(at + 19_800_000, 86_400_000) - 19_800_000 + LATENESS,
  },
  {
    of: 'windows with triggers that retract',
    port: 'in',
    make: () =>
      aggregate(row, {
        window: tumbling(10),
        aggregates: { n: count() },
        trigger: { early: { type: 'records', every: 1 } },
        accumulation: 'accumulating-and-retracting',
        allowedLateness: LATENESS,
      }),
    goneAt: (at) => windowEnd(at, 10) + LATENESS,
  },
  {
    of: 'sessions with triggers',
    port: 'in',
    make: () =>
      aggregate(row, {
        window: sessions(10),
        aggregates: { n: count() },
        trigger: { early: { type: 'records', every: 2 } },
        allowedLateness: LATENESS,
      }),
    goneAt: (at) => at + 10 + LATENESS,
  },
  {
    of: 'reduceByWindow with an inverse',
    port: 'in',
    make: () =>
      reduceByWindow(row, {
        reduce: plus,
        inverse: (a, b) => ({ n: a.n - b.n }),
        size: 20,
        slide: 5,
        allowedLateness: LATENESS,
      }),
    goneAt: (at) => windowEnd(at, 5) + 15 + LATENESS,
  },
  {
    of: 'save',
    port: 'in',
    make: () => save(row, { every: 10, allowedLateness: LATENESS }),
    goneAt: (at) => windowEnd(at, 10) + LATENESS,
  },
  {
    of: 'windowJoin over hopping windows',
    port: 'right',
    make: () =>
      windowJoin(row, row, { window: hopping(20, 10), kind: 'inner', allowedLateness: LATENESS }) as never,
    goneAt: (at) => windowEnd(at, 10) + 10 + LATENESS,
  },
  {
    of: 'windowJoin over sessions',
    port: 'left',
    make: () =>
      windowJoin(row, row, { window: sessions(10), kind: 'left', allowedLateness: LATENESS }) as never,
    goneAt: (at) => at + 10 + LATENESS,
  },
  {
    of: 'a record of lookup that has no row',
    port: 'left',
    make: () => lookup(row, row, { kind: 'left' }) as never,
    goneAt: (at) => at + 1,
  },
  {
    of: 'sessions',
    port: 'in',
    make: () =>
      aggregate(row, { window: sessions(10), aggregates: { n: count() }, allowedLateness: LATENESS }),
    goneAt: (at) => at + 10 + LATENESS,
  },
  {
    of: 'reduceByKey',
    port: 'in',
    make: () => reduceByKey(row, { reduce: plus, every: 10, allowedLateness: LATENESS }),
    goneAt: (at) => windowEnd(at, 10) + LATENESS,
  },
  {
    of: 'windowJoin',
    port: 'left',
    make: () =>
      windowJoin(row, row, { window: tumbling(10), kind: 'full', allowedLateness: LATENESS }) as never,
    goneAt: (at) => windowEnd(at, 10) + LATENESS,
  },
  {
    of: 'the left of intervalJoin',
    port: 'left',
    make: () => intervalJoin(row, row, { lower: -3, upper: 9 }),
    goneAt: (at) => at + 10,
  },
  {
    of: 'the right of intervalJoin',
    port: 'right',
    make: () => intervalJoin(row, row, { lower: -3, upper: 9 }),
    goneAt: (at) => at + 4,
  },
  {
    of: 'deduplicate',
    port: 'in',
    make: () => deduplicate(row, { by: ({ n }) => n, within: 10 }),
    goneAt: (at) => at + 10,
  },
  {
    of: 'sortByTime',
    port: 'in',
    make: () => sortByTime(row),
    goneAt: (at) => at + 1,
  },
  {
    of: 'track',
    port: 'in',
    make: () => track(row, { init: (value) => value, update: (state) => state, timeout: 10 }),
    goneAt: (at) => at + 10,
  },
  {
    of: 'a deletion of table',
    port: 'in',
    make: () => table(row, { deletes: () => true }),
    goneAt: (at) => at + 1,
  },
  {
    of: 'pattern',
    port: 'in',
    make: () =>
      pattern(row, {
        within: 10,
        steps: [
          { name: 'a', where: () => true },
          { name: 'b', where: () => false },
        ],
      } as never) as never,
    // One later: records right in front of its end are taken at the end itself.
    goneAt: (at) => at + 11,
  },
];

describe('what is kept of a record', () => {
  it.each(kept)(
    'R29: of $of is gone at the moment it is not needed any more, and not before',
    ({ port, make, goneAt }) => {
      fc.assert(
        fc.property(fc.integer({ min: -60, max: 60 }), (at) => {
          const subject = harness(make(), { isolated: false }) as unknown as Harness<
            Record<string, Row>,
            object
          >;
          subject.record(port, 'k', { n: 1 }, at);
          subject.watermark(goneAt(at) - 1);
          expect(subject.keys()).toEqual(['k']);
          subject.watermark(goneAt(at));
          expect([subject.keys(), subject.timers('k')]).toEqual([[], []]);
        }),
        { numRuns: 60 },
      );
    },
  );
});

const ODD = 13;
const failing = <T extends { readonly n: number }>(value: T): T => {
  if (value.n === ODD) throw new RangeError('thirteen');
  return value;
};
const careful = (a: Row, b: Row): Row => plus(failing(a), failing(b));

/** Each with a function that throws for the odd value. */
const throwing: readonly { readonly of: string; readonly make: () => Computation<object, object> }[] = [
  { of: 'map', make: () => map(row, (value) => failing(value as Row)) },
  { of: 'filter', make: () => filter(row, (value) => failing(value as Row).n >= 0) },
  {
    of: 'a custom aggregate that is added and taken off',
    make: () =>
      aggregate(row, {
        window: hopping(20, 5),
        aggregates: {
          n: custom<Row, number, number>({
            create: () => 0,
            add: (a, value) => a + failing(value as Row).n,
            merge: (a, b) => a + b,
            subtract: (a, b) => a - b,
            result: (a) => a,
          }),
        },
        allowedLateness: 40,
      }),
  },
  {
    of: 'a sum in sessions',
    make: () =>
      aggregate(row, { window: sessions(4), aggregates: { n: sum((value: Row) => failing(value).n) } }),
  },
  {
    of: 'track',
    make: () =>
      track<Row, Row>(row, {
        init: failing,
        update: (state, value) => plus(state, failing(value)),
        timeout: 9,
      }),
  },
  { of: 'table', make: () => table(row, { deletes: (value) => failing(value as Row).n < 0 }) },
  {
    of: 'deduplicate',
    make: () => deduplicate(row, { by: (value) => failing(value as Row).n, within: 10 }),
  },
  { of: 'sortByTime', make: () => sortByTime(row, { by: (value) => failing(value as Row).n }) },
];

describe('a function that fails for one record', () => {
  const events = fc.array(
    fc.record({
      n: fc.oneof(fc.integer({ min: -3, max: 9 }), fc.constant(ODD)),
      at: fc.integer({ min: 0, max: 40 }),
    }),
    { maxLength: 25 },
  );

  it.each(throwing)(
    'R47: with $of leaves all as if that record had not come: nothing to take back later',
    ({ make }) => {
      fc.assert(
        fc.property(events, (given) => {
          const play = (some: typeof given) => {
            const subject = harness(make(), { isolated: false, onError: 'collect' }) as unknown as Harness<
              Record<'in', Row>,
              Record<'out', unknown>
            >;
            for (const { n, at } of some) subject.record('in', 'k', { n }, at);
            subject.watermark(20);
            return subject;
          };
          const sound = given.filter(({ n }) => n !== ODD);
          const [withIt, without] = [play(given), play(sound)];
          const said = (subject: typeof withIt) =>
            subject.outputs('out').map(({ key, value, timestamp }) => ({ key, value, timestamp }));
          // A late one may be told as such before its function is asked.
          expect(withIt.errors().length).toBeLessThanOrEqual(given.length - sound.length);
          expect(said(withIt.end())).toEqual(said(without.end()));
          expect(withIt.keys()).toEqual(without.keys());
        }),
        { numRuns: 80 },
      );
    },
  );

  it.each([
    ['reduceByKey', () => reduceByKey(row, { reduce: careful, every: 10 })],
    ['reduceByWindow', () => reduceByWindow(row, { reduce: careful, size: 20, slide: 5 })],
    ['runningReduce', () => runningReduce(row, { reduce: careful })],
  ] as const)('R47: %s sets aside what its function refuses, and goes on with the rest', (_, make) => {
    const subject = harness(make() as Computation<object, object>, {
      onError: 'collect',
    }) as unknown as Harness<Record<'in', Row>, Record<'out', Row>>;
    subject
      .record('in', 'k', { n: 1 }, 1)
      .record('in', 'k', { n: ODD }, 2)
      .record('in', 'k', { n: 4 }, 3)
      .end();
    expect(subject.errors()).toHaveLength(1);
    expect(subject.outputs('out').at(-1)?.value).toEqual({ n: 5 });
    expect(subject.outputs('out').some(({ value }) => value.n >= ODD)).toBe(false);
  });
});

describe('times', () => {
  const nodes = {
    tumbling: () => aggregate(row, { window: tumbling(10), aggregates: { n: count() } }),
    sessions: () => aggregate(row, { window: sessions(10), aggregates: { n: count() } }),
  };

  it.each(Object.entries(nodes))(
    'R11, R19: %s count old records as such, and tell the late ones, whatever the wall clock says',
    (_, make) => {
      for (const wall of [0, Date.UTC(2015, 0, 1), Date.UTC(2099, 0, 1)]) {
        const subject = harness(make()).wall(wall);
        subject.record('in', 'k', { n: 1 }, Date.UTC(2031, 0, 1));
        subject.record('in', 'k', { n: 1 }, Date.UTC(2015, 0, 1));
        subject.watermark(Date.UTC(2020, 0, 1));
        subject.record('in', 'k', { n: 1 }, Date.UTC(2015, 0, 1));
        subject.end();
        const years = subject.outputs('out').map(({ timestamp }) => new Date(timestamp).getUTCFullYear());
        expect([years, subject.outputs('late').length]).toEqual([[2015, 2031], 1]);
      }
    },
  );
});

describe('windows and joins at their edges', () => {
  const counting = (window: Parameters<typeof aggregate<Row, never>>[1]['window'], more: object = {}) =>
    harness(aggregate(row, { window, aggregates: { n: count() }, ...more }), {
      isolated: false,
    }) as unknown as Harness<Record<'in', Row>, { out: { n: number }; late: Row }>;
  const spans = (subject: ReturnType<typeof counting>) =>
    subject.outputs('out').map(({ value, pane }) => [pane?.start, pane?.end, value.n]);

  it('R17, R23: times below zero, sizes and offsets of any sign have floor windows, never "-0"', () => {
    for (const offset of [-13, -3, 0, 3, 7, 1_003]) {
      const subject = counting(tumbling(10, { offset }));
      for (const at of [-11, -10, -1, 0, 9]) subject.record('in', 'k', { n: 1 }, at);
      const wanted = new Map<number, number>();
      for (const at of [-11, -10, -1, 0, 9]) {
        const start = Math.floor((at - offset) / 10) * 10 + offset + 0;
        wanted.set(start, (wanted.get(start) ?? 0) + 1);
      }
      const found = spans(subject.end());
      expect(found).toEqual(
        [...wanted].sort(([a], [b]) => a - b).map(([start, n]) => [start, start + 10, n]),
      );
      expect(found.flat().some((each) => Object.is(each, -0))).toBe(false);
    }
  });

  it('R33, R35: a session is the same wherever the watermark stood in it, and is over exactly at its gap', () => {
    for (const watermarks of [[], [2], [3], [2, 3]]) {
      const subject = counting(sessions(2));
      subject.record('in', 'k', { n: 1 }, 1);
      if (watermarks.includes(2)) subject.watermark(2);
      subject.record('in', 'k', { n: 1 }, 2);
      if (watermarks.includes(3)) subject.watermark(3);
      subject.record('in', 'k', { n: 1 }, 4);
      expect(spans(subject.end())).toEqual([
        [1, 4, 2],
        [4, 6, 1],
      ]);
    }
    for (const [at, merges] of [
      [13, true],
      [14, false],
    ] as const) {
      const subject = counting(sessions(4), { allowedLateness: 4 });
      subject.record('in', 'k', { n: 1 }, 10).watermark(14);
      subject.record('in', 'k', { n: 1 }, at).end();
      expect(spans(subject).at(-1)).toEqual(merges ? [10, 17, 2] : [14, 18, 1]);
    }
  });

  it('R37, R39: rows without a partner come once, only when nothing can pair with them any more', () => {
    for (const allowedLateness of [0, 5]) {
      const subject = harness(
        windowJoin(row, row, { window: tumbling(10), kind: 'full', allowedLateness }),
      ) as unknown as Harness<Record<'left' | 'right', Row>, { out: unknown; late: Row }>;
      subject.record('left', 'k', { n: 1 }, 3).record('right', 'other', { n: 2 }, 4);
      subject.watermark(10 + allowedLateness - 1);
      expect(subject.outputs('out')).toEqual([]);
      subject.watermark(10 + allowedLateness);
      expect(subject.outputs('out').map(({ value }) => value)).toEqual([
        { left: { n: 1 }, right: null },
        { left: null, right: { n: 2 } },
      ]);
      subject.record('right', 'k', { n: 3 }, 3).end();
      expect([subject.outputs('out').length, subject.outputs('late').length]).toEqual([2, 1]);
    }
    // Bounds that are not the same to both sides.
    const near = harness(intervalJoin(row, row, { lower: 0, upper: 5 })) as unknown as Harness<
      Record<'left' | 'right', Row>,
      { out: unknown }
    >;
    for (const at of [9, 10, 15, 16]) near.record('right', 'k', { n: at }, at);
    near.record('left', 'k', { n: 0 }, 10);
    expect(near.outputs('out').map(({ value, timestamp }) => [value, timestamp])).toEqual([
      [{ left: { n: 0 }, right: { n: 10 } }, 10],
      [{ left: { n: 0 }, right: { n: 15 } }, 15],
    ]);
  });

  it('R41: what a window has shown at its end is shown neither twice nor early, wherever it is started again', () => {
    for (const restartAt of [0, 1, 2, 3]) {
      const subject = counting(tumbling(10), { allowedLateness: 10 });
      const steps = [
        () => subject.record('in', 'k', { n: 1 }, 1),
        () => subject.watermark(9),
        () => subject.watermark(10),
        () => subject.watermark(19),
      ];
      for (const [i, step] of steps.entries()) {
        step();
        if (i === restartAt) subject.restart();
        expect(subject.outputs('out')).toHaveLength(i < 2 ? 0 : 1);
      }
      expect(subject.end().outputs('out')).toHaveLength(1);
    }
  });

  it('R43: what comes out of one firing comes in the order of time, whatever order it came in', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([0, 5, 20, 31, 47, 60], { minLength: 6 }), (times) => {
        const subject = counting(sessions(10));
        for (const at of times) subject.record('in', 'k', { n: 1 }, at);
        expect(spans(subject.watermark(100)).map(([start]) => start)).toEqual([0, 20, 31, 47, 60]);
      }),
    );
  });

  it('R45: the first 5,000 of 20,000 with ties are those of a batch', () => {
    const taken = Array.from({ length: 20_000 }, (_, i) => ({ n: (i * 7_919) % 1_000 }));
    const subject = harness(
      aggregate(row, {
        window: tumbling(100_000),
        aggregates: { first: topK((value: Row) => value.n, { k: 5_000, by: (value) => value.n }) },
      }),
      { isolated: false },
    ) as unknown as Harness<Record<'in', Row>, { out: { first: number[] } }>;
    for (const [i, value] of taken.entries()) subject.record('in', 'k', value, i);
    const [found] = subject.end().outputs('out');
    const batch = taken.map(({ n }) => n).sort((a, b) => b - a);
    expect(found?.value.first).toEqual(batch.slice(0, 5_000));
  });

  it('R67: late rows of a join and of an aggregate are told and counted, each once', () => {
    const subject = counting(tumbling(10));
    subject.watermark(20);
    for (const at of [3, 9, 10, 25]) subject.record('in', '', { n: at }, at);
    subject.end();
    expect(subject.outputs('late').map(({ value }) => value.n)).toEqual([3, 9, 10]);
    expect([subject.counter('droppedLate'), subject.counter('late')]).toEqual([3, 3]);
    expect(spans(subject)).toEqual([[20, 30, 1]]);
  });
});

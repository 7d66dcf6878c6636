/**
 * Faults that users of other systems reported, as kinds, against every operator that has state. Each id is a report
 * (R1–R129); those that have a test of their own elsewhere are not repeated here.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  aggregate,
  type Computation,
  count,
  custom,
  deduplicate,
  filter,
  hopping,
  input,
  intervalJoin,
  map,
  pattern,
  reduceByKey,
  reduceByWindow,
  runningReduce,
  sessions,
  sortByTime,
  sum,
  table,
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

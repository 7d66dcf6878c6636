import fc from 'fast-check';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { type Arrival, arrivals, feed } from '../../test/arrivals.ts';
import {
  calendar,
  globalWindow,
  hopping,
  input,
  type JoinKind,
  type OutputsOf,
  sessions,
  tumbling,
  windowJoin,
} from '../index.ts';
import { harness } from '../testing/index.ts';

const [clicks, views] = [input<{ c: number }>(), input<{ v: number }>()];
const window = tumbling('10ms');

describe('windowJoin', () => {
  it('N6: pairs what lies in the same window of a key, once the watermark has passed it', () => {
    harness(windowJoin(clicks, views, { window }))
      .record('left', 'k', { c: 1 }, 0)
      .record('right', 'k', { v: 1 }, 9)
      .record('right', 'k', { v: 2 }, 3)
      .record('right', 'k', { v: 3 }, 10)
      .record('right', 'other', { v: 4 }, 5)
      .expect('out', [])
      .watermark(10)
      .expect('out', [
        {
          key: 'k',
          value: { left: { c: 1 }, right: { v: 2 } },
          timestamp: 9,
          pane: { start: 0, end: 10, index: 0, timing: 'on-time', last: true },
        },
        { key: 'k', value: { left: { c: 1 }, right: { v: 1 } }, timestamp: 9 },
      ]);
  });

  it('N6: gives rows without a partner once, after the window has closed', () => {
    const subject = harness(windowJoin(clicks, views, { window, kind: 'full', allowedLateness: '5ms' }))
      .record('left', 'k', { c: 1 }, 1)
      .watermark(10)
      .expect('out', []);
    expect(subject.outputWatermark).toBe(9);
    subject
      .watermark(14)
      .expect('out', [])
      .watermark(15)
      .expect('out', [{ value: { left: { c: 1 }, right: null }, timestamp: 9, pane: { last: true } }]);
    expect(subject.keys()).toEqual([]);
    expect(subject.outputWatermark).toBe(15);
  });

  it('N4: a late row gives its pairs while the window takes it, then goes to the late output', () => {
    const subject = harness(windowJoin(clicks, views, { window, kind: 'left', allowedLateness: '5ms' }))
      .record('left', 'k', { c: 1 }, 1)
      .watermark(12)
      .record('right', 'k', { v: 1 }, 2)
      .expect('out', [
        { value: { left: { c: 1 }, right: { v: 1 } }, timestamp: 9, pane: { timing: 'late', index: 1 } },
      ])
      .watermark(15)
      .record('right', 'k', { v: 2 }, 2)
      .expect('out', [])
      .expect('late', [{ value: { v: 2 }, timestamp: 2 }]);
    expect(subject.counter('droppedLate')).toBe(1);
    expect(subject.keys()).toEqual([]);
  });

  it('types a row that may be missing as null', () => {
    const inner = windowJoin(clicks, views, { window });
    expectTypeOf<OutputsOf<typeof inner>['out']>().toEqualTypeOf<{
      readonly left: { c: number };
      readonly right: { v: number };
    }>();
    const left = windowJoin(clicks, views, {
      window,
      kind: 'left',
      join: ({ c }, view) => c + (view?.v ?? 0),
    });
    expectTypeOf<OutputsOf<typeof left>['out']>().toEqualTypeOf<number>();
    // @ts-expect-error: there may be no view
    windowJoin(clicks, views, { window, kind: 'full', join: (_click, { v }) => v });
    expectTypeOf<OutputsOf<typeof left>['late']>().toEqualTypeOf<{ c: number } | { v: number }>();
  });

  it('says what is wrong with its options', () => {
    expect(() => windowJoin(clicks, views, { window: '1s' as never })).toThrow('windowJoin needs a window');
    expect(() => windowJoin(clicks, views, { window: hopping('1d', '1ms') })).toThrow('86400000 windows');
    expect(() => windowJoin(clicks, views, { window, kind: 'outer' as never })).toThrow('it is "inner"');
    expect(() => windowJoin(clicks, views, { window, allowedLateness: '-1s' })).toThrow('not be negative');
  });

  it('N1: joins what lies in one day of a zone, and in all time', () => {
    const day = calendar('day', { zone: 'Europe/Berlin' });
    const [before, after] = [Date.UTC(2026, 2, 28, 22, 59), Date.UTC(2026, 2, 28, 23)];
    const ofDays = harness(windowJoin(clicks, views, { window: day, kind: 'left' }));
    ofDays
      .record('left', 'k', { c: 1 }, before)
      .record('left', 'k', { c: 2 }, after)
      .record('right', 'k', { v: 1 }, after + 22 * 3_600_000)
      .end()
      .expect('out', [
        { value: { left: { c: 1 }, right: null }, pane: { end: after } },
        { value: { left: { c: 2 }, right: { v: 1 } }, pane: { start: after, end: after + 23 * 3_600_000 } },
      ]);
    const ofAll = harness(windowJoin(clicks, views, { window: globalWindow(), kind: 'full' }));
    ofAll
      .record('left', 'k', { c: 1 }, -5)
      .record('right', 'k', { v: 1 }, 8e12)
      .record('right', 'other', { v: 2 }, 1)
      .watermark(8e13)
      .expect('out', [])
      .end()
      .expect('out', [
        { key: 'k', value: { left: { c: 1 }, right: { v: 1 } } },
        { key: 'other', value: { left: null, right: { v: 2 } } },
      ]);
    expect([ofDays.keys(), ofAll.keys()]).toEqual([[], []]);
  });

  it('N2: records of both sides make a session, and one that comes late may join two', () => {
    const window = sessions('10ms');
    const subject = harness(windowJoin(clicks, views, { window, allowedLateness: '40ms' }))
      .record('left', 'k', { c: 1 }, 0)
      .record('right', 'k', { v: 1 }, 9)
      .record('left', 'k', { c: 2 }, 25)
      .watermark(35)
      .expect('out', [
        { value: { left: { c: 1 }, right: { v: 1 } }, timestamp: 18, pane: { start: 0, end: 19, index: 0 } },
      ])
      .record('right', 'k', { v: 2 }, 17)
      .expect('out', [
        {
          value: { left: { c: 1 }, right: { v: 2 } },
          timestamp: 34,
          pane: { start: 0, end: 35, timing: 'late' },
        },
        { value: { left: { c: 2 }, right: { v: 1 } } },
        { value: { left: { c: 2 }, right: { v: 2 } } },
      ]);
    expect(subject.watermark(75).keys()).toEqual([]);
  });

  it('SJ1, SJ2, SJ3: makes of sessions of any records in any order what the definition says, and keeps nothing', () => {
    const settings = fc.record({
      gap: fc.integer({ min: 1, max: 8 }),
      lateness: fc.integer({ min: 0, max: 10 }),
      kind: fc.constantFrom<JoinKind>('inner', 'left', 'right', 'full'),
    });
    fc.assert(
      fc.property(arrivals(), settings, (given, { gap, lateness, kind }) => {
        const subject = harness(
          windowJoin(input<number>(), input<number>(), {
            window: sessions(gap),
            kind,
            allowedLateness: lateness,
          }),
          { isolated: false },
        );
        feed(subject, given);
        const found = subject.outputs('out').map(({ value: { left, right } }) => `${left} ${right}`);
        const wanted = sessionsOf(given, gap, lateness).flatMap((rows) => joined(rows, kind));
        expect(found.toSorted()).toEqual(wanted.toSorted());
        expect(subject.keys()).toEqual([]);
      }),
      { numRuns: 400 },
    );
  });

  const windows = fc.record({
    size: fc.integer({ min: 1, max: 12 }),
    slide: fc.integer({ min: 1, max: 15 }),
    lateness: fc.integer({ min: 0, max: 6 }),
    kind: fc.constantFrom<JoinKind>('inner', 'left', 'right', 'full'),
  });

  it('WJ1, WJ2, WJ3: makes of any records in any order what the definition says, and keeps nothing', () => {
    fc.assert(
      fc.property(arrivals(), windows, (given, { size, slide, lateness, kind }) => {
        const subject = harness(
          windowJoin(input<number>(), input<number>(), {
            window: hopping(size, slide),
            kind,
            allowedLateness: lateness,
          }),
          { isolated: false },
        );
        feed(subject, given);
        const found = subject.outputs('out').map(({ value: { left, right }, pane }) => {
          return `${pane?.end}: ${left} ${right}`;
        });
        const wanted = windowsOf(given, size, slide, lateness).flatMap(([end, rows]) =>
          joined(rows, kind).map((pair) => `${end}: ${pair}`),
        );
        expect(found.toSorted()).toEqual(wanted.toSorted());
        expect(subject.keys()).toEqual([]);
      }),
    );
  });
});

/** Of each window of each key the rows that it took: those that came before `end + lateness` was passed. */
function windowsOf(
  given: readonly Arrival[],
  size: number,
  slide: number,
  lateness: number,
): (readonly [end: number, rows: readonly Arrival[]])[] {
  const windows: (readonly [number, readonly Arrival[]])[] = [];
  for (const key of ['a', 'b']) {
    for (let start = -slide * 50; start <= slide * 50; start += slide) {
      const end = start + size;
      const rows = given.filter(
        (row) =>
          row.key === key && row.time >= start && row.time < end && (!row.isLate || row.at < end + lateness),
      );
      if (rows.length > 0) windows.push([end, rows]);
    }
  }
  return windows;
}

/** The rows of each session, as it is when it closes. */
function sessionsOf(
  given: readonly Arrival[],
  gap: number,
  lateness: number,
): readonly (readonly Arrival[])[] {
  const closed: Arrival[][] = [];
  for (const key of ['a', 'b']) {
    let open: Arrival[][] = [];
    const endOf = (rows: readonly Arrival[]) => Math.max(...rows.map(({ time }) => time)) + gap;
    const startOf = (rows: readonly Arrival[]) => Math.min(...rows.map(({ time }) => time));
    for (const row of given) {
      if (row.key === key) {
        const near = open.filter((rows) => startOf(rows) < row.time + gap && endOf(rows) > row.time);
        const all = [...near.flat(), row];
        if (!row.isLate || endOf(all) + lateness > row.at)
          open = [...open.filter((rows) => !near.includes(rows)), all];
      }
      const at = row.watermark ?? row.at;
      closed.push(...open.filter((rows) => endOf(rows) + lateness <= at));
      open = open.filter((rows) => endOf(rows) + lateness > at);
    }
    closed.push(...open);
  }
  return closed;
}

function joined(rows: readonly Arrival[], kind: JoinKind): string[] {
  const [left, right] = (['left', 'right'] as const).map((side) => rows.filter((row) => row.side === side));
  const pairs = (left ?? []).flatMap((one) => (right ?? []).map((other) => `${one.n} ${other.n}`));
  if (right?.length === 0 && (kind === 'left' || kind === 'full'))
    pairs.push(...(left ?? []).map(({ n }) => `${n} null`));
  if (left?.length === 0 && (kind === 'right' || kind === 'full'))
    pairs.push(...(right ?? []).map(({ n }) => `null ${n}`));
  return pairs;
}

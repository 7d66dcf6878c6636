import fc from 'fast-check';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { type Arrival, arrivals, feed } from '../../test/arrivals.ts';
import { hopping, input, type JoinKind, type OutputsOf, sessions, tumbling, windowJoin } from '../index.ts';
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
    expect(() => windowJoin(clicks, views, { window: sessions('1s') as never })).toThrow('fixed length');
    expect(() => windowJoin(clicks, views, { window, kind: 'outer' as never })).toThrow('it is "inner"');
    expect(() => windowJoin(clicks, views, { window, allowedLateness: '-1s' })).toThrow('not be negative');
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

function joined(rows: readonly Arrival[], kind: JoinKind): string[] {
  const [left, right] = (['left', 'right'] as const).map((side) => rows.filter((row) => row.side === side));
  const pairs = (left ?? []).flatMap((one) => (right ?? []).map((other) => `${one.n} ${other.n}`));
  if (right?.length === 0 && (kind === 'left' || kind === 'full'))
    pairs.push(...(left ?? []).map(({ n }) => `${n} null`));
  if (left?.length === 0 && (kind === 'right' || kind === 'full'))
    pairs.push(...(right ?? []).map(({ n }) => `null ${n}`));
  return pairs;
}

import fc from 'fast-check';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { input, lookup, type OutputsOf, type Pane } from '../index.ts';
import { type Harness, harness } from '../testing/index.ts';

interface Flight {
  readonly n: number;
}
interface Airline {
  readonly name: string;
}
const [flights, airlines] = [input<Flight>(), input<Airline>()];
const inner = lookup(flights, airlines);
const left = lookup(flights, airlines, {
  kind: 'left',
  join: ({ n }, row) => ({ n, name: row === null ? '?' : row.name }),
});

const EVER = Number.MIN_SAFE_INTEGER;
const pane = (start: number, end: number): Pane => ({ start, end, index: 0, timing: 'on-time', last: true });
const row = (key: string, name: string, start: number, end: number) => ({
  ...{
    stream: 'right' as const,
    key,
    value: { name },
    timestamp: Math.max(0, start),
    pane: pane(start, end),
  },
});
/** As rows of a table that is read once. */
const forEver = (key: string, name: string) => row(key, name, EVER, Number.MAX_SAFE_INTEGER);

describe('lookup', () => {
  it('N6: gives each record with its row at once, at its own time', () => {
    harness(inner)
      .record(forEver('AA', 'American'))
      .record('left', 'AA', { n: 1 }, -70)
      .record('left', 'AA', { n: 2 }, 10)
      .expect('out', [
        { key: 'AA', value: { left: { n: 1 }, right: { name: 'American' } }, timestamp: -70 },
        { key: 'AA', value: { left: { n: 2 }, right: { name: 'American' } }, timestamp: 10 },
      ]);
  });

  it('a record waits for its row, and holds the watermark meanwhile', () => {
    const subject = harness(inner).record('left', 'AA', { n: 1 }, 10).record('left', 'BB', { n: 2 }, 10);
    expect(subject.watermark(10).expect('out', []).outputWatermark).toBe(10);
    subject
      .record(forEver('AA', 'American'))
      .wall(1)
      .expect('out', [{ value: { left: { n: 1 }, right: { name: 'American' } }, timestamp: 10 }])
      .watermark(20)
      .expect('out', []);
    expect([subject.outputWatermark, subject.keys()]).toEqual([20, ['AA']]);
  });

  it('N6: of a left one, a record without a row comes out with null, once the table of its time is whole', () => {
    const subject = harness(left)
      .record(row('AA', 'American', EVER, 100))
      .record('left', 'AA', { n: 1 }, 100)
      .record('left', 'BB', { n: 2 }, 50)
      .watermark(100)
      .expect('out', [{ key: 'BB', value: { n: 2, name: '?' }, timestamp: 50 }])
      .watermark(101)
      .expect('out', [{ key: 'AA', value: { n: 1, name: '?' }, timestamp: 100 }]);
    expect(subject.keys()).toEqual([]);
  });

  it('LK1: what has stood for a time stays for it; a changed row begins behind it', () => {
    harness(left)
      .record(row('AA', 'old', EVER, 100))
      .record('left', 'AA', { n: 1 }, 90)
      .record(row('AA', 'new', 80, 180))
      .record('left', 'AA', { n: 2 }, 90)
      .record('left', 'AA', { n: 3 }, 100)
      .expect('out', [
        { value: { n: 1, name: 'old' } },
        { value: { n: 2, name: 'old' } },
        { value: { n: 3, name: 'new' } },
      ]);
  });

  it('of several rows of one key the first one counts, and the others are told', () => {
    const subject = harness(inner)
      .record(row('AA', 'first', 0, 100))
      .record(row('AA', 'second', 0, 100))
      .record('left', 'AA', { n: 1 }, 5)
      .expect('out', [{ value: { left: { n: 1 }, right: { name: 'first' } } }]);
    expect(JSON.stringify(subject.trace())).toContain('several rows for the key');
  });

  it('LK3: a row that stays the same is kept once, however often it is read, and goes when it is read no more', () => {
    const subject = harness(inner, { isolated: false });
    for (let i = 0; i < 50; i++) subject.record(row('AA', 'same', i === 0 ? EVER : i * 10, (i + 1) * 10));
    expect(subject.map('AA', 'rows')).toHaveLength(1);
    expect(subject.watermark(499).keys()).toEqual(['AA']);
    expect(subject.watermark(500).keys()).toEqual([]);
  });

  describe('of a table that tells its changes', () => {
    const until = (time: number) => ({ until: time, goneFrom: (n: number) => (n < 3 ? 200 : Infinity) });
    const told = (key: string, name: string, start: number, end?: number, index = 3) => ({
      ...row(key, name, start, end ?? Number.MAX_SAFE_INTEGER),
      pane: { ...pane(start, end ?? Number.MAX_SAFE_INTEGER), index, last: end !== undefined },
    });

    it('LK2: a time that is known is answered at once, with a row or without; any other waits, and asks again', () => {
      const subject = harness(left)
        .record(told('AA', 'old', EVER))
        .record('left', 'AA', { n: 1 }, 10)
        .expect('out', [])
        .table('right', until(100))
        .wall(25)
        .record('left', 'BB', { n: 2 }, 99)
        .record('left', 'AA', { n: 3 }, 100)
        .expect('out', [{ value: { n: 1, name: 'old' } }, { value: { n: 2, name: '?' } }]);
      expect(subject.timers('AA').map(({ tag, clock }) => `${tag} ${clock}`)).toContain('w100 wall');
      subject
        .record(told('AA', 'new', 100))
        .record(told('AA', 'old', EVER, 100))
        .table('right', until(150))
        .wall(5_000)
        .record('left', 'AA', { n: 4 }, 99)
        .expect('out', [{ value: { n: 3, name: 'new' } }, { value: { n: 4, name: 'old' } }]);
      expect(subject.watermark(100).map('AA', 'rows')).toHaveLength(1);
    });

    it('LK3: what a reading from scratch has not found is gone, and forgotten', () => {
      const subject = harness(left)
        .record(told('AA', 'x', EVER, undefined, 2))
        .record(told('BB', 'y', EVER, undefined, 2))
        .table('right', until(300))
        .record(told('BB', 'y', 300))
        .record('left', 'AA', { n: 1 }, 199)
        .record('left', 'AA', { n: 2 }, 200)
        .expect('out', [{ value: { n: 1, name: 'x' } }, { value: { n: 2, name: '?' } }])
        .table('right', until(400))
        .watermark(301);
      expect(subject.map('BB', 'rows')).toHaveLength(1);
      expect(subject.watermark(86_400_302).keys()).toEqual(['BB']);
    });

    it('LK4: a row of a time that is decided is told and left out', () => {
      const subject = harness(left)
        .table('right', until(100))
        .record(told('AA', 'x', 50))
        .record('left', 'AA', { n: 1 }, 60)
        .expect('out', [{ value: { n: 1, name: '?' } }]);
      expect(JSON.stringify(subject.trace())).toContain('after it was decided');
    });
  });

  it('leaves nothing behind at the end of all input', () => {
    const subject = harness(left).record(forEver('AA', 'x')).record('left', 'BB', { n: 1 }, 3).end();
    expect(subject.keys()).toEqual([]);
    subject.expect('out', [{ value: { n: 1, name: '?' } }]);
  });

  it('N6: a late record has its row as long as that is there, else it goes to the late output and is counted', () => {
    const subject = harness(left)
      .record(row('AA', 'x', EVER, 20))
      .record(row('AA', 'x', 20, 40))
      .record(row('BB', 'y', EVER, 20))
      .watermark(30)
      .record('left', 'AA', { n: 1 }, 9)
      .record('left', 'BB', { n: 2 }, 9)
      .record('left', 'CC', { n: 3 }, 29)
      .expect('out', [{ key: 'AA', value: { n: 1, name: 'x' }, timestamp: 9 }])
      .expect('late', [
        { value: { n: 2 }, timestamp: 9 },
        { value: { n: 3 }, timestamp: 29 },
      ]);
    expect(subject.counter('droppedLate')).toBe(2);
  });

  it('code that fails for what has waited takes neither the row with it nor other times', () => {
    const failing = lookup(flights, airlines, {
      join: ({ n }, { name }) => {
        if (n === 1) throw new Error('no');
        return `${name}${n}`;
      },
    });
    const subject = harness(failing, { onError: 'collect' })
      .record('left', 'AA', { n: 1 }, 10)
      .record('left', 'AA', { n: 2 }, 11)
      .record(forEver('AA', 'x'))
      .wall(1)
      .record('left', 'AA', { n: 3 }, 12);
    expect(subject.outputs('out').map(({ value }) => value)).toEqual(['x2', 'x3']);
  });

  it('passes on of which pane a left record is', () => {
    const of = pane(0, 10);
    harness(left)
      .record({ stream: 'left', key: 'AA', value: { n: 1 }, timestamp: 9, pane: of })
      .record({ stream: 'left', key: 'BB', value: { n: 2 }, timestamp: 9, pane: of })
      .record(forEver('AA', 'x'))
      .wall(1)
      .watermark(10)
      .expect('out', [
        { value: { n: 1, name: 'x' }, pane: of },
        { value: { n: 2, name: '?' }, pane: of },
      ]);
  });

  it('refuses rows that do not say for which time they stand, and settings it does not know', () => {
    expect(() => harness(inner).record('right', 'AA', { name: 'x' }, 1)).toThrow(/Postgres table/);
    expect(() => lookup(flights, airlines, { kind: 'full' as never })).toThrow(/"inner" or "left"/);
    expect(() => lookup(flights, airlines, { cache: '1m' } as never)).toThrow(/cache/);
  });

  it('infers what comes out', () => {
    expectTypeOf<OutputsOf<typeof inner>['out']>().toEqualTypeOf<{
      readonly left: Flight;
      readonly right: Airline;
    }>();
    expectTypeOf<OutputsOf<typeof left>['out']>().toEqualTypeOf<{ n: number; name: string }>();
  });

  it('LK1, LK2: gives the same as a batch over whole tables, whatever order records and rows come in', () => {
    const times = fc.integer({ min: -20, max: 79 });
    const readings = fc.array(fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('x', 'y')), {
      minLength: 8,
      maxLength: 8,
    });
    const records = fc.array(
      fc.record({ key: fc.constantFrom('a', 'b', 'c', 'd'), time: times, lag: fc.nat(30) }),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(readings, records, fc.array(fc.nat(3), { maxLength: 8 }), (tables, given, shuffle) => {
        const subject = harness(left, { isolated: false });
        play(subject, tables, given, shuffle);
        const got = subject
          .outputs('out')
          .map(({ key, value, timestamp }) => `${key}@${timestamp} ${value.name} ${value.n}`);
        const due = given.map(({ key, time }, n) => {
          const table = tables[Math.max(0, Math.floor(time / 10))] ?? {};
          return `${key}@${time} ${Object.hasOwn(table, key) ? table[key] : '?'} ${n}`;
        });
        expect([...got].sort()).toEqual([...due].sort());
        expect([subject.keys(), subject.outputs('late')]).toEqual([[], []]);
      }),
    );
  });
});

interface Given {
  readonly key: string;
  readonly time: number;
  readonly lag: number;
}

/** Table `i` stands for [10i, 10i + 10), the first for all time before, too. Each record comes up to 30 later than its time. */
function play(
  subject: Harness<{ left: Flight; right: Airline }, { out: { n: number; name: string }; late: Flight }>,
  tables: readonly Readonly<Record<string, string>>[],
  given: readonly Given[],
  shuffle: readonly number[],
): void {
  const slack = Math.max(0, ...given.map(({ lag }) => lag));
  let seen = 0;
  /** W2: what comes out is not late downstream. */
  const step = (act: () => void): void => {
    const before = subject.outputWatermark ?? Number.NEGATIVE_INFINITY;
    act();
    const found = subject.outputs('out').slice(seen);
    for (const { timestamp } of found) expect(timestamp).toBeGreaterThanOrEqual(before);
    seen += found.length;
  };
  const open = given.map((each, n) => ({ ...each, n })).sort((a, b) => a.time + a.lag - b.time - b.lag);
  for (let at = -20; at < 115; at++) {
    const reading = at % 10 === 0 ? tables[at / 10] : undefined;
    const rows = Object.entries(reading ?? {});
    if ((shuffle[at / 10] ?? 0) % 2 === 1) rows.reverse();
    const half = shuffle[at / 10] ?? 0;
    const push = (from: number, to: number) => {
      for (const [key, name] of rows.slice(from, to))
        step(() => subject.record(row(key, name, at === 0 ? EVER : at, at + 10)));
    };
    push(0, half);
    while (open[0] !== undefined && open[0].time + open[0].lag <= at) {
      const { key, time, n } = open.shift()!;
      step(() => subject.record('left', key, { n }, time));
    }
    push(half, rows.length);
    // The table is whole up to here, once there is one; a record may still come that much later.
    if (at >= 0) step(() => subject.watermark(at - slack));
    step(() => subject.wall(at + 100));
  }
  step(() => subject.end());
}

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type OracleResult,
  type OracleStep,
  slidingAssigner,
  windowOracle,
} from '../../test/window-oracle.ts';
import {
  aggregate,
  avg,
  count,
  hopping,
  input,
  max,
  min,
  sessions,
  sum,
  tumbling,
  type Window,
} from '../index.ts';
import { harness } from '../testing/index.ts';

const number = input<number>();

interface Options {
  readonly lateness?: number;
  readonly discarding?: boolean;
  /** Only aggregates from which a slice can be taken off again. */
  readonly running?: boolean;
  /** The way of windows with triggers, with a trigger that does what the default one does. */
  readonly triggered?: boolean;
}

function node(
  window: Window,
  { lateness = 0, discarding = false, running = false, triggered = false }: Options = {},
) {
  const extremes = { least: min<number, number>((v) => v), most: max<number, number>((v) => v) };
  return aggregate(number, {
    window,
    aggregates: { n: count(), total: sum((v) => v), ...(running ? { mean: avg((v) => v) } : extremes) },
    allowedLateness: lateness,
    accumulation: discarding ? 'discarding' : 'accumulating',
    ...(triggered && { trigger: { onTime: 'if-new' } }),
  });
}

function run(window: Window, steps: readonly OracleStep[], options: Options = {}): OracleResult {
  const subject = harness(node(window, options), { isolated: false });
  const keys: (readonly string[])[] = [];
  let highest = Number.NEGATIVE_INFINITY;
  for (const step of steps) {
    if (typeof step !== 'number') subject.record('in', step.key, step.value, step.time);
    else {
      highest = Math.max(highest, step);
      subject.watermark(highest);
    }
    keys.push(subject.keys());
  }
  const panes = subject.outputs('out').map(({ key, value, timestamp, pane }) => {
    expect(timestamp).toBe(pane!.end - 1);
    return { key, values: Object.values(value), pane: pane! };
  });
  const late = subject.outputs('late').map(({ key, value }) => ({ key, value }));
  expect(subject.counter('droppedLate')).toBe(late.length);
  return { panes, late, keys };
}

/** Panes of a key are in order; between keys there is none. */
function canonical(result: OracleResult) {
  const byKey = (a: { key: string }, b: { key: string }) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0);
  return {
    panes: [...result.panes].sort(byKey),
    late: result.late,
    keys: result.keys.map((keys) => [...keys].sort()),
  };
}

function rowOf(values: readonly number[], running: boolean): readonly number[] {
  const total = values.reduce((a, b) => a + b, 0);
  const rest = running ? [total / values.length] : [Math.min(...values), Math.max(...values)];
  return [values.length, total, ...rest];
}

function expectAsOracle(oracle: OracleResult, found: OracleResult, running = false): void {
  const rows = oracle.panes.map((each) => ({ ...each, values: rowOf(each.values, running) }));
  expect(canonical(found)).toEqual(canonical({ ...oracle, panes: rows }));
}

/** Records around a watermark that moves on in small steps, so that many are late by a little. */
const script = fc
  .array(
    fc.oneof(
      {
        weight: 3,
        arbitrary: fc.record({
          ahead: fc.integer({ min: -25, max: 30 }),
          key: fc.constantFrom('a', 'a', 'b'),
          value: fc.integer({ min: -5, max: 5 }),
        }),
      },
      { weight: 1, arbitrary: fc.integer({ min: 0, max: 15 }) },
    ),
    { maxLength: 50, size: 'max' },
  )
  .map((moves) => {
    let watermark = -30;
    return moves.map((move): OracleStep => {
      if (typeof move !== 'number') return { time: watermark + move.ahead, key: move.key, value: move.value };
      watermark += move;
      return watermark;
    });
  });
const options = fc.record({
  lateness: fc.constantFrom(0, 1, 5, 30, 200),
  discarding: fc.boolean(),
  triggered: fc.boolean(),
});

describe('aggregate over tumbling and hopping windows', () => {
  it('N1, N3, N4, N5: is what the rules say, for any input, watermarks, window and lateness, with the default trigger or one like it', () => {
    const spec = fc.tuple(
      fc.integer({ min: 1, max: 25 }),
      fc.integer({ min: 1, max: 25 }),
      fc.integer({ min: -9, max: 9 }),
    );
    fc.assert(
      fc.property(spec, script, options, ([size, slide, offset], steps, chosen) => {
        const oracle = windowOracle(steps, slidingAssigner(size, slide, offset), false, {
          latenessMs: chosen.lateness,
          discarding: chosen.discarding,
        });
        expectAsOracle(oracle, run(hopping(size, slide, { offset }), steps, chosen));
      }),
      { numRuns: 600 },
    );
  });

  it('SS1: is the same where a running total goes from window to window, as long as one can be told', () => {
    const spec = fc.tuple(
      fc.integer({ min: 16, max: 50 }),
      fc.integer({ min: 1, max: 3 }),
      fc.integer({ min: -9, max: 9 }),
    );
    const quarters = fc.boolean();
    fc.assert(
      fc.property(spec, script, options, quarters, ([size, slide, offset], steps, chosen, inQuarters) => {
        // Totals with a fraction cannot be taken apart.
        const valued = steps.map((step) =>
          typeof step !== 'number' && inQuarters && step.value === 5 ? { ...step, value: 0.25 } : step,
        );
        const settings = { latenessMs: chosen.lateness, discarding: chosen.discarding };
        const oracle = windowOracle(valued, slidingAssigner(size, slide, offset), false, settings);
        const found = run(hopping(size, slide, { offset }), valued, { ...chosen, running: true });
        expectAsOracle(oracle, found, true);
      }),
      { numRuns: 400 },
    );
  });

  it('SS1: a sum is a bigint as long as its window holds one, and a number again behind it', () => {
    const total = { total: sum<number | bigint, number | bigint>((v) => v) };
    const subject = harness(
      aggregate(input<number | bigint>(), { window: hopping(16, 1), aggregates: total }),
    );
    for (const [i, value] of [1, 2n, 3, 4, 5, 6].entries()) {
      subject.record('in', 'a', value, 4 * i);
      subject.watermark(4 * i + 1);
    }
    const ofFour = subject.outputs('out').filter(({ pane }) => pane!.end % 4 === 1);
    expect(ofFour.map(({ value }) => value.total)).toEqual([1, 3n, 6n, 10n, 14n, 18]);
  });

  it('N1: is the same for windows of very many slices, which are listed and not looked up', () => {
    const sparse = fc.array(
      fc.oneof(
        fc.record({
          time: fc.integer({ min: -900, max: 900 }),
          key: fc.constant('a'),
          value: fc.integer({ min: -5, max: 5 }),
        }),
        fc.integer({ min: -900, max: 1500 }),
      ),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(sparse, fc.constantFrom([300, 2], [301, 2]), options, (steps, [size, slide], chosen) => {
        const settings = { latenessMs: chosen.lateness, discarding: chosen.discarding };
        const oracle = windowOracle(steps, slidingAssigner(size!, slide!, 0), false, settings);
        expectAsOracle(oracle, run(hopping(size!, slide!), steps, chosen));
      }),
      { numRuns: 40 },
    );
  });

  it('N1: tumbling equals batch whatever the order, when nothing is late', () => {
    fc.assert(
      fc.property(script, fc.integer({ min: 1, max: 25 }), (steps, size) => {
        const records = steps.filter((each) => typeof each !== 'number');
        const totals = new Map<string, number>();
        for (const { key, time, value } of records) {
          const name = `${key} ${Math.floor(time / size) * size}`;
          totals.set(name, (totals.get(name) ?? 0) + value);
        }
        const { panes } = run(tumbling(size), [...records, 1_000]);
        expect(new Map(panes.map((p) => [`${p.key} ${p.pane.start}`, p.values[1]]))).toEqual(totals);
      }),
    );
  });

  it('N1: fires at W ≥ end and not 1 ms before; [start, end) holds its start and not its end', () => {
    const subject = harness(node(tumbling(1000)))
      .record('in', 'k', 1, -1)
      .record('in', 'k', 2, 0)
      .record('in', 'k', 3, 999)
      .record('in', 'k', 4, 1000);
    subject.watermark(-1).expect('out', []).watermark(0);
    subject.expect('out', [
      { value: { n: 1, total: 1, least: 1, most: 1 }, timestamp: -1, pane: { start: -1000, end: 0 } },
    ]);
    subject.watermark(999).expect('out', []).watermark(1000);
    subject.expect('out', [
      { value: { n: 2, total: 5, least: 2, most: 3 }, timestamp: 999, pane: { start: 0, end: 1000 } },
    ]);
  });

  it('W2: holds the output watermark at end − 1 until its pane is out', () => {
    const subject = harness(node(tumbling(1000))).record('in', 'k', 1, 5);
    expect(subject.timers('k')).toEqual([{ tag: '1000', time: 1000, clock: 'watermark', hold: 999 }]);
    subject.watermark(1000);
    expect(subject.trace().map((event) => event.kind)).toEqual(['output', 'watermark']);
  });

  it('N4: a late record is taken at W = end + lateness − 1 and goes to `late` at end + lateness; then all is gone', () => {
    const subject = harness(node(tumbling(1000), { lateness: 100 })).record('in', 'k', 1, 5);
    subject
      .watermark(1000)
      .expect('out', [
        { value: { n: 1, total: 1, least: 1, most: 1 }, pane: { index: 0, timing: 'on-time', last: false } },
      ]);
    subject.watermark(1099).record('in', 'k', 2, 6);
    subject.expect('out', [
      {
        value: { n: 2, total: 3, least: 1, most: 2 },
        timestamp: 999,
        pane: { index: 1, timing: 'late', last: false },
      },
    ]);
    expect(subject.keys()).toEqual(['k']);
    subject.watermark(1100);
    expect(subject.keys()).toEqual([]);
    subject
      .record('in', 'k', 3, 7)
      .expect('out', [])
      .expect('late', [{ value: 3, key: 'k', timestamp: 7 }]);
    expect(subject.keys()).toEqual([]);
    expect(subject.counter('droppedLate')).toBe(1);
  });

  it('N3: a discarding late pane holds only what no pane has shown', () => {
    harness(node(tumbling(1000), { lateness: 100, discarding: true }))
      .record('in', 'k', 1, 5)
      .watermark(1000)
      .record('in', 'k', 2, 6)
      .expect('out', [
        { value: { n: 1, total: 1, least: 1, most: 1 }, pane: { index: 0 } },
        { value: { n: 1, total: 2, least: 2, most: 2 }, pane: { index: 1 } },
      ]);
  });

  it('N4: a record that is late for one of its windows counts in the others', () => {
    harness(node(hopping(3000, 1000)))
      .watermark(3001)
      .record('in', 'k', 1, 2400)
      .end()
      .expect('late', [])
      .expect('out', [
        { value: { n: 1, total: 1, least: 1, most: 1 }, pane: { start: 1000, end: 4000 } },
        { value: { n: 1, total: 1, least: 1, most: 1 }, pane: { start: 2000, end: 5000 } },
      ]);
  });

  it('a slide longer than the size leaves records between windows out, without a trace', () => {
    const subject = harness(node(hopping(10, 100)))
      .record('in', 'k', 1, 9)
      .record('in', 'k', 2, 10);
    subject
      .end()
      .expect('out', [{ value: { n: 1, total: 1, least: 1, most: 1 }, pane: { start: 0, end: 10 } }]);
    expect(subject.keys()).toEqual([]);
  });

  it('W6: windows pending at the end fire in order, more than 10,000 of one key', () => {
    const subject = harness(node(tumbling(1)), { isolated: false });
    for (let time = 0; time < 10_500; time += 1) subject.record('in', '', time, time);
    subject.end();
    expect(subject.outputs('out').map((each) => each.timestamp)).toEqual(
      Array.from({ length: 10_500 }, (_, time) => time),
    );
  });

  it('C41: lateness near the end of time is clamped, not overflowed', () => {
    const time = 8_640_000_000_000_000;
    const subject = harness(node(tumbling('1d'), { lateness: '365d' as never })).record('in', 'k', 1, time);
    subject.watermark(time + 86_400_000).expect('out', [{ value: { n: 1, total: 1, least: 1, most: 1 } }]);
    expect(subject.end().keys()).toEqual([]);
  });

  it('Y2: lateness may change while windows are open: shorter, longer, none', () => {
    for (const [before, after] of [
      [0, 100],
      [100, 0],
      [100, 500],
      [500, 100],
    ] as const) {
      let lateness: number = before;
      const subject = harness(() => node(tumbling(1000), { lateness }));
      subject.record('in', 'k', 1, 5).watermark(before === 0 ? 999 : 1000);
      lateness = after;
      subject.watermark(1000).expect('out', [{ value: { n: 1, total: 1, least: 1, most: 1 } }]);
      subject.watermark(1050).record('in', 'k', 2, 6);
      expect(subject.outputs('out')).toHaveLength(after > 50 ? 2 : 1);
      subject.watermark(1000 + Math.max(before, after));
      expect(subject.keys()).toEqual([]);
    }
  });
});

describe('aggregate over sessions', () => {
  const gap = 7;
  const assign = (time: number): [number, number][] => [[time, time + gap]];

  it('N2, N3, N4, N5: is what the rules say, for any input, watermarks and lateness', () => {
    fc.assert(
      fc.property(script, options, (steps, chosen) => {
        const oracle = windowOracle(steps, assign, true, {
          latenessMs: chosen.lateness,
          discarding: chosen.discarding,
        });
        expectAsOracle(oracle, run(sessions(gap), steps, chosen));
      }),
      { numRuns: 800 },
    );
  });

  it('N2: any order of arrival gives the same sessions', () => {
    const records = fc.array(
      fc.record({
        time: fc.integer({ min: -40, max: 60 }),
        key: fc.constantFrom('a', 'b'),
        value: fc.integer(),
      }),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(
        records.chain((all) =>
          fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
        ),
        ([all, shuffled]) => {
          expect(canonical(run(sessions(gap), [...shuffled, 1_000])).panes).toEqual(
            canonical(run(sessions(gap), [...all, 1_000])).panes,
          );
        },
      ),
    );
  });

  it('N2: sessions that touch stay two, 1 ms of overlap makes one', () => {
    const touching = harness(node(sessions(10)))
      .record('in', 'k', 1, 0)
      .record('in', 'k', 2, 10)
      .end();
    touching.expect('out', [
      { value: { n: 1, total: 1, least: 1, most: 1 }, pane: { start: 0, end: 10 } },
      { value: { n: 1, total: 2, least: 2, most: 2 }, pane: { start: 10, end: 20 } },
    ]);
    const overlapping = harness(node(sessions(10)))
      .record('in', 'k', 1, 0)
      .record('in', 'k', 2, 9)
      .end();
    overlapping.expect('out', [
      { value: { n: 2, total: 3, least: 1, most: 2 }, pane: { start: 0, end: 19 } },
    ]);
  });

  it('C42, W2: holds at end − 1 move with the session (gap 10, watermark 24)', () => {
    const holds = (subject: ReturnType<typeof start>) => subject.timers('k').map((timer) => timer.hold);
    const start = () => harness(node(sessions(10))).watermark(24);
    const subject = start().record('in', 'k', 1, 1).record('in', 'k', 1, 14);
    expect(subject.outputs('late')).toHaveLength(2);
    expect(holds(subject)).toEqual([]);
    subject.record('in', 'k', 1, 25).record('in', 'k', 1, 16);
    expect(holds(subject)).toEqual([34]);
    subject.record('in', 'k', 1, 30);
    expect(holds(subject)).toEqual([39]);
    expect(subject.watermark(39).outputWatermark).toBe(39);
    expect(holds(subject.watermark(40))).toEqual([]);
  });

  it('N4: a late record may bring a session back, and join two', () => {
    const subject = harness(node(sessions(10), { lateness: 50 }))
      .record('in', 'k', 1, 0)
      .record('in', 'k', 2, 18);
    subject
      .watermark(20)
      .expect('out', [{ value: { n: 1, total: 1, least: 1, most: 1 }, pane: { start: 0, end: 10 } }]);
    subject.record('in', 'k', 4, 9).expect('out', []);
    subject.watermark(28).expect('out', [
      {
        value: { n: 3, total: 7, least: 1, most: 4 },
        timestamp: 27,
        pane: { start: 0, end: 28, index: 1, timing: 'on-time' },
      },
    ]);
    subject.watermark(77);
    expect(subject.keys()).toEqual(['k']);
    subject.watermark(78);
    expect(subject.keys()).toEqual([]);
  });

  it('R27: a session merged after the watermark has passed its end fires once', () => {
    const subject = harness(node(sessions(10), { lateness: 50 }))
      .record('in', 'k', 1, 0)
      .record('in', 'k', 2, 15);
    subject.watermark(30).record('in', 'k', 4, 8);
    expect(subject.outputs('out')).toHaveLength(3);
    subject.end();
    expect(subject.outputs('out')).toHaveLength(3);
  });
});

describe('settings of aggregate', () => {
  const aggregates = { n: count() };

  it('wrong settings are refused when the operator is made, and say what is wrong', () => {
    expect(() => tumbling(0)).toThrow(
      'The size of a tumbling window is 0, but it must be longer than nothing.',
    );
    expect(() => tumbling('-1s')).toThrow('The size of a tumbling window is "-1s"');
    expect(() => hopping('1h', 0)).toThrow('The slide of a hopping window');
    expect(() => hopping('1 hour', '1m')).toThrow('"1 hour", which is no duration');
    expect(() => sessions(1.5)).toThrow('The gap of a session window is 1.5, which is no duration');
    expect(() => sessions(Number.NaN)).toThrow('no duration');
    expect(() => tumbling('1h', { zone: 'Europe/Berlin' as never })).toThrow('know only "UTC"');
    expect(() => tumbling('1h', { ofset: '1m' } as never)).toThrow('has no option "ofset"');
    const window = tumbling('1h');
    expect(() => aggregate(number, { window, aggregates, allowedLateness: '-1s' })).toThrow(
      'allowedLateness is "-1s", but it must not be negative.',
    );
    expect(() => aggregate(number, { window, aggregates: {} })).toThrow('at least one aggregate');
    expect(() => aggregate(number, { window, aggregates: { n: count } as never })).toThrow(
      '"n" is no aggregate',
    );
    expect(() => aggregate(number, { window, aggregates, accumulation: 'x' as never })).toThrow(
      'accumulation "x"',
    );
    expect(() => aggregate(number, { window, aggregates, triger: {} } as never)).toThrow(
      'no option "triger"',
    );
    expect(() => aggregate(number, { aggregates } as never)).toThrow('needs a window');
    expect(() => aggregate(number, { window: { type: 'session', gapMs: -1 }, aggregates })).toThrow(
      'The gap',
    );
    const evil = JSON.parse('{"__proto__": 1}');
    expect(() => aggregate(number, { window, aggregates: evil })).toThrow('cannot be named "__proto__"');
  });

  it('offsets are taken modulo the slide', () => {
    expect(tumbling(10, { offset: -3 })).toEqual(tumbling(10, { offset: 7 }));
    expect(hopping('30s', '10s', { offset: '25s' }).offsetMs).toBe(5_000);
    expect(Object.is(tumbling(10, { offset: -10 }).offsetMs, 0)).toBe(true);
  });

  it('Y2: the state shape has window and aggregates, but neither lateness nor accumulation', () => {
    const shape = (window: Window, extra: object = {}, given: object = aggregates) =>
      aggregate(number, { window, aggregates: given as typeof aggregates, ...extra }).stateShape;
    expect(shape(tumbling('1h'), { allowedLateness: '1m' })).toBe(shape(tumbling('60m')));
    expect(shape(tumbling('1h'), { accumulation: 'discarding' })).toBe(shape(tumbling('1h')));
    expect(shape(tumbling('1h'))).not.toBe(shape(tumbling('2h')));
    expect(shape(tumbling('1h'))).not.toBe(shape(tumbling('1h'), {}, { n: sum((v: number) => v) }));
    expect(shape(sessions('1h'))).not.toBe(shape(sessions('2h')));
  });
});

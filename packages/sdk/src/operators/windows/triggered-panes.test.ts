/** What windows with triggers show, when, and what is left of them: the worked example of the Dataflow paper, and cases of peers. */
import { describe, expect, it } from 'vitest';
import {
  type AggregateOptions,
  aggregate,
  count,
  globalWindow,
  hopping,
  input,
  max,
  sessions,
  sum,
  type Trigger,
  tumbling,
} from '../../index.ts';
import { harness } from '../../testing/index.ts';

const total = { sum: sum<number, number>((v) => v) };
const records = (every: number) => ({ type: 'records', every }) as const;
type Settings = Omit<AggregateOptions<typeof total>, 'aggregates'>;
const node = (settings: Settings) => aggregate(input<number>(), { aggregates: total, ...settings });
const sumsOf = (subject: ReturnType<typeof start>) => subject.outputs('out').map(({ value }) => value.sum);
const start = (settings: Settings) => harness(node(settings));

/** Akidau et al., The Dataflow Model (VLDB 2015), figures 5 to 14: seconds after 12:00. */
const SCORES: readonly [value: number, event: number, processing: number][] = [
  [5, 30, 320],
  [7, 140, 340],
  [3, 219, 373],
  [4, 233, 385],
  [3, 259, 399],
  [8, 186, 426],
  [3, 399, 439],
  [9, 84, 499],
  [8, 446, 519],
  [1, 466, 538],
];
const WATERMARKS: readonly [watermark: number, processing: number][] = [
  [120, 360],
  [360, 450],
  [540, 550],
];

/** At equal times data, then watermark, then the wall clock. */
function dataflow(settings: Settings, withWatermarks = true) {
  const subject = start(settings);
  for (let now = 0; now <= 600; now++) {
    for (const [value, event, at] of SCORES) {
      if (at === now) subject.record('in', 'team', value, event * 1000);
    }
    for (const [watermark, at] of WATERMARKS) {
      if (withWatermarks && at === now) subject.watermark(watermark * 1000);
    }
    if (now % 60 === 0 || SCORES.some(([, , at]) => at === now + 1)) subject.wall(now * 1000);
  }
  return subject.end();
}

describe('the worked example of the Dataflow paper', () => {
  const panes = (subject: ReturnType<typeof dataflow>) =>
    subject
      .outputs('out')
      .map(({ value, pane }) => `w${pane!.start / 120_000 + 1}=${value.sum} ${pane!.timing}`);

  it('F2, F3: global windows: batch, every minute, every two elements', () => {
    const window = globalWindow();
    expect(sumsOf(dataflow({ window }))).toEqual([51]);
    expect(sumsOf(dataflow({ window, trigger: { early: '1m' } }))).toEqual([12, 22, 33, 51]);
    const pairs = { trigger: { early: records(2) }, accumulation: 'discarding' } as const;
    expect(sumsOf(dataflow({ window, ...pairs }))).toEqual([12, 7, 11, 12, 9]);
  });

  it('F1, F4: fixed windows: batch, and streaming with a late pane', () => {
    const window = tumbling('2m');
    expect(sumsOf(dataflow({ window }, false))).toEqual([14, 22, 3, 12]);
    expect(panes(dataflow({ window, allowedLateness: '1h' }))).toEqual([
      'w1=5 on-time',
      'w2=22 on-time',
      'w3=3 on-time',
      'w1=14 late',
      'w4=12 on-time',
    ]);
  });

  it('F2: fixed windows in micro-batches of a minute', () => {
    const subject = dataflow({ window: tumbling('2m'), trigger: { early: '1m' } }, false);
    expect(panes(subject).map((each) => each.split(' ')[0])).toEqual([
      'w1=5',
      'w2=7',
      'w2=14',
      'w3=3',
      'w2=22',
      'w4=3',
      'w1=14',
      'w4=12',
    ]);
  });

  it('F3: early panes that accumulate and retract take the one before back', () => {
    const subject = dataflow({
      window: globalWindow(),
      trigger: { early: '1m' },
      accumulation: 'accumulating-and-retracting',
    });
    const signed = subject.outputs('out').map(({ value, pane }) => (pane!.retracts ? -value.sum : value.sum));
    expect(signed).toEqual([12, -12, 22, -22, 33, -33, 51]);
  });
});

describe('cases of peers', () => {
  it('C31: late data accumulate, and are dropped behind the lateness', () => {
    const five = 300_000;
    const subject = start({ window: tumbling(five), allowedLateness: five, trigger: { late: records(2) } });
    for (const value of [1, 2, 3]) subject.record('in', 'k', value, 0);
    subject.watermark(360_000);
    for (const value of [4, 5]) subject.record('in', 'k', value, 0);
    subject.watermark(1_200_000);
    for (const value of [-1, -2, -3]) subject.record('in', 'k', value, 0);
    expect(sumsOf(subject)).toEqual([6, 15]);
    expect(subject.outputs('late').map(({ value }) => value)).toEqual([-1, -2, -3]);
    expect(subject.keys()).toEqual([]);
  });

  it('C32: discarding panes repeat nothing', () => {
    const subject = start({
      window: tumbling(100),
      allowedLateness: 100,
      trigger: { early: records(2), late: records(2) },
      accumulation: 'discarding',
    });
    for (const value of [1, 2, 10]) subject.record('in', 'k', value, 5);
    subject.watermark(100);
    for (const value of [100, 200, 1000]) subject.record('in', 'k', value, 6);
    const { length } = subject.outputs('out');
    expect(length).toBe(3);
    expect(subject.outputs('out').map(({ value, pane }) => [value.sum, pane!.index, pane!.timing])).toEqual([
      [3, 0, 'early'],
      [10, 1, 'on-time'],
      [300, 2, 'late'],
    ]);
    expect(subject.watermark(200).keys()).toEqual([]);
  });

  it.each([
    [undefined, [1, 3, 6]],
    ['always', [1, 3, 6, 6]],
  ] as const)(
    'C34, C43: a pane that shows nothing new is sent only when asked for (%s)',
    (onTime, expected) => {
      const subject = start({ window: tumbling('1h'), trigger: { early: '5m', onTime } });
      for (const value of [1, 2, 3]) subject.record('in', 'k', value, 0).wall(360_000 * value);
      expect(sumsOf(subject.watermark(3_600_000))).toEqual(expected);
      expect(subject.keys()).toEqual([]);
    },
  );

  it('C33: a record far before the watermark leaves other windows alone', () => {
    const subject = start({ window: tumbling(1000), trigger: { early: records(5) } }).watermark(0);
    subject.record('in', 'k', 7, -1_000_000).record('in', 'k', 1, 5).end();
    expect(sumsOf(subject)).toEqual([1]);
    expect(subject.counter('droppedLate')).toBe(1);
  });

  it('C35: records at the end of all times are still put together', () => {
    const subject = start({ window: globalWindow() });
    for (const time of [0, 8.64e15, Number.MAX_SAFE_INTEGER - 1]) subject.record('in', 'k', 1, time);
    expect(sumsOf(subject.end())).toEqual([3]);
    expect(subject.keys()).toEqual([]);
  });

  it.each([
    ['tumbling', tumbling(10)],
    ['session', sessions(10)],
  ] as const)('C38: end and lateness passed in one step give one on-time pane, the last: %s', (_, window) => {
    const subject = start({ window, allowedLateness: 5, trigger: { early: records(3), late: '1s' } });
    subject.record('in', 'k', 1, 0).watermark(1000);
    subject.expect('out', [
      { value: { sum: 1 }, pane: { start: 0, end: 10, index: 0, timing: 'on-time', last: true } },
    ]);
    expect(subject.keys()).toEqual([]);
  });

  it('C39: a late pane is the next one of its window', () => {
    const subject = start({ window: tumbling(10), allowedLateness: 50, trigger: { late: '1s' } });
    subject.record('in', 'k', 1, 0).watermark(20).wall(500).record('in', 'k', 3, 2);
    expect(subject.outputs('out')).toHaveLength(1);
    subject.wall(1000);
    expect(subject.outputs('out').at(-1)).toMatchObject({
      value: { sum: 4 },
      timestamp: 9,
      pane: { index: 1, timing: 'late', last: false },
    });
    expect(subject.watermark(60).keys()).toEqual([]);
  });

  it('C40: time that comes due behind the window shows nothing, together with its end one pane', () => {
    const settings = { window: tumbling(10), trigger: { early: '1s' } } as const;
    const after = start(settings).record('in', 'k', 1, 0).watermark(10).wall(5_000);
    expect(sumsOf(after)).toEqual([1]);
    const together = start(settings).record('in', 'k', 1, 0).wall(1_000).watermark(10).wall(2_000);
    expect(sumsOf(together)).toEqual([1]);
  });

  it('C42, W2: early panes move no hold, and late ones that wait for time hold where they will be', () => {
    const subject = start({
      window: tumbling(10),
      allowedLateness: 100,
      trigger: { early: '1s', late: '1s' },
    });
    subject.record('in', 'k', 1, 0);
    expect(subject.timers('k').map(({ clock, hold }) => [clock, hold])).toContainEqual(['wall', undefined]);
    expect(subject.wall(1_000).watermark(20).outputWatermark).toBe(20);
    subject.record('in', 'k', 1, 0);
    expect(subject.timers('k').map(({ clock, hold }) => [clock, hold])).toContainEqual(['wall', 9]);
  });
});

describe('retractions', () => {
  const perKey = node({
    window: tumbling(10),
    trigger: { early: records(1) },
    accumulation: 'accumulating-and-retracting',
  });
  const overall = (aggregates: object, more: object = {}) =>
    harness(
      aggregate(input<{ sum: number }>(), {
        window: tumbling(10),
        aggregates: aggregates as { n: ReturnType<typeof count<{ sum: number }>> },
        retractions: true,
        ...more,
      }),
    );
  const pane = { start: 0, end: 10, index: 0, timing: 'early', last: false } as const;

  it('F3: what was taken back is in no later pane, and a window that becomes empty takes its own pane back', () => {
    const subject = overall(
      { n: count(), all: sum((v: { sum: number }) => v.sum) },
      { trigger: { early: records(1) } },
    );
    subject.record({ stream: 'in', key: 'k', value: { sum: 5 }, timestamp: 9, pane });
    subject.record({
      stream: 'in',
      key: 'k',
      value: { sum: 5 },
      timestamp: 9,
      pane: { ...pane, retracts: true },
    });
    const out = subject.outputs('out').map(({ value, pane: of }) => [value, of?.retracts]);
    expect(out).toEqual([
      [{ n: 1, all: 5 }, undefined],
      [{ n: 1, all: 5 }, true],
    ]);
    subject.watermark(10);
    expect(subject.outputs('out')).toHaveLength(2);
    expect(subject.keys()).toEqual([]);
  });

  it('F3: are errors for windows that do not take them, never additions', () => {
    const first = harness(perKey).record('in', 'k', 1, 0).record('in', 'k', 2, 1);
    const withdrawn = first.outputs('out').find((each) => each.pane?.retracts);
    expect(withdrawn).toMatchObject({ value: { sum: 1 }, timestamp: 9, pane: { index: 0, retracts: true } });
    for (const window of [tumbling(10), hopping(10, 5), sessions(10)]) {
      for (const trigger of [undefined, { early: '1s' }] as (Trigger | undefined)[]) {
        const subject = start({ window, trigger });
        expect(() => subject.record({ ...withdrawn!, value: 1, stream: 'in' })).toThrow('takes back a pane');
      }
    }
    expect(() => overall({ n: max((v: { sum: number }) => v.sum) })).toThrow(
      '"n" is a max, from which no record can be taken off again',
    );
  });

  it('F3: a session that grows takes its pane back at once, and one that joins two takes back both', () => {
    const subject = start({
      window: sessions(10),
      trigger: { early: records(1) },
      accumulation: 'accumulating-and-retracting',
    });
    for (const [value, at] of [
      [1, 0],
      [2, 15],
      [4, 8],
    ] as const)
      subject.record('in', 'k', value, at);
    expect(subject.outputs('out').map(({ value, pane: of }) => [value.sum, of!.end, of?.retracts])).toEqual([
      [1, 10, undefined],
      [2, 25, undefined],
      [2, 25, true],
      [1, 10, true],
      [7, 25, undefined],
    ]);
  });

  it('wrong settings are refused', () => {
    const window = tumbling(10);
    expect(() => overall({ n: count() }, { window: sessions(5) })).toThrow(
      'Sessions cannot take retractions',
    );
    expect(() => overall({ n: count() }, { accumulation: 'discarding' })).toThrow('cannot take retractions');
    expect(() => node({ window, trigger: { late: '1s' } })).toThrow('can never fire without allowedLateness');
    const shape = (settings: Settings) => node(settings).stateShape;
    expect(shape({ window, trigger: { early: '1s' }, accumulation: 'accumulating-and-retracting' })).toBe(
      shape({ window }),
    );
    expect(shape({ window, retractions: true })).not.toBe(shape({ window }));
  });
});

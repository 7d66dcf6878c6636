/**
 * What holds of every pane whatever windows, triggers early and late, lateness, records and clocks are drawn, also where
 * records are dropped: the rules of N3 to N5, followed pane by pane.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  type Accumulation,
  aggregate,
  calendar,
  count,
  hopping,
  input,
  type Pane,
  type Repeated,
  sessions,
  sum,
  type Trigger,
  tumbling,
  type Window,
} from '../../index.ts';
import { harness } from '../../testing/index.ts';

const windows = fc.oneof(
  fc.integer({ min: 1, max: 20 }).map((size): Window => tumbling(size)),
  fc
    .tuple(fc.integer({ min: 2, max: 24 }), fc.integer({ min: 1, max: 12 }))
    .map(([size, slide]): Window => hopping(size, Math.min(size, slide))),
  fc.integer({ min: 1, max: 9 }).map((gap): Window => sessions(gap)),
  fc.constantFrom<Window>(hopping(40, 2), calendar('day', { zone: 'Asia/Kathmandu' })),
);
const { repeated } = fc.letrec<{ repeated: Repeated }>((tie) => ({
  repeated: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.integer({ min: 1, max: 4 }).map((every): Repeated => ({ type: 'records', every })),
    fc.constantFrom<Repeated>('2ms', '9ms'),
    fc.record({
      type: fc.constantFrom('any' as const, 'all' as const, 'sequence' as const),
      of: fc.array(tie('repeated'), { minLength: 1, maxLength: 3 }),
    }),
  ),
}));
const settings = fc
  .record({
    window: windows,
    lateness: fc.constantFrom(0, 3, 30),
    early: fc.option(repeated, { nil: undefined }),
    late: fc.option(repeated, { nil: undefined }),
    always: fc.boolean(),
    accumulation: fc.constantFrom<Accumulation>('accumulating', 'discarding', 'accumulating-and-retracting'),
  })
  .map((drawn) => ({ ...drawn, late: drawn.lateness === 0 ? undefined : drawn.late }));

type Step =
  | { readonly kind: 'record'; readonly key: string; readonly ahead: number; readonly value: number }
  | { readonly kind: 'watermark' | 'wall'; readonly by: number }
  | { readonly kind: 'restart' };
const steps = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('record' as const),
        key: fc.constantFrom('a', 'b'),
        ahead: fc.integer({ min: -20, max: 20 }),
        value: fc.integer({ min: 1, max: 5 }),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constantFrom('watermark' as const, 'wall' as const),
        by: fc.integer({ min: 1, max: 12 }),
      }),
    },
    { weight: 1, arbitrary: fc.constant({ kind: 'restart' as const }) },
  ),
  { maxLength: 60, size: 'max' },
);

interface Taken {
  readonly key: string;
  readonly time: number;
  readonly value: number;
}
interface Shown {
  readonly key: string;
  readonly total: number;
  readonly pane: Pane;
  readonly taken: number;
}

/** What came out, with how many records had been taken by then. */
function play({ window, lateness, early, late, always, accumulation }: Settings, drawn: readonly Step[]) {
  const onTime = always && accumulation !== 'discarding' ? 'always' : 'if-new';
  const trigger: Trigger = { early, late, onTime };
  const subject = harness(
    aggregate(input<number>(), {
      window,
      aggregates: { n: count(), total: sum((v) => v) },
      allowedLateness: lateness,
      trigger,
      accumulation,
    }),
    { isolated: false },
  );
  const [taken, shown]: [Taken[], Shown[]] = [[], []];
  let [watermark, wall, dropped] = [-40, 0, 0];
  const look = () => {
    for (const { key, value, pane, timestamp } of subject.outputs('out').slice(shown.length)) {
      expect(timestamp).toBe(pane!.end - 1);
      shown.push({ key, total: value.total, pane: pane!, taken: taken.length });
    }
  };
  subject.watermark(watermark);
  for (const step of drawn) {
    const before = subject.outputWatermark;
    const known = shown.length;
    if (step.kind === 'record') {
      const time = watermark + step.ahead;
      const entry = { key: step.key, time, value: step.value };
      taken.push(entry);
      subject.record('in', step.key, step.value, time);
      if (subject.outputs('late').length > dropped) {
        dropped++;
        taken.pop();
      }
    } else if (step.kind === 'watermark') {
      watermark += step.by;
      subject.watermark(watermark);
    } else if (step.kind === 'wall') {
      wall += step.by;
      subject.wall(wall);
    } else subject.restart();
    look();
    // W2: what is shown up to its end is not late downstream.
    for (const { pane } of shown.slice(known))
      if (pane.timing !== 'late' && pane.retracts !== true)
        expect(pane.end - 1).toBeGreaterThanOrEqual(before ?? Number.NEGATIVE_INFINITY);
  }
  subject.wall(wall + 1_000).end();
  look();
  expect([subject.keys(), subject.counter('droppedLate')]).toEqual([[], dropped]);
  return { taken, shown };
}

type Settings = typeof settings extends fc.Arbitrary<infer S> ? S : never;

const ORDER = ['early', 'on-time', 'late'];

it('N3, N4, N5: every pane is what its window had then, they follow each other, and nothing is left', () => {
  fc.assert(
    fc.property(settings, steps, (drawn, moves) => {
      const { taken, shown } = play(drawn, moves);
      const isSession = drawn.window.type === 'session';
      const panes = new Map<string, Shown[]>();
      for (const each of shown) {
        const name = `${each.key} ${each.pane.start} ${each.pane.end}`;
        const earlier = panes.get(name) ?? [];
        follows(each, earlier, drawn.accumulation, isSession);
        panes.set(name, [...earlier, each]);
        if (each.pane.retracts === true || isSession) continue;
        const inWindow = taken
          .slice(0, each.taken)
          .filter(({ key, time }) => key === each.key && time >= each.pane.start && time < each.pane.end)
          .reduce((total, { value }) => total + value, 0);
        const before =
          drawn.accumulation === 'discarding' ? earlier.reduce((sum, { total }) => sum + total, 0) : 0;
        expect(before + each.total).toBe(inWindow);
      }
    }),
    { numRuns: 200 },
  );
});

/** Compared with the panes of the same window before it. */
function follows(
  { pane, total }: Shown,
  earlier: readonly Shown[],
  accumulation: Accumulation,
  isSession: boolean,
): void {
  const last = earlier.at(-1);
  if (pane.retracts === true) {
    expect(accumulation).toBe('accumulating-and-retracting');
    expect(last).toMatchObject({ total, pane: { index: pane.index } });
    expect(last?.pane.retracts).toBeUndefined();
    return;
  }
  if (last === undefined) {
    if (!isSession) expect(pane.index).toBe(0);
    return;
  }
  if (accumulation === 'accumulating-and-retracting') expect(last.pane.retracts).toBe(true);
  if (isSession) expect(pane.index).toBeGreaterThan(last.pane.index);
  else expect(pane.index).toBe(last.pane.index + 1);
  expect(ORDER.indexOf(pane.timing)).toBeGreaterThanOrEqual(ORDER.indexOf(last.pane.timing));
  if (pane.timing === 'on-time') expect(last.pane.timing).toBe('early');
  expect(last.pane.last).toBe(false);
}

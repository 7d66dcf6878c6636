import { TAP_BOUNDS } from '@millrace/protocol';
import { type Cause, DeliveredRecord, Firing, KeyEntry, type RuntimePorts } from '@millrace/sdk/runtime';
import { expect, test } from 'vitest';
import { planOf } from '../testing/plans.ts';
import { emptyOutgoing } from './router.ts';
import { sampleWays } from './sample-ways.ts';
import { Taps } from './taps.ts';

const plan = planOf(
  [
    { id: 'n_in', kind: 'injector' },
    { id: 'n_other', kind: 'injector' },
    { id: 'n_a', kind: 'computation' },
    { id: 'n_b', kind: 'computation' },
    { id: 'n_out', kind: 'sink' },
  ],
  [
    { from: 'n_in', to: 'n_a' },
    { from: 'n_other', to: 'n_a' },
    { from: 'n_a', to: 'n_b' },
    { from: 'n_b', to: 'n_out' },
  ],
);
const by = (computation: string) => ({
  computation,
  deriveId: (cause: string, place: string, n: number) => `${cause}>${place}@${n}`,
});
const delivered = (value: unknown, from: string, origin: DeliveredRecord | string) =>
  new DeliveredRecord('k', value, 7, 'in', undefined, undefined, origin, by(from), 0);

const ports = { deriveId: by('').deriveId } as RuntimePorts;
const firing = (armedBy: Cause | string): Firing =>
  new Firing(
    {
      owner: new KeyEntry('k', true),
      clock: 'watermark',
      tag: 'close',
      time: 60,
      hold: undefined,
      order: 0,
      armedBy,
      armOrdinal: 0,
      live: false,
      far: false,
      behind: undefined,
    },
    'n_b',
    ports,
  );

function sampleOf(origin: Cause) {
  const produced = new Float64Array(plan.streams.length);
  const taps = new Taps(produced, sampleWays(plan));
  taps.set(3, { recordsPerSecond: 10, charsPerSecond: 10_000_000 });
  taps.begin(0);
  taps.copy(3, { ...emptyOutgoing(by('n_b')), value: 3, origin }, 'k');
  produced[3] = 1;
  return taps.take()[0]?.records[0];
}

test('TP4: with a copy goes what it was made of, over the streams it went, nearest first', () => {
  const source = delivered({ n: 1n }, 'n_other/events', 'n_other/events@7');
  const made = sampleOf(delivered(2, 'n_a', source));
  expect(made?.id).toBe('n_other/events@7>n_a@0>n_b@0');
  expect(made?.way).toEqual([
    {
      stream: 2,
      id: 'n_other/events@7>n_a@0',
      text: '2',
      key: 'k',
      timestamp: 7,
      pane: undefined,
      cut: false,
    },
    {
      stream: 1,
      id: 'n_other/events@7',
      text: '{"n":1}',
      key: 'k',
      timestamp: 7,
      pane: undefined,
      cut: false,
    },
  ]);
});

test('TP4: where the worker has forgotten the cause the way ends', () => {
  const source = delivered(1, 'n_in/events', 'n_in/events@7');
  const between = delivered(2, 'n_a', source);
  expect(between.id).toContain('n_a');
  expect(sampleOf(between)?.way.map(({ stream }) => stream)).toEqual([2]);
});

test('TP4: a record that a timer made tells of the timer, and leads on to what armed it in this bundle', () => {
  const source = delivered(1, 'n_in/events', 'n_in/events@7');
  const armed = delivered(2, 'n_a', source);
  const made = sampleOf(firing(armed));
  const timer = { tag: 'close', clock: 'watermark', time: 60, armedBy: 'n_in/events@7>n_a@0' };
  expect(made).toMatchObject({ timer, way: [{ stream: 2, id: timer.armedBy }, { stream: 0 }] });
  expect(made?.way[0]).not.toHaveProperty('timer');
  expect(sampleOf(firing('n_in/events@1'))).toMatchObject({ timer: { armedBy: 'n_in/events@1' }, way: [] });
  // Further up the way as well.
  expect(sampleOf(delivered(3, 'n_a', armed))?.timer).toBeUndefined();
});

test('TP2: ways count among what a frame has room for', () => {
  const huge = delivered('y'.repeat(1_000_000), 'n_a', delivered('z'.repeat(1_000_000), 'n_in/events', 'x'));
  const produced = new Float64Array(plan.streams.length);
  const taps = new Taps(produced, sampleWays(plan));
  taps.set(3, { recordsPerSecond: 2_000, charsPerSecond: 1e9 });
  taps.begin(0);
  for (let i = 0; i < 1_000; i++) taps.copy(3, { ...emptyOutgoing(by('n_b')), value: i, origin: huge }, 'k');
  produced[3] = 1_000;
  const records = taps.take().flatMap(({ records }) => records.flatMap((each) => [each, ...each.way]));
  expect(records.length).toBeGreaterThan(10);
  expect(records.length).toBeLessThanOrEqual(TAP_BOUNDS.records);
  expect(records.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(TAP_BOUNDS.chars);
});

import type { IntervalChange } from '@millrace/protocol';
import { expect, it } from 'vitest';
import { IntervalDuty } from './interval-duty.ts';
import type { WorkerStages } from './worker-stages.ts';

function dutyOf(router: { sendsAway: boolean }) {
  const cuts: unknown[] = [];
  const cut = (tables: unknown) => cuts.push(tables);
  const stages = { router: Object.assign(router, { cut }), computations: [], all: [], configuration: {} };
  return { duty: new IntervalDuty(stages as unknown as WorkerStages), cuts };
}

const change = (step: number, through?: number): IntervalChange => ({
  step,
  tables: [],
  frozen: [],
  held: [],
  through,
});

it('MV3: what is asked for too late is not done, and is done when what went apart is through', () => {
  const router = { sendsAway: false };
  const { duty, cuts } = dutyOf(router);
  duty.take(change(4));
  expect([duty.takeStep(), duty.takeStep()]).toEqual([4, undefined]);
  duty.sentAway(3);
  duty.take(change(6, 2));
  expect([duty.takeStep(), cuts.length]).toEqual([undefined, 1]);
  // In the bundle being made.
  router.sendsAway = true;
  duty.take(change(6, 3));
  expect(duty.takeStep()).toBeUndefined();
  router.sendsAway = false;
  duty.take(change(6, 3));
  expect([duty.takeStep(), cuts.length]).toEqual([6, 2]);
});

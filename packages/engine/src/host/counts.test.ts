import { expect, test } from 'vitest';
import { planOf } from '../testing/plans.ts';
import { encodeCounters, zeroCounters } from '../worker/node-counters.ts';
import { encodeStreamCount } from '../worker/stream-counts.ts';
import { Counts } from './counts.ts';

const plan = planOf([{ id: 'n_a', kind: 'computation' }], []);

function countsOf(...perSlot: Partial<ReturnType<typeof zeroCounters>>[]): Counts {
  const counts = new Counts(plan, [7]);
  perSlot.forEach((counters, slot) => {
    counts.take(`counters/${slot}/7`, encodeCounters({ ...zeroCounters(), ...counters }));
  });
  return counts;
}

test('P9: what was delivered is duplicate, dead-lettered, set aside, waiting or processed, over all workers', () => {
  const counts = countsOf(
    { delivered: 10, withOutput: 4, withoutOutput: 3, droppedLate: 1, deadLettered: 1, waiting: 1 },
    { delivered: 2, duplicates: 1, setAside: 1 },
  );
  expect(counts.imbalances()).toEqual([]);
  expect(counts.summary().nodes[0]).toMatchObject({ in: 12, processed: 8 });
});

test('P9: a timer set aside was never delivered', () => {
  expect(
    countsOf({ delivered: 1, withOutput: 1, deadLettered: 1, timersDeadLettered: 1 }).imbalances(),
  ).toEqual([]);
});

test('P9: a record that disappeared is told, with the node and every term', () => {
  expect(countsOf({ delivered: 3, withOutput: 2 }).imbalances()).toEqual([
    {
      of: 'n_a',
      text: 'node "n_a" does not balance: 3 in, but 0 duplicate, 0 dead-lettered, 0 set aside, 0 waiting and 2 processed',
    },
  ]);
});

test('P9: a stream whose produced records are neither delivered nor in flight is told', () => {
  const two = planOf(
    [
      { id: 'n_a', kind: 'computation' },
      { id: 'n_b', kind: 'computation' },
    ],
    [{ from: 'n_a', to: 'n_b' }],
  );
  const counts = new Counts(two, [1, 2]);
  counts.take('stream/0/s_0', encodeStreamCount({ produced: 10, delivered: 3 }));
  counts.take('stream/1/s_0', encodeStreamCount({ produced: 0, delivered: 4 }));
  expect(counts.streamImbalances(() => 3)).toEqual([]);
  expect(counts.streamImbalances(() => 2)).toEqual([
    {
      of: 's_0',
      text: 'stream s_0 does not balance: 10 produced and 0 redriven, but 7 delivered and 2 in flight',
    },
  ]);
});

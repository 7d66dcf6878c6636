import type { PlanStream } from '@millrace/graph';
import { ENDED } from '@millrace/protocol';
import { type Computation, computation } from '@millrace/sdk';
import { DeliveredRecord } from '@millrace/sdk/runtime';
import { expect, it } from 'vitest';
import { planOf } from '../testing/plans.ts';
import { ComputationStage } from './computation-stage.ts';
import { createHasher } from './key-hash.ts';
import type { Router } from './router.ts';

const hasher = await createHasher();
const plan = planOf(
  [
    { id: 'n_in', kind: 'injector' },
    { id: 'n_a', kind: 'computation' },
  ],
  [{ from: 'n_in', to: 'n_a' }],
);

function stageOf(seen: (number | undefined)[]): ComputationStage {
  const note = computation<{ in: number }, object>({
    processRecord: (_, ctx) => {
      seen.push(ctx.watermark);
    },
  }) as Computation;
  return new ComputationStage({
    node: plan.nodes[1]!,
    inputs: plan.streams,
    senders: [0],
    slot: 0,
    slots: 1,
    computation: note,
    params: {},
    storeIsEmpty: true,
    unheldParked: false,
    ignoredHorizon: false,
    timersInMemory: 1_000,
    hasFarTimers: false,
    version: 1,
    hasher,
    router: { streamsOf: () => [] } as unknown as Router,
    now: () => 0,
    deadLetter: () => undefined,
    log: () => undefined,
    wake: () => undefined,
    beforeCall: () => undefined,
    afterFailure: () => undefined,
    maxTries: undefined,
  });
}

const record = (timestamp: number) =>
  new DeliveredRecord('k', 1, timestamp, 'in', undefined, undefined, 'id', undefined, 0);

it('W3: what a key has seen of the watermark a successor does not take back, be it a time or the end', () => {
  const stage = stageOf([]);
  stage.hear(0, 0, { kind: 'at', time: 50 });
  stage.advance();
  stage.settle();
  expect(stage.floors).toEqual({ out: 50, in: 50, inputEnded: false });
  stage.hear(0, 0, ENDED);
  stage.advance();
  stage.settle();
  expect(stage.floors).toEqual({ out: 50, in: 50, inputEnded: true });

  const seen: (number | undefined)[] = [];
  const successor = stageOf(seen);
  successor.restore(stage.floors);
  successor.runtime.allowFirings(1);
  successor.enqueue(plan.streams[0] as PlanStream, record(60));
  successor.runQueued();
  expect(seen).toEqual([Number.POSITIVE_INFINITY]);
});

it('W12: another version may have new senders, so there an end is only the last time', () => {
  const seen: (number | undefined)[] = [];
  const successor = stageOf(seen);
  successor.restore({ out: 50, in: 50, inputEnded: false });
  successor.runtime.allowFirings(1);
  successor.enqueue(plan.streams[0] as PlanStream, record(60));
  successor.runQueued();
  expect(seen).toEqual([50]);
});

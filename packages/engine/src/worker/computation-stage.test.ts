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
    router: { routeOf: () => ({ streams: [], toLines: false }) } as unknown as Router,
    now: () => 0,
    deadLetter: () => undefined,
    log: () => undefined,
    wake: () => undefined,
    beforeCall: () => undefined,
    afterFailure: () => undefined,
    maxTries: undefined,
    tableInput: () => {
      throw new Error('it asks for no table');
    },
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

it('WA3: keys that are taken over may hold below what the output had promised, which then goes down, and no further', () => {
  const stage = stageOf([]);
  stage.hear(0, 0, { kind: 'at', time: 50 });
  stage.advance();
  stage.settle();
  stage.freeze(true, false);
  stage.runtime.keys.knowsNoMore();
  stage.runtime.restoreHold('k', 12);
  stage.inherit({ node: 1, in: 60, inputEnded: false, out: 10, mayStay: false });
  stage.settle();
  expect(stage.output).toEqual({ kind: 'at', time: 12 });
  expect(stage.runtime.clock.input).toBe(60);
  // Of one who held nobody it takes nothing but what its keys have seen.
  stage.inherit({ node: 1, in: 40, inputEnded: false, out: 5, mayStay: true });
  stage.settle();
  expect(stage.output).toEqual({ kind: 'at', time: 12 });
});

it('MV4: while its keys move a stage hears nothing, and then all that was said meanwhile', () => {
  const stage = stageOf([]);
  stage.hear(0, 0, { kind: 'at', time: 50 });
  stage.advance();
  stage.settle();
  stage.freeze(true, true);
  stage.hear(0, 0, { kind: 'at', time: 70 });
  stage.advance();
  stage.settle();
  expect([stage.runtime.clock.input, stage.output]).toEqual([50, { kind: 'at', time: 50 }]);
  stage.freeze(false, false);
  stage.advance();
  stage.settle();
  expect([stage.runtime.clock.input, stage.output]).toEqual([70, { kind: 'at', time: 70 }]);
});

it('WA3: a stage that had ended waits again for what keys hold that are taken over', () => {
  const stage = stageOf([]);
  stage.hear(0, 0, ENDED);
  stage.advance();
  stage.settle();
  expect(stage.output).toEqual(ENDED);
  stage.freeze(true, false);
  stage.runtime.keys.knowsNoMore();
  stage.runtime.restoreHold('k', 12);
  stage.inherit({ node: 1, in: 60, inputEnded: false, out: 10, mayStay: false });
  // Its neighbours on this worker hear of it before it says more.
  expect(stage.output).not.toEqual(ENDED);
  stage.settle();
  expect(stage.output).toEqual({ kind: 'at', time: 12 });
});

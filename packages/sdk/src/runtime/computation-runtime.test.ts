import { describe, expect, it } from 'vitest';
import { type Computation, computation } from '../api.ts';
import { deriveId } from '../testing/derive-id.ts';
import { ComputationRuntime } from './computation-runtime.ts';
import { DeliveredRecord } from './delivered-record.ts';

const record = (key: string, value: unknown) =>
  new DeliveredRecord(key, value, 5, 'in', undefined, undefined, `id-${value}`, undefined, 0);

function runtimeOf(ran: unknown[], storeIsEmpty: boolean): ComputationRuntime {
  const handlers = computation({
    processRecord(input: { value: unknown }) {
      ran.push(input.value);
    },
  } as never) as Computation;
  return new ComputationRuntime(
    handlers,
    {
      now: () => 0,
      deriveId,
      prepare: () => undefined,
      emit: () => undefined,
      deadLetter: () => undefined,
      log: () => undefined,
      count: () => undefined,
      wake: () => undefined,
      beforeCall: () => undefined,
    },
    { computationId: 'n_a', params: {}, storeIsEmpty },
  );
}

describe('parked inputs of an earlier incarnation', () => {
  it('P3: run by themselves, in order, where the store holds nothing else of the computation', () => {
    const ran: unknown[] = [];
    const runtime = runtimeOf(ran, true);
    runtime.restoreWaiting(record('k', 1), 1);
    runtime.restoreWaiting(record('k', 2), 2);
    expect(runtime.hasReady).toBe(true);
    runtime.runWaiting();
    expect(ran).toEqual([1, 2]);
    expect([runtime.waiting, runtime.holds.min()]).toEqual([0, undefined]);
  });

  it('P3: ask for the content of their key, and run once it is there', () => {
    const ran: unknown[] = [];
    const runtime = runtimeOf(ran, false);
    runtime.restoreWaiting(record('k', 1), 1);
    runtime.restoreWaiting(record('k', 2), 2);
    const missing = runtime.takeMissing();
    expect(missing.map(({ entry, map }) => [entry.key, map])).toEqual([['k', undefined]]);
    runtime.runWaiting();
    expect(ran).toEqual([]);
    for (const { entry } of missing) runtime.loaded(entry);
    runtime.runWaiting();
    expect(ran).toEqual([1, 2]);
  });
});

import { describe, expect, it } from 'vitest';
import { type Computation, type Context, computation } from '../api.ts';
import { deriveId } from '../testing/derive-id.ts';
import { ComputationRuntime } from './computation-runtime.ts';
import { DeliveredRecord } from './delivered-record.ts';
import type { AsyncTurns } from './ports.ts';

const record = (key: string, value: unknown) =>
  new DeliveredRecord(key, value, 5, 'in', undefined, undefined, `id-${value}`, undefined, 0);

function runtimeOf(ran: unknown[], storeIsEmpty: boolean): ComputationRuntime {
  const processRecord = (input: { value: unknown }) => ran.push(input.value);
  return runtimeWith(computation({ processRecord } as never) as Computation, storeIsEmpty);
}

function runtimeWith(
  handlers: Computation,
  storeIsEmpty: boolean,
  asyncTurns?: AsyncTurns,
): ComputationRuntime {
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
      asyncTurns,
      afterFailure: () => undefined,
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
    const missing = runtime.keys.takeMissing();
    expect(missing.map(({ entry, map }) => [entry.key, map])).toEqual([['k', undefined]]);
    runtime.runWaiting();
    expect(ran).toEqual([]);
    for (const { entry } of missing) runtime.loaded(entry);
    runtime.runWaiting();
    expect(ran).toEqual([1, 2]);
  });
});

function turnsOf(): AsyncTurns {
  let isFree = true;
  return {
    get isFree() {
      return isFree;
    },
    take: () => {
      isFree = false;
    },
    give: () => {
      isFree = true;
    },
  };
}

describe('async calls behind a death in user code', () => {
  it.each(['processRecord', 'processTimer'])(
    'P8: what is left of a %s that turned out to be async is over before another one begins',
    async (handler) => {
      const ran: unknown[] = [];
      const finish: (() => void)[] = [];
      const waits = (what: unknown) => {
        ran.push(what);
        return new Promise<void>((resolve) => finish.push(resolve));
      };
      const processRecord =
        handler === 'processRecord'
          ? ({ value }: { value: unknown }) => waits(value)
          : (_: unknown, ctx: Context) => ctx.setTimer('t', 10);
      const handlers = { processRecord, processTimer: () => waits('timer') };
      const turns = turnsOf();
      const runtime = runtimeWith(computation(handlers as never) as Computation, true, turns);
      runtime.deliver(record('a', 1));
      runtime.deliver(record('b', 2));
      runtime.advance(20);
      runtime.fireDue();
      runtime.runWaiting();
      expect(turns.isFree).toBe(false);
      // Whoever looks at it asks for a sign of life until it is over.
      expect(runtime.running).toBeGreaterThan(0);
      if (handler === 'processRecord') expect(ran).toEqual([1]);
      while (finish.length > 0) {
        finish.shift()?.();
        await expect.poll(() => runtime.hasReady || turns.isFree).toBe(true);
        runtime.runWaiting();
      }
      expect(turns.isFree).toBe(true);
    },
  );

  it('P8: run one after the other, and all of them run', async () => {
    const running = new Set<unknown>();
    const most: number[] = [];
    const finish: (() => void)[] = [];
    const handlers = {
      async processRecord({ value }: { value: unknown }) {
        running.add(value);
        most.push(running.size);
        await new Promise<void>((resolve) => finish.push(resolve));
        running.delete(value);
      },
    };
    const runtime = runtimeWith(computation(handlers as never) as Computation, true, turnsOf());
    for (let i = 0; i < 3; i++) runtime.deliver(record(`k${i}`, i));
    for (let i = 0; i < 3; i++) {
      runtime.runWaiting();
      expect(runtime.hasReady).toBe(false);
      finish.shift()?.();
      await expect.poll(() => runtime.hasReady).toBe(true);
    }
    runtime.runWaiting();
    expect([most, runtime.waiting, runtime.running]).toEqual([[1, 1, 1], 0, 0]);
  });
});

describe('values of state and maps', () => {
  const held: [state: unknown, entry: unknown][] = [];
  const handlers = {
    processRecord(_: unknown, ctx: Context<object, object, { maps: { m: object } }>) {
      held.push([ctx.state.get(), ctx.map('m').get('k')]);
      const value = {};
      ctx.state.set(value);
      ctx.map('m').set('k', value);
      held.push([value, value]);
    },
  };

  it.each([
    ['P12: are copies on their way in and out', false],
    ['are not copied where the handlers promise to change none', true],
  ])('%s', (_, sharesValues) => {
    held.length = 0;
    const runtime = runtimeWith({ ...(computation(handlers as never) as Computation), sharesValues }, true);
    runtime.deliver(record('k', 1));
    runtime.deliver(record('k', 2));
    const [, put, got] = held as [unknown, [unknown, unknown], [unknown, unknown]];
    expect(got).toEqual([{}, {}]);
    expect(got.map((value, i) => value === put[i])).toEqual([sharesValues, sharesValues]);
  });
});

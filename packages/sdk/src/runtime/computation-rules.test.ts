import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Context } from '../api.ts';
import { type Computation, computation } from '../api.ts';
import { deriveId } from '../testing/derive-id.ts';
import { ComputationRuntime, type RuntimeOptions } from './computation-runtime.ts';
import { DeliveredRecord } from './delivered-record.ts';
import { type KeyEntry, KeyMap } from './key-entry.ts';
import type { DeadLetter, Production } from './ports.ts';

type Ctx = Context<Record<string, unknown>, unknown, { maps: Record<string, unknown> }>;
type Shape = { value: unknown; timestamp: number; late: boolean };

class Rig {
  now = 0;
  wakes = 0;
  readonly emitted: Production[] = [];
  readonly letters: DeadLetter[] = [];
  readonly runtime: ComputationRuntime;
  #id = 0;

  constructor(handlers: object, options: Partial<RuntimeOptions> = {}) {
    this.runtime = new ComputationRuntime(
      computation(handlers as never) as Computation,
      {
        now: () => this.now,
        deriveId,
        prepare: () => undefined,
        emit: (production) => this.emitted.push(production),
        deadLetter: (letter) => this.letters.push(letter),
        log: () => undefined,
        count: () => undefined,
        wake: () => this.wakes++,
        beforeCall: () => undefined,
        afterFailure: () => undefined,
      },
      { computationId: 'n_a', params: {}, storeIsEmpty: true, ...options },
    );
  }

  deliver(key: string, value: unknown, timestamp = 5): this {
    const id = `id-${this.#id++}`;
    this.runtime.deliver(
      new DeliveredRecord(key, value, timestamp, 'in', undefined, undefined, id, undefined, 0),
    );
    return this;
  }

  async settle(): Promise<void> {
    for (let i = 0; i < 20; i++) await Promise.resolve();
    this.runtime.runWaiting();
  }

  retryUntil(now: number): void {
    this.now = now;
    this.runtime.runWaiting();
  }

  get values(): unknown[] {
    return this.emitted.map(({ value }) => value);
  }

  /** Everything a key is, apart from marks of what must be sealed. */
  picture(key: string): unknown {
    const entry = this.runtime.keys.peek(key);
    return structuredClone({
      state: entry?.hasState ? entry.state : 'none',
      hold: entry?.holdUntil,
      from: entry?.stateFrom,
      maps: [...(entry?.maps ?? [])]
        .map(([name, map]) => [name, map.size, map.sortedKeys().map((k) => [k, map.entries.get(k)])])
        .filter(([, size]) => size !== 0),
      timers: [...(entry?.timers?.values() ?? [])]
        .map(({ clock, tag, time, hold, live }) => [clock, tag, time, hold ?? null, live])
        .sort(),
    });
  }

  /** The least hold as R3 defines it, from the entries themselves. */
  leastHold(): number | undefined {
    const holds: number[] = [];
    for (const entry of this.runtime.keys.all()) {
      if (entry.holdUntil !== undefined) holds.push(entry.holdUntil);
      for (const timer of entry.timers?.values() ?? []) if (timer.hold !== undefined) holds.push(timer.hold);
      for (const item of entry.waiting ?? []) if (item.hold !== undefined) holds.push(item.hold);
    }
    return holds.length === 0 ? undefined : Math.min(...holds);
  }
}

// ---- programs: what a record's handler does -----------------------------------------------------------

const time = fc.integer({ min: 0, max: 30 });
const name = fc.constantFrom('a', 'b');
type Op =
  | ['set', number, number | undefined]
  | ['clear']
  | ['put', string, number, number]
  | ['delete', string, number]
  | ['deleteRange', string, number, number]
  | ['timer', string, number, 'watermark' | 'wall', boolean]
  | ['clearTimer', string, 'watermark' | 'wall']
  | ['produce'];
const clock = fc.constantFrom('watermark' as const, 'wall' as const);
const op: fc.Arbitrary<Op> = fc.oneof(
  fc.tuple(fc.constant('set' as const), fc.nat(9), fc.option(time, { nil: undefined })),
  fc.constant<Op>(['clear']),
  fc.tuple(fc.constant('put' as const), name, fc.nat(3), fc.nat(9)),
  fc.tuple(fc.constant('delete' as const), name, fc.nat(3)),
  fc.tuple(fc.constant('deleteRange' as const), name, fc.nat(3), fc.nat(3)),
  fc.tuple(fc.constant('timer' as const), name, time, clock, fc.boolean()),
  fc.tuple(fc.constant('clearTimer' as const), name, clock),
  fc.constant<Op>(['produce']),
);
const ops = fc.array(op, { maxLength: 8 });

function perform(ctx: Ctx, program: readonly Op[], timestamp: number): void {
  for (const each of program)
    switch (each[0]) {
      case 'set':
        ctx.state.set({ n: each[1] }, each[2] === undefined ? {} : { holdUntil: timestamp + each[2] });
        break;
      case 'clear':
        ctx.state.clear();
        break;
      case 'put':
        ctx.map(each[1]).set(each[2], each[3]);
        break;
      case 'delete':
        ctx.map(each[1]).delete(each[2]);
        break;
      case 'deleteRange':
        ctx.map(each[1]).deleteRange(each[2], each[3]);
        break;
      case 'timer':
        ctx.setTimer(each[1], timestamp + each[2], {
          clock: each[3],
          ...(each[4] ? { hold: timestamp } : {}),
        });
        break;
      case 'clearTimer':
        ctx.clearTimer(each[1], each[2]);
        break;
      case 'produce':
        ctx.produce('out', 1);
        break;
    }
}

interface Program {
  readonly ops: readonly Op[];
  readonly throws: boolean;
}
const programmed = {
  processRecord(record: { value: Program; timestamp: number }, ctx: Ctx) {
    perform(ctx, record.value.ops, record.timestamp);
    if (record.value.throws) throw new Error('asked to');
  },
  processTimer() {},
};

describe('a call that throws', () => {
  it('P8, R2: leaves no trace in state, maps, timers, holds, productions or counts', () => {
    fc.assert(
      fc.property(fc.array(ops, { maxLength: 4 }), ops, (before, failing) => {
        const rig = new Rig(programmed, { maxTries: 1 });
        for (const each of before) rig.deliver('k', { ops: each, throws: false });
        const picture = rig.picture('k');
        const { emitted, runtime } = rig;
        const facts = () => [runtime.holds.min(), emitted.length, runtime.nextWallTimer, runtime.waiting];
        const factsBefore = facts();
        rig.deliver('k', { ops: failing, throws: true });
        expect(rig.picture('k')).toEqual(picture);
        expect(facts()).toEqual(factsBefore);
        expect(rig.letters).toHaveLength(1);
        expect(runtime.holds.min()).toBe(rig.leastHold());
      }),
      { numRuns: 500 },
    );
  });

  it('R3, W1: after every step the holds are those of armed timers, state and waiting on-time records', () => {
    const step = fc.oneof(
      {
        weight: 3,
        arbitrary: fc.record({ key: fc.constantFrom('x', 'y'), ops, throws: fc.boolean(), at: time }),
      },
      { weight: 1, arbitrary: fc.record({ advance: time }) },
      { weight: 1, arbitrary: fc.record({ wall: fc.integer({ min: 0, max: 400 }) }) },
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        const rig = new Rig(programmed, { maxTries: 2 });
        for (const each of steps) {
          if ('advance' in each) rig.runtime.advance(each.advance);
          else if ('wall' in each) {
            rig.retryUntil(each.wall);
            rig.runtime.fireDue();
          } else rig.deliver(each.key, { ops: each.ops, throws: each.throws }, each.at);
          expect(rig.runtime.holds.min()).toBe(rig.leastHold());
        }
        const { counters, waitingRecords } = rig.runtime;
        expect(counters.delivered).toBe(
          counters.withOutput +
            counters.withoutOutput +
            counters.droppedLate +
            counters.deadLettered +
            waitingRecords,
        );
      }),
      { numRuns: 400 },
    );
  });

  it('P8: is tried three times with a longer wait before each, then set aside with what it saw', () => {
    const tries: number[] = [];
    const rig: Rig = new Rig(
      {
        processRecord({ value }: Shape, ctx: Ctx) {
          if (value !== 'bad') return ctx.state.set(value);
          tries.push(rig.now);
          throw null;
        },
      },
      { backoffMs: 10 },
    );
    rig.deliver('k', 'fine').deliver('k', 'bad', 3).deliver('k', 'later', 9).deliver('other', 'fine');
    expect([rig.runtime.waiting, rig.runtime.holds.min(), rig.runtime.nextRetry]).toEqual([2, 3, 10]);
    rig.retryUntil(9);
    rig.retryUntil(10);
    expect([tries, rig.runtime.nextRetry]).toEqual([[0, 10], 50]);
    rig.retryUntil(50);
    expect(tries).toEqual([0, 10, 50]);
    expect(rig.letters).toMatchObject([{ error: null, attempts: 3, state: 'fine', input: { value: 'bad' } }]);
    expect([rig.picture('k'), rig.runtime.waiting, rig.runtime.holds.min()]).toMatchObject([
      { state: 'later' },
      0,
      undefined,
    ]);
  });

  it('P8: a timer that throws is retried, holds the key and its own hold meanwhile, then is set aside', () => {
    const rig = new Rig({
      processRecord(record: Shape, ctx: Ctx) {
        ctx.setTimer('t', 10, { hold: 7 });
        ctx.produce('out', record.value);
      },
      processTimer() {
        throw new Error('no');
      },
    });
    rig.deliver('k', 1);
    rig.runtime.advance(10);
    rig.deliver('k', 2, 12);
    expect([rig.values, rig.runtime.holds.min(), rig.runtime.outputWatermark()]).toEqual([[1], 7, 7]);
    for (const now of [10, 50]) rig.retryUntil(now);
    expect(rig.letters).toMatchObject([{ attempts: 3, input: { tag: 't' } }]);
    expect(rig.values).toEqual([1, 2]);
  });
});

describe('timers', () => {
  it('T1: setting a tag again replaces it, clocks are apart, clearing what is not there is nothing', () => {
    const fired: unknown[] = [];
    const rig = new Rig({
      processRecord(_: Shape, ctx: Ctx) {
        ctx.clearTimer('never');
        ctx.setTimer('t', 10);
        ctx.setTimer('t', 20);
        ctx.setTimer('t', 30, { clock: 'wall' });
        ctx.setTimer('gone', 15);
        ctx.clearTimer('gone');
      },
      processTimer(timer: { tag: string; time: number; clock: string }) {
        fired.push([timer.clock, timer.tag, timer.time]);
      },
    });
    rig.deliver('k', 1);
    rig.runtime.advance(19);
    expect(fired).toEqual([]);
    rig.now = 100;
    rig.runtime.advance(20);
    rig.now = 30;
    rig.runtime.fireDue();
    expect(fired).toEqual([
      ['watermark', 't', 20],
      ['wall', 't', 30],
    ]);
  });

  it('T2: two timers that set each other fire in time order in one step of the watermark (C19)', () => {
    const fired: number[] = [];
    const rig = new Rig({
      processRecord(_: Shape, ctx: Ctx) {
        ctx.setTimer('a', 1);
        ctx.setTimer('stop', 50);
      },
      processTimer(timer: { tag: string; time: number }, ctx: Ctx) {
        fired.push(timer.time);
        if (timer.tag === 'stop') return ctx.clearTimer(timer.time % 2 ? 'a' : 'b');
        ctx.setTimer(timer.tag === 'a' ? 'b' : 'a', timer.time + 1);
      },
    });
    rig.deliver('k', 1, 0);
    rig.runtime.advance(100);
    expect(fired).toEqual([...fired].sort((a, b) => a - b));
    expect(fired.filter((each) => each <= 50).length).toBeGreaterThan(49);
  });

  it('T3: a timer for a time already passed fires right behind its handler, once', () => {
    const log: string[] = [];
    const rig = new Rig({
      processRecord(record: Shape, ctx: Ctx) {
        log.push(`record ${record.value}`);
        ctx.setTimer('t', 5);
      },
      processTimer() {
        log.push('timer');
      },
    });
    rig.runtime.advance(100);
    rig.deliver('k', 1).deliver('k', 2);
    expect(log).toEqual(['record 1', 'timer', 'record 2', 'timer']);
  });

  it('T5: fifty thousand timers due at once fire in bounded steps, and hold the watermark until they are done', () => {
    const rig = new Rig({
      processRecord(_: Shape, ctx: Ctx) {
        ctx.setTimer('t', 10);
      },
      processTimer() {},
    });
    for (let i = 0; i < 50_000; i++) rig.deliver(`k${i}`, 1);
    rig.runtime.allowFirings(1000);
    rig.runtime.advance(20);
    let steps = 1;
    while (rig.runtime.owesFirings) {
      expect(rig.runtime.counters.timersFired).toBe(steps * 1000);
      expect(rig.runtime.outputWatermark()).toBe(10);
      rig.runtime.allowFirings(1000);
      rig.runtime.fireDue();
      steps++;
    }
    expect([steps, rig.runtime.counters.timersFired, rig.runtime.outputWatermark()]).toEqual([
      50, 50_000, 20,
    ]);
  });

  it('W1: a waiting on-time record of the key holds back its timers, a late one does not', () => {
    const log: unknown[] = [];
    const rig = new Rig(
      {
        processRecord(record: Shape, ctx: Ctx) {
          if (record.value === 'bad') throw new Error('no');
          log.push(record.value);
          ctx.setTimer('t', 10);
        },
        processTimer() {
          log.push('timer');
        },
      },
      { maxTries: 2 },
    );
    rig.deliver('k', 'arm').deliver('k', 'bad', 8);
    rig.runtime.advance(20);
    expect(log).toEqual(['arm']);
    rig.retryUntil(10);
    expect(log).toEqual(['arm', 'timer']);
    expect(rig.runtime.counters.late).toBe(0);
  });

  it('W1: a record that came on time and waited sees no watermark behind it, nor does what runs before it', () => {
    const seen: unknown[] = [];
    let fails = true;
    const rig = new Rig({
      processRecord({ value, timestamp }: Shape, ctx: Ctx) {
        if (value === 'slow' && fails) throw new Error('not yet');
        seen.push([value, ctx.watermark]);
        ctx.setTimer(`t${timestamp}`, timestamp);
      },
      processTimer({ tag }: { tag: string }, ctx: Ctx) {
        seen.push([tag, ctx.watermark]);
      },
    });
    rig.deliver('k', 'slow', 8).deliver('k', 'behind', 6).deliver('other', 'free', 9);
    rig.runtime.advance(20);
    fails = false;
    rig.retryUntil(10);
    expect(seen).toEqual([
      ['free', undefined],
      ['t9', 20],
      ['slow', 6],
      ['behind', 6],
      ['t6', 20],
      ['t8', 20],
    ]);
  });

  it('W6: a timer that arms itself for ever is set aside once the input has ended', () => {
    const rig = new Rig(
      {
        processRecord: (_: Shape, ctx: Ctx) => ctx.setTimer('t', 1),
        processTimer: (timer: { time: number }, ctx: Ctx) => ctx.setTimer('t', timer.time + 1),
      },
      { maxFiringsAfterEnd: 25 },
    );
    rig.deliver('k', 1, 0);
    rig.runtime.advance(Number.POSITIVE_INFINITY);
    expect([rig.runtime.counters.timersFired, rig.letters.length, rig.runtime.holds.min()]).toEqual([
      26,
      1,
      undefined,
    ]);
  });
});

describe('async handlers', () => {
  it('P10, R1: their key waits in order, other keys go on, and their context dies with them', async () => {
    const log: unknown[] = [];
    let kept: Ctx | undefined;
    const gates = new Map<unknown, () => void>();
    const rig = new Rig({
      async processRecord(record: Shape, ctx: Ctx) {
        log.push(`begin ${record.value}`);
        await new Promise<void>((resolve) => gates.set(record.value, resolve));
        ctx.state.set(record.value);
        ctx.produce('out', record.value);
        kept = ctx;
      },
    });
    rig.deliver('a', 1, 3).deliver('a', 2, 4).deliver('b', 3, 5);
    rig.runtime.runWaiting();
    expect(log).toEqual(['begin 1', 'begin 3']);
    expect([rig.picture('a'), rig.runtime.running, rig.runtime.holds.min()]).toMatchObject([
      { state: 'none' },
      2,
      3,
    ]);
    gates.get(3)?.();
    await rig.settle();
    expect([rig.values, rig.picture('b')]).toMatchObject([[3], { state: 3 }]);
    gates.get(1)?.();
    await rig.settle();
    gates.get(2)?.();
    await rig.settle();
    expect([rig.values, log.at(-1), rig.runtime.waiting]).toEqual([[3, 1, 2], 'begin 2', 0]);
    expect(() => kept?.state.get()).toThrow(/has ended/);
    expect(() => kept?.produce('out', 1)).toThrow(/has ended/);
  });

  it('P8, R2: one that rejects leaves no trace and is retried', async () => {
    let tries = 0;
    const rig = new Rig({
      async processRecord(_: Shape, ctx: Ctx) {
        ctx.state.set(++tries);
        ctx.setTimer('t', 10);
        ctx.produce('out', tries);
        await Promise.resolve();
        throw new Error('no');
      },
      processTimer() {},
    });
    rig.deliver('k', 1);
    for (const now of [0, 10, 100, 1000]) {
      rig.retryUntil(now);
      await rig.settle();
    }
    expect([tries, rig.values, rig.letters.length]).toEqual([3, [], 1]);
    expect(rig.picture('k')).toMatchObject({ state: 'none', timers: [] });
  });

  it('P10: a `then` that throws, settles twice or throws when it is read is that call’s error or result, once', async () => {
    const thenable = (descriptor: PropertyDescriptor) => Object.defineProperty({}, 'then', descriptor);
    const fail = (message: string) => {
      throw new Error(message);
    };
    const returned = [
      thenable({ value: () => fail('then') }),
      thenable({ get: () => fail('getter') }),
      thenable({
        value: (done: () => void) => {
          done();
          done();
        },
      }),
    ];
    const rig = new Rig(
      { processRecord: (record: Shape) => returned[record.value as number] },
      { maxTries: 1 },
    );
    for (const i of [0, 1, 2]) rig.deliver(`k${i}`, i);
    for (let i = 0; i < 3; i++) {
      rig.runtime.runWaiting();
      await rig.settle();
    }
    expect(rig.letters.map(({ error }) => (error as Error).message).sort()).toEqual(['getter', 'then']);
    expect([rig.runtime.running, rig.runtime.waiting, rig.runtime.holds.min()]).toEqual([0, 0, undefined]);
  });

  it('Y2: state that an async handler migrated or set is not migrated again', async () => {
    const migrations: unknown[] = [];
    const rig = new Rig({
      stateVersion: 2,
      migrateState(old: number, from: number) {
        migrations.push([old, from]);
        return old + 100;
      },
      async processRecord(_: Shape, ctx: Ctx) {
        ctx.state.set((ctx.state.get() as number) + 1);
      },
    });
    const entry = rig.runtime.keys.at('k');
    Object.assign(entry, { hasState: true, state: 1, stateFrom: 1 });
    for (let i = 0; i < 2; i++) {
      rig.deliver('k', i);
      rig.runtime.runWaiting();
      await rig.settle();
    }
    expect([migrations, rig.picture('k')]).toMatchObject([[[1, 1]], { state: 103, from: undefined }]);
  });
});

describe('content that is not in memory', () => {
  const reads = {
    processRecord(record: Shape, ctx: Ctx) {
      const map = ctx.map('m');
      ctx.state.set('touched');
      map.set('seen', (map.get(record.value as string) as number | undefined) ?? 'none');
      ctx.produce('out', map.get(record.value as string) ?? 'none');
    },
  };

  function loadedKey(rig: Rig): void {
    for (const { entry } of rig.runtime.keys.takeMissing()) {
      entry.mapsKnown = false;
      rig.runtime.loaded(entry);
    }
    rig.runtime.runWaiting();
  }

  it('P3: a miss abandons the call without a trace; fetched, it runs again, in order with what came meanwhile', () => {
    const rig = new Rig(reads, { storeIsEmpty: false });
    rig.deliver('k', 'x', 3).deliver('k', 'y', 4);
    loadedKey(rig);
    const [miss, ...more] = rig.runtime.keys.takeMissing();
    expect([miss?.map, miss?.mapKey, more, rig.values]).toEqual(['m', 'x', [], []]);
    expect([rig.picture('k'), rig.runtime.holds.min()]).toMatchObject([{ state: 'none' }, 3]);
    const map = miss?.entry.maps?.get('m');
    map?.entries.set('x', 42).set('y', 43);
    rig.runtime.mapLoaded(miss?.entry as never);
    rig.runtime.runWaiting();
    expect([rig.values, rig.runtime.waiting]).toEqual([[42, 43], 0]);
    expect([rig.letters, rig.runtime.counters.delivered]).toEqual([[], 2]);
  });

  it('P10: an async call that misses asks once, and rests until the content is here', async () => {
    const rig = new Rig(
      {
        async processRecord(_: Shape, ctx: Ctx) {
          ctx.produce('out', ctx.map('m').get('x'));
        },
      },
      { storeIsEmpty: false },
    );
    rig.deliver('k', 1);
    loadedKey(rig);
    for (let i = 0; i < 5; i++) await rig.settle();
    const missing = rig.runtime.keys.takeMissing();
    expect(missing.map(({ mapKey }) => mapKey)).toEqual(['x']);
    expect(rig.runtime.hasReady).toBe(false);
    const fetched = new KeyMap('m', false);
    fetched.entries.set('x', 7);
    (missing[0]?.entry as KeyEntry).maps = new Map([['m', fetched]]);
    rig.runtime.mapLoaded(missing[0]?.entry as never);
    rig.runtime.runWaiting();
    await rig.settle();
    expect(rig.values).toEqual([7]);
  });

  it('is forgotten only when nothing of the key waits, holds or is unsealed', () => {
    const may = (program: Op[]) => {
      const rig = new Rig({
        processRecord: (record: Shape, ctx: Ctx) => perform(ctx, record.value as Op[], 5),
      });
      rig.deliver('k', program);
      const entry = rig.runtime.keys.at('k');
      const answers = [rig.runtime.keys.evict(entry)];
      rig.runtime.keys.takeDirty();
      answers.push(rig.runtime.keys.evict(entry));
      if (answers[1]) {
        // From here on an unknown key may be in the store.
        rig.deliver('k', []);
        expect(rig.runtime.keys.takeMissing().map(({ entry }) => entry.key)).toEqual(['k']);
      }
      return answers;
    };
    expect(may([['set', 1, undefined]])).toEqual([false, true]);
    expect(may([['set', 1, 3]])).toEqual([false, false]);
    expect(may([['timer', 'a', 30, 'wall', false]])).toEqual([false, false]);
  });
});

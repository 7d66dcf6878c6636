/** SU2: inputs that are held until somebody has tried them, against what order, holds and counts must be. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Computation, type Context, computation } from '../api.ts';
import { deriveId } from '../testing/derive-id.ts';
import { ComputationRuntime } from './computation-runtime.ts';
import { DeliveredRecord } from './delivered-record.ts';
import type { KeyEntry } from './key-entry.ts';

type Step =
  | { kind: 'deliver'; key: string; timestamp: number; suspect: boolean; timer: number | undefined }
  | { kind: 'advance'; to: number }
  | { kind: 'wall'; by: number }
  | { kind: 'suspicious'; so: boolean }
  | { kind: 'let-go'; key: string; through: number; timers: boolean };

class Held {
  now = 0;
  readonly runtime: ComputationRuntime;
  readonly delivered = new Map<string, number[]>();
  readonly ran = new Map<string, number[]>();
  readonly fired: string[] = [];
  armed = 0;
  late = 0;
  #next = 0;

  constructor() {
    const self = this;
    const handlers = computation<{ in: { n: number; timer: number | undefined } }, { out: number }>({
      processRecord(record, ctx) {
        self.#checkTurn(ctx.key, record.value.n);
        self.ran.set(ctx.key, [...(self.ran.get(ctx.key) ?? []), record.value.n]);
        if (record.value.timer !== undefined) self.#arm(ctx as never, record.value);
      },
      processTimer(timer, ctx) {
        self.#checkTurn(ctx.key, undefined);
        self.fired.push(timer.tag);
      },
    });
    this.runtime = new ComputationRuntime(
      handlers as Computation,
      {
        now: () => this.now,
        deriveId,
        prepare: () => undefined,
        emit: () => undefined,
        deadLetter: ({ error }) => {
          throw error;
        },
        log: () => undefined,
        count: () => undefined,
        wake: () => undefined,
        beforeCall: () => undefined,
        afterFailure: () => undefined,
      },
      { computationId: 'n_a', params: {}, storeIsEmpty: true, maxTries: 1 },
    );
  }

  #arm(ctx: Context<never, never>, { n, timer = 0 }: { n: number; timer: number | undefined }): void {
    this.armed++;
    ctx.setTimer(`t${n}`, timer, { clock: n % 3 === 0 ? 'wall' : 'watermark' });
  }

  /** Nothing of a key runs while anything in front of it is held; a timer that was not held itself, while nothing is. */
  #checkTurn(key: string, n: number | undefined): void {
    if (n === undefined && !this.runtime.suspectRuns) expect(this.#entry(key)?.held).toBe(0);
    for (const item of this.#entry(key)?.waiting ?? []) {
      if ('owner' in item.input) expect(item.held).toBe(false);
      else if (n !== undefined && (item.input.value as { n: number }).n === n) return;
      else if (n === undefined) continue;
      else expect(item.held).toBe(false);
    }
  }

  #entry(key: string): KeyEntry | undefined {
    return this.runtime.keys.peek(key);
  }

  run(step: Step): void {
    const { runtime } = this;
    switch (step.kind) {
      case 'deliver': {
        const n = this.#next++;
        this.delivered.set(step.key, [...(this.delivered.get(step.key) ?? []), n]);
        const value = { n, timer: step.timer };
        const record = new DeliveredRecord(
          step.key,
          value,
          step.timestamp,
          'in',
          undefined,
          undefined,
          `r${n}`,
          undefined,
          0,
        );
        record.suspect = step.suspect;
        runtime.deliver(record);
        break;
      }
      case 'advance':
        runtime.advance(step.to);
        break;
      case 'wall':
        this.now += step.by;
        runtime.fireDue();
        break;
      case 'suspicious':
        runtime.isSuspicious = step.so;
        break;
      case 'let-go': {
        const entry = this.#entry(step.key);
        if (entry === undefined) break;
        let index = 0;
        runtime.letGo(entry, (item) => ('owner' in item.input ? step.timers : index++ <= step.through));
      }
    }
    runtime.runWaiting();
    this.check();
  }

  check(): void {
    const { runtime } = this;
    let waiting = 0;
    const holds: number[] = [];
    const heldKeys = new Set<KeyEntry>();
    for (const entry of runtime.keys.all()) {
      const items = [...(entry.waiting ?? [])];
      waiting += items.filter(({ input }) => !('owner' in input)).length;
      expect(entry.held).toBe(items.filter(({ held }) => held).length);
      if (entry.held > 0) heldKeys.add(entry);
      for (const item of items) if (item.hold !== undefined) holds.push(item.hold);
      for (const timer of entry.timers?.values() ?? []) if (timer.hold !== undefined) holds.push(timer.hold);
      // What is not held, and in front, does not stay.
      if (items.length > 0) expect(items[0]?.held).toBe(true);
    }
    expect([...runtime.heldKeys]).toEqual(expect.arrayContaining([...heldKeys]));
    expect(runtime.heldKeys.size).toBe(heldKeys.size);
    expect(runtime.waitingRecords).toBe(waiting);
    expect(runtime.holds.min()).toBe(holds.length === 0 ? undefined : Math.min(...holds));
    for (const [key, order] of this.ran)
      expect(order).toEqual(this.delivered.get(key)?.slice(0, order.length));
  }

  finish(): void {
    this.run({ kind: 'suspicious', so: false });
    // A timer that became due while its key was held comes in front of what is let go: once more, then.
    for (let rounds = 0; this.runtime.heldKeys.size > 0; rounds++) {
      expect(rounds).toBeLessThan(100);
      for (const { key } of [...this.runtime.heldKeys])
        this.run({ kind: 'let-go', key, through: Number.POSITIVE_INFINITY, timers: true });
    }
    this.now = 1_000_000;
    this.runtime.advance(Number.POSITIVE_INFINITY);
    this.runtime.runWaiting();
  }
}

const key = fc.constantFrom('x', 'y', 'z');
const time = fc.integer({ min: 0, max: 40 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('deliver' as const),
      key,
      timestamp: time,
      suspect: fc.boolean(),
      timer: fc.option(time, { nil: undefined }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('advance' as const), to: time }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('wall' as const), by: fc.nat(20) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('suspicious' as const), so: fc.boolean() }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('let-go' as const),
      key,
      through: fc.nat(3),
      timers: fc.boolean(),
    }),
  },
);

describe('held inputs', () => {
  it('SU2, P11, R3: keep their place, hold the watermark, and run once each, whatever is let go when', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const held = new Held();
        for (const each of steps) held.run(each);
        held.finish();
        expect(held.runtime.waiting).toBe(0);
        for (const [name, order] of held.delivered) expect(held.ran.get(name)).toEqual(order);
        expect(held.fired).toHaveLength(held.armed);
        expect(new Set(held.fired).size).toBe(held.armed);
      }),
      { numRuns: 200 },
    );
  });

  it('W1: other keys go on while one is held, and the output watermark waits for it; trusted, nothing is held any more', () => {
    const held = new Held();
    held.runtime.isSuspicious = true;
    held.run({ kind: 'deliver', key: 'x', timestamp: 5, suspect: false, timer: undefined });
    held.runtime.isSuspicious = false;
    held.run({ kind: 'deliver', key: 'y', timestamp: 6, suspect: false, timer: undefined });
    expect(held.ran).toEqual(new Map([['y', [1]]]));
    expect(held.runtime.outputWatermark()).toBeUndefined();
    held.run({ kind: 'advance', to: 30 });
    expect(held.runtime.outputWatermark()).toBe(5);
    held.runtime.trustAll();
    held.run({ kind: 'deliver', key: 'z', timestamp: 31, suspect: true, timer: undefined });
    expect(held.ran.get('x')).toEqual([0]);
    expect(held.ran.get('z')).toEqual([2]);
    expect(held.runtime.outputWatermark()).toBe(30);
  });
});

import {
  BundleBodyWriter,
  type FetchResult,
  forEachChange,
  readBundleBody,
  type StoreEntry,
  spaceOf,
  startsWith,
  type WorkerFrame,
} from '@millrace/protocol';
import { type Clock, type Computation, type Context, computation } from '@millrace/sdk';
import { ComputationRuntime, DeliveredRecord } from '@millrace/sdk/runtime';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ComputationStage } from './computation-stage.ts';
import { KeyCache } from './key-cache.ts';
import { createHasher } from './key-hash.ts';
import { StageSeal } from './sealer.ts';
import type { WorkerStages } from './worker-stages.ts';

const hasher = await createHasher();
const NODE = 3;

/** One tag each; times of different tags of a key never are the same. */
const TAGS = ['a', 'b', 'c', 'd'];
type Op = readonly ['set' | 'clear', tag: number, clock: Clock, ahead: number, slack: number];

interface Fired {
  readonly tag: string;
  readonly time: number;
  readonly state: unknown;
}

/** What fired, by key and clock, in order. */
class Log {
  readonly fired = new Map<string, Fired[]>();

  /** The latest output watermark ever seen. */
  told = Number.NEGATIVE_INFINITY;

  tell(runtime: ComputationRuntime): void {
    this.told = Math.max(this.told, runtime.outputWatermark() ?? this.told);
  }

  add(key: string, clock: Clock, fired: Fired): void {
    const id = `${key}/${clock}`;
    this.fired.set(id, [...(this.fired.get(id) ?? []), fired]);
  }
}

const timeOf = (tag: number, base: number) => base * 10 + tag;

function handlers(log: Log): Computation {
  return computation<{ in: { ops: readonly Op[]; base: number } }, { out: number }, number>({
    processRecord(record, ctx) {
      if (record.value.ops.length === 0) ctx.state.clear();
      else ctx.state.set((ctx.state.get() ?? 0) + 1);
      for (const [what, tag, clock, ahead, slack] of record.value.ops) {
        const name = TAGS[tag] as string;
        const time = timeOf(tag, record.value.base + ahead);
        if (what === 'clear') ctx.clearTimer(name, clock);
        else if (clock === 'wall') ctx.setTimer(name, time, { clock });
        else if (time - slack < record.timestamp) ctx.setTimer(name, time);
        else ctx.setTimer(name, time, { hold: time - slack });
      }
    },
    processTimer(timer, ctx: Context<{ out: number }, number>) {
      if (timer.clock === 'watermark') ctx.produce('out', 0);
      log.add(ctx.key, timer.clock, { tag: timer.tag, time: timer.time, state: ctx.state.get() });
      // One timer arms another, also below what is being fired.
      if (timer.tag === 'c') ctx.setTimer('d', timer.time + 21, { clock: timer.clock });
      else if (timer.tag === 'd') ctx.state.clear();
    },
  }) as Computation;
}

class Incarnation {
  readonly runtime: ComputationRuntime;
  readonly seal: StageSeal;

  constructor(log: Log, clock: { now: number }, storeIsEmpty: boolean, timersInMemory?: number) {
    const nothing = () => undefined;
    const ports = {
      now: () => clock.now,
      deriveId: hasher.deriveId,
      prepare: nothing,
      // What a timer produces lies at its hold: W1, nothing later may have been told before.
      emit: ({ timestamp }: { timestamp: number }) => {
        expect(log.told).toBeLessThanOrEqual(timestamp);
        log.tell(this.runtime);
      },
      deadLetter: ({ error }: { error: unknown }) => {
        throw error;
      },
      log: nothing,
      count: nothing,
      wake: nothing,
      beforeCall: nothing,
      afterFailure: nothing,
    };
    const options = { computationId: 'n_a', params: {}, storeIsEmpty, timersInMemory, maxTries: 1 };
    this.runtime = new ComputationRuntime(handlers(log), ports, options);
    this.seal = new StageSeal(this.stage, NODE, hasher);
  }

  /** What sealer and cache read of a stage. */
  get stage(): ComputationStage {
    const hasLeft = () => false;
    return {
      runtime: this.runtime,
      stateVersion: 1,
      node: { index: 0 },
      hasLeft,
    } as unknown as ComputationStage;
  }
}

/** A worker whose timers are mostly in the store; what it reads is as old as the last commit. */
class Rig {
  readonly log = new Log();
  readonly clock = { now: 0 };
  readonly rows = new Map<string, StoreEntry>();
  readonly #inMemory: number;
  #current: Incarnation;
  #cache: KeyCache;
  #sealed: Uint8Array[] = [];
  #bundles = 0;
  #records = 0;

  constructor(inMemory: number) {
    this.#inMemory = inMemory;
    this.#current = new Incarnation(this.log, this.clock, true, inMemory);
    this.#cache = this.#newCache();
  }

  get runtime(): ComputationRuntime {
    return this.#current.runtime;
  }

  #newCache(): KeyCache {
    const stages = {
      configuration: { cacheBytes: 0, timersInMemory: this.#inMemory },
      computations: [this.#current.stage],
      sealOf: () => this.#current.seal,
      numberOf: () => NODE,
    } as unknown as WorkerStages;
    const cache = new KeyCache(stages, (frame) => {
      const results = this.#answer(frame);
      queueMicrotask(() => cache.fetched((frame as { request: number }).request, results));
    });
    return cache;
  }

  #answer(frame: WorkerFrame): FetchResult[] {
    const sorted = [...this.rows.values()].sort((a, b) => Buffer.compare(a.key, b.key));
    const cut = (found: StoreEntry[], limit: number) => ({
      entries: found.slice(0, limit),
      complete: found.length <= limit,
    });
    if (frame.kind === 'due') {
      const { space, from, limit } = frame.scan;
      const isDue = ({ key }: StoreEntry) => key[0] === from[0] && Buffer.compare(key, from) >= 0;
      return [
        cut(
          sorted.filter((row) => row.space === space && isDue(row)),
          limit,
        ),
      ];
    }
    if (frame.kind !== 'fetch') throw new Error(frame.kind);
    return frame.scans.map(({ space, prefix, limit }) =>
      cut(
        sorted.filter((row) => row.space === space && startsWith(row.key, prefix)),
        limit,
      ),
    );
  }

  async settle(isIdle = false): Promise<void> {
    const { runtime } = this;
    for (;;) {
      runtime.fireDue();
      runtime.runWaiting();
      this.log.tell(runtime);
      const missing = runtime.keys.takeMissing();
      const clock = runtime.clockToRead(isIdle);
      if (missing.length > 0) await this.#cache.fetch(this.#current.stage, missing);
      else if (clock !== undefined) await this.#cache.fetchDue(this.#current.stage, clock);
      else if (runtime.owesFirings || runtime.firingsSpent) runtime.allowFirings(3);
      else return;
    }
  }

  async deliver(key: string, value: unknown, time: number): Promise<void> {
    this.runtime.deliver(recordOf(key, value, time, ++this.#records));
    await this.settle();
  }

  async advance(time: number): Promise<void> {
    this.runtime.advance(time);
    await this.settle();
  }

  async wait(to: number): Promise<void> {
    this.clock.now = to;
    await this.settle();
  }

  /** Seals a bundle; all but the last `behind` are committed, and what is can be forgotten. */
  seal(behind: number): void {
    const writer = new BundleBodyWriter();
    this.#cache.grew(this.#current.seal.seal(writer, ++this.#bundles));
    this.#sealed.push(writer.take());
    while (this.#sealed.length > behind) this.#commit(this.#sealed.shift() as Uint8Array);
    this.#cache.evict(this.#bundles - this.#sealed.length);
    this.runtime.adapt();
    this.runtime.allowFirings(3);
  }

  #commit(body: Uint8Array): void {
    forEachChange(readBundleBody(body), ({ space, key, value }) => {
      const id = `${space}/${Buffer.from(key).toString('hex')}`;
      if (value === undefined) this.rows.delete(id);
      else this.rows.set(id, { space, key: key.slice(), value: value.slice() });
    });
  }

  async restart(): Promise<void> {
    this.seal(0);
    const floor = this.runtime.clock.input;
    this.#current = new Incarnation(this.log, this.clock, false, this.#inMemory);
    this.#cache = this.#newCache();
    this.runtime.timersAreStored();
    for (const { space, key, value } of this.rows.values())
      if (space === spaceOf(NODE, 'timers')) this.#current.seal.timers.restoreNear(key, value);
    this.runtime.allowFirings(0);
    if (floor !== undefined) this.runtime.advance(floor);
    await this.settle();
  }

  /** The input has ended: everything fires, whatever is in memory. */
  async end(): Promise<void> {
    await this.advance(Number.POSITIVE_INFINITY);
    await fireWall(this.runtime, () => this.settle());
  }
}

async function fireWall(runtime: ComputationRuntime, settle: () => Promise<void>): Promise<void> {
  while (runtime.nextWallTimer !== undefined) {
    runtime.fireNextWallTimer();
    await settle();
  }
}

function recordOf(key: string, value: unknown, time: number, n: number): DeliveredRecord {
  return new DeliveredRecord(key, value, time, 'in', undefined, undefined, `r${n}`, undefined, 0);
}

const op: fc.Arbitrary<Op> = fc.tuple(
  fc.constantFrom('set' as const, 'set' as const, 'set' as const, 'clear' as const),
  fc.nat(2),
  fc.constantFrom('watermark' as const, 'watermark' as const, 'wall' as const),
  fc.integer({ min: -2, max: 40 }),
  fc.constantFrom(0, 0, 1, 30, 300),
);
type Step =
  | { do: 'deliver'; key: string; ops: readonly Op[] }
  | { do: 'advance' | 'wait'; by: number }
  | { do: 'seal'; behind: number }
  | { do: 'restart' };
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('deliver' as const),
      key: fc.constantFrom('k', 'l', 'm', 'n\u0000', 'o', ''),
      ops: fc.array(op, { maxLength: 4 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('advance', 'wait'), by: fc.nat(12) }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('seal' as const), behind: fc.nat(2) }) },
  { weight: 1, arbitrary: fc.constant<Step>({ do: 'restart' }) },
);

describe('far timers', () => {
  it('W6: a timer that was cleared while it lay in the store does not hold an idle input', async () => {
    const rig = new Rig(1);
    const set: Op = ['set', 0, 'watermark', 40, 0];
    for (const key of ['k', 'l', 'm', 'n']) await rig.deliver(key, { ops: [set], base: 0 }, 0);
    rig.seal(0);
    for (const key of ['k', 'l', 'm', 'n']) await rig.deliver(key, { ops: [set], base: 1 }, 0);
    rig.seal(0);
    await rig.restart();
    await rig.advance(10);
    expect(rig.runtime.holds.min()).toBe(timeOf(0, 41));
    for (const key of ['k', 'l', 'm', 'n'])
      await rig.deliver(key, { ops: [['clear', 0, 'watermark', 0, 0]], base: 1 }, 10);
    expect(rig.runtime.holds.min()).toBe(timeOf(0, 41));
    await rig.settle(true);
    expect(rig.runtime.holds.min()).toBeUndefined();
  });

  it('FT1, FT2, T2, W1: every timer fires once, in order and in time, and holds until then, wherever it is kept', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 6 }),
        fc.array(step, { minLength: 10, maxLength: 60 }),
        async (inMemory, steps) => {
          const rig = new Rig(inMemory);
          const [log, clock] = [new Log(), { now: 0 }];
          const { runtime } = new Incarnation(log, clock, true);
          let [base, records] = [0, 0];
          for (const each of steps) {
            if (each.do === 'deliver') {
              const value = { ops: each.ops, base };
              await rig.deliver(each.key, value, base * 10);
              runtime.deliver(recordOf(each.key, value, base * 10, ++records));
            } else if (each.do === 'seal') rig.seal(each.behind);
            else if (each.do === 'restart') await rig.restart();
            else if (each.do === 'advance') {
              base += each.by;
              await rig.advance(base * 10 - 5);
              runtime.advance(base * 10 - 5);
            } else {
              clock.now += each.by * 10;
              await rig.wait(clock.now);
            }
            runtime.fireDue();
            for (const each of [rig.runtime, runtime]) each.clock.published = each.outputWatermark();
            expect(rig.runtime.outputWatermark()).toBe(runtime.outputWatermark());
            expect(rig.log.fired).toEqual(log.fired);
          }
          await rig.end();
          runtime.advance(Number.POSITIVE_INFINITY);
          await fireWall(runtime, async () => undefined);
          expect(rig.log.fired).toEqual(log.fired);
          rig.seal(0);
          const left = [...rig.rows.values()].filter(({ space }) => space !== spaceOf(NODE, 'state'));
          expect(left).toEqual([]);
          expect(rig.runtime.holds.min()).toBeUndefined();
        },
      ),
      { numRuns: 300 },
    );
  }, 60_000);
});
